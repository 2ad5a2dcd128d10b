import { SaxesParser } from 'saxes'
import { UnreadableFile } from '../../row-errors.ts'

/** What is told of an XML document while it is read. Names are without their prefixes. */
export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

/** The longest text without a tag, in bytes: no cell is longer. */
const maxTextBytes = 4 * 1024 * 1024

/**
 * Reads an XML document piece by piece; after each piece the caller takes what the handler has collected. No entity is expanded.
 * Throws `UnreadableFile`: `broken_workbook`, and `too_large` for a text beyond every cell.
 */
export async function* xmlEvents(bytes: AsyncIterable<Buffer>, handler: XmlHandler): AsyncGenerator<void> {
  const parser = new SaxesParser({ position: false })
  let failure: Error | null = null
  let sinceTag = 0
  parser.on('error', (error) => {
    failure ??= error
  })
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0
    handler.open(localName(name), attributes as Record<string, string>)
  })
  parser.on('closetag', ({ name }) => {
    sinceTag = 0
    handler.close?.(localName(name))
  })
  parser.on('text', (text) => handler.text?.(text))
  parser.on('cdata', (text) => handler.text?.(text))
  let decoder: InstanceType<typeof TextDecoder> | null = null
  for await (const piece of bytes) {
    decoder ??= new TextDecoder(piece[0] === 0xff || piece[0] === 0xfe ? utf16Of(piece) : 'utf-8')
    sinceTag += piece.length
    parser.write(decoder.decode(piece, { stream: true }))
    if (failure !== null) throw broken()
    if (sinceTag > maxTextBytes) throw new UnreadableFile('too_large', 'has a text that is longer than any cell')
    yield
  }
  parser.close()
  if (failure !== null) throw broken()
  yield
}

/** Reads a whole XML document. */
export async function readXml(bytes: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  for await (const _ of xmlEvents(bytes, handler));
}

function utf16Of(piece: Buffer): string {
  return piece[0] === 0xff ? 'utf-16le' : 'utf-16be'
}

function broken(): UnreadableFile {
  return new UnreadableFile('broken_workbook', 'has a part that is no XML')
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

/** The value of an attribute, whatever prefix it has. */
export function attribute(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  const own = attributes[name]
  if (own !== undefined) return own
  const found = Object.keys(attributes).find((key) => localName(key) === name)
  return found === undefined ? undefined : attributes[found]
}
