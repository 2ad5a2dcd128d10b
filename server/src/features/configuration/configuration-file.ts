import { readFile } from 'node:fs/promises'
import { InstitutionFile, type Static } from '@matricula/contract'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import { CommandError, unreadableFile } from '../../errors/index.ts'
import { getErrors } from '../../http/index.ts'

export type Configuration = Static<typeof InstitutionFile>

/** Names and places of members, from the top of the file on. */
export type FilePath = readonly (string | number)[]

/** What is wrong in a configuration file, and where. */
export interface ConfigurationError {
  readonly path: FilePath
  readonly detail: string
}

/** A configuration file that was read, and whose faults can be told by line. */
export interface ReadConfiguration {
  readonly configuration: Configuration
  /** All faults in one message, by line, in the order of the file. */
  refusal(validationErrors: readonly ConfigurationError[]): CommandError
}

/**
 * Reads a configuration file: YAML 1.2, of which JSON is a part. Throws `CommandError` with every fault, each with
 * its line and what would be right there.
 */
export async function readConfiguration(file: string): Promise<ReadConfiguration> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw unreadableFile(file, error)
  })
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  if (document.errors.length > 0) {
    const validationErrors = document.errors.map(({ message, pos }) => {
      const [sentence = ''] = message.split(/ at line |\n/)
      return { line: lines.linePos(pos[0]).line, text: sentence }
    })
    throw toErrorResponse(file, validationErrors)
  }
  const value = getValues(document, file)
  const refusal = (validationErrors: readonly ConfigurationError[]) =>
    toErrorResponse(
      file,
      validationErrors.map(({ path, detail }) => ({
        line: getLine(document, lines, path),
        text: `${pathText(path)}: ${detail}`,
      })),
    )
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError('invalid_file', `${file} holds no settings. Begin with one of: ${sectionNames.join(', ')}.`)
  }
  const validationErrors = getErrors(InstitutionFile, value)
  if (validationErrors.length > 0) {
    throw refusal(
      validationErrors.map(({ pointer = '#', code, detail }) => {
        const path = getPath(pointer)
        const isSection = code === 'unknown_field' && path.length === 1
        return { path, detail: isSection ? `is not known here; there are: ${sectionNames.join(', ')}` : detail }
      }),
    )
  }
  return { configuration: value as Configuration, refusal }
}

/** The values of a document. Throws `CommandError` for an alias without its anchor, and for far too many of them. */
function getValues(document: Document, file: string): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw new CommandError('invalid_file', `${file} cannot be applied: ${(error as Error).message}.`)
  }
}

const sectionNames = Object.keys(InstitutionFile.properties)

function toErrorResponse(file: string, validationErrors: readonly { line: number; text: string }[]): CommandError {
  const lines = [...validationErrors]
    .sort((one, other) => one.line - other.line)
    .map(({ line, text }) => `  line ${line}: ${text}`)
  return new CommandError('invalid_file', `${file} cannot be applied:\n${[...new Set(lines)].join('\n')}`)
}

/** The members of a JSON Pointer in a fragment (RFC 6901 §6). */
function getPath(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

function pathText(path: FilePath): string {
  const location = path.map((part) => (typeof part === 'number' ? `[${part + 1}]` : `.${part}`)).join('')
  return location.replace(/^\./, '') || 'the file'
}

/** The line of a member, or of the nearest one above it that is written down. */
function getLine(document: Document, lines: LineCounter, path: FilePath): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return 1
}
