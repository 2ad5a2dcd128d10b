import { readFile } from 'node:fs/promises'
import { InstitutionFile, type Static } from '@matricula/contract'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import { Refusal } from '../../errors/index.ts'
import { faultsOf } from '../../http/index.ts'

export type Configuration = Static<typeof InstitutionFile>

/** Names and places of members, from the top of the file on. */
export type FilePath = readonly (string | number)[]

/** What is wrong in a configuration file, and where. */
export interface ConfigurationFault {
  readonly path: FilePath
  readonly detail: string
}

/** A configuration file that was read, and whose faults can be told by line. */
export interface ReadConfiguration {
  readonly configuration: Configuration
  /** All faults in one message, by line, in the order of the file. */
  refusal(faults: readonly ConfigurationFault[]): Refusal
}

/**
 * Reads a configuration file: YAML 1.2, of which JSON is a part. Throws `Refusal` with every fault, each with its line
 * and what would be right there.
 */
export async function readConfiguration(file: string): Promise<ReadConfiguration> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Refusal('invalid_file', `${file} cannot be read.`)
  })
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  if (document.errors.length > 0) {
    const faults = document.errors.map(({ message, pos }) => {
      const [sentence = ''] = message.split(/ at line |\n/)
      return { line: lines.linePos(pos[0]).line, text: sentence }
    })
    throw refusalOf(file, faults)
  }
  const value = valuesOf(document, file)
  const refusal = (faults: readonly ConfigurationFault[]) =>
    refusalOf(
      file,
      faults.map(({ path, detail }) => ({
        line: lineOf(document, lines, path),
        text: `${pathInWords(path)}: ${detail}`,
      })),
    )
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('invalid_file', `${file} holds no settings. Begin with one of: ${sectionNames.join(', ')}.`)
  }
  const faults = faultsOf(InstitutionFile, value)
  if (faults.length > 0) {
    throw refusal(
      faults.map(({ pointer = '#', code, detail }) => {
        const path = pathOf(pointer)
        const isSection = code === 'unknown_field' && path.length === 1
        return { path, detail: isSection ? `is not known here; there are: ${sectionNames.join(', ')}` : detail }
      }),
    )
  }
  return { configuration: value as Configuration, refusal }
}

/** The values of a document. Throws `Refusal` for an alias without its anchor, and for far too many of them. */
function valuesOf(document: Document, file: string): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw new Refusal('invalid_file', `${file} cannot be applied: ${(error as Error).message}.`)
  }
}

const sectionNames = Object.keys(InstitutionFile.properties)

function refusalOf(file: string, faults: readonly { line: number; text: string }[]): Refusal {
  const lines = [...faults]
    .sort((one, other) => one.line - other.line)
    .map(({ line, text }) => `  line ${line}: ${text}`)
  return new Refusal('invalid_file', `${file} cannot be applied:\n${[...new Set(lines)].join('\n')}`)
}

/** The members of a JSON Pointer in a fragment (RFC 6901 §6). */
function pathOf(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

function pathInWords(path: FilePath): string {
  const words = path.map((part) => (typeof part === 'number' ? `[${part + 1}]` : `.${part}`)).join('')
  return words.replace(/^\./, '') || 'the file'
}

/** The line of a member, or of the nearest one above it that is written down. */
function lineOf(document: Document, lines: LineCounter, path: FilePath): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return 1
}
