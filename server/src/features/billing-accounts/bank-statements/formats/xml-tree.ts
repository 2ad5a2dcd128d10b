import { SaxesParser } from 'saxes'
import type { Steps } from '../../../../concurrency/index.ts'
import { type Place, refuse } from './statement.ts'

/** An element of an XML document, its name without prefix. */
export interface XmlNode {
  readonly name: string
  readonly namespace: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
  readonly text: string
  readonly place: Place
  /** What it was read as when it ended; its children are gone then. */
  readonly value?: unknown
}

interface OpenNode extends XmlNode {
  children: XmlNode[]
  text: string
  value?: unknown
}

/** How elements of a name are read as they end, so that a long document is never held whole. */
interface Reading {
  readonly name: string
  readonly read: (node: XmlNode, root: XmlNode) => unknown
}

/** Elements are nested at most so deep, and have at most so many attributes. */
const maxDepth = 64
const maxAttributes = 100

/** So many characters are read at a time. */
const charactersOfStep = 8_192

/**
 * Reads a document. Declared entities are not expanded. Throws `RejectedStatement`: `truncated` where it ends too early,
 * `broken_xml` for anything else that is no XML.
 */
export function* readXmlTree(source: string, reading?: Reading): Steps<XmlNode> {
  const parser = new SaxesParser({ xmlns: true })
  const open: OpenNode[] = []
  let root: XmlNode | null = null
  let failure: { readonly place: Place; readonly message: string } | null = null
  const place = (): Place => ({ line: parser.line, column: parser.column + 1 })
  parser.on('error', ({ message }) => {
    failure ??= { place: place(), message }
  })
  let attributesOfTag = 0
  parser.on('opentagstart', () => {
    attributesOfTag = 0
  })
  parser.on('attribute', () => {
    attributesOfTag += 1
    if (attributesOfTag > maxAttributes) {
      refuse(place(), 'broken_xml', `An element has more than ${maxAttributes} attributes here.`)
    }
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    const plain = Object.values(attributes).map((each) => [each.local, each.value] as const)
    const node: OpenNode = {
      name: local,
      namespace: uri,
      attributes: Object.fromEntries(plain),
      children: [],
      text: '',
      place: place(),
    }
    open.at(-1)?.children.push(node)
    root ??= node
    open.push(node)
    if (open.length > maxDepth) refuse(place(), 'broken_xml', `Elements are nested deeper than ${maxDepth} here.`)
  })
  const addText = (text: string) => {
    const node = open.at(-1)
    if (node !== undefined) node.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const node = open.pop()
    if (node === undefined || root === null || reading === undefined || node.name !== reading.name) return
    node.value = reading.read(node, root)
    node.children = []
  })
  for (let from = 0; from < source.length; from += charactersOfStep) {
    parser.write(source.slice(from, from + charactersOfStep))
    yield
  }
  if (failure === null && open.length > 0) {
    const unclosed = open.map(({ name }) => name).join('/')
    refuse(place(), 'truncated', `The file ends inside of ${unclosed}. Fetch it from the bank again.`)
  }
  parser.close()
  const failed = failure as { readonly place: Place; readonly message: string } | null
  if (failed !== null) {
    const reason = failed.message.replace(/^\d+:\d+: /, '')
    refuse(
      failed.place,
      open.length > 0 && /unclosed|end/.test(reason) ? 'truncated' : 'broken_xml',
      `This is no XML: ${reason}`,
    )
  }
  return root ?? refuse({ line: 1, column: 1 }, 'truncated', 'The file is empty.')
}

/** The children of a name. */
export function all(node: XmlNode, name: string): XmlNode[] {
  return node.children.filter((child) => child.name === name)
}

/** The first element at a path. */
export function first(node: XmlNode, ...path: readonly string[]): XmlNode | null {
  let at: XmlNode | undefined = node
  for (const name of path) at = at?.children.find((child) => child.name === name)
  return at ?? null
}

/** The text at a path without space around it; null where there is none. */
export function textAt(node: XmlNode, ...path: readonly string[]): string | null {
  const text = first(node, ...path)?.text.trim() ?? ''
  return text === '' ? null : text
}

/** The texts of all elements of a name below a path. */
export function textsAt(node: XmlNode, ...path: readonly string[]): string[] {
  const parent = first(node, ...path.slice(0, -1))
  return parent === null ? [] : all(parent, path.at(-1) as string).map(({ text }) => text.trim())
}
