import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { whileUsed } from '../../../concurrency/index.ts'
import { filesFinder } from './console-preloads.ts'

/** Content codings of a file. */
export type Encoding = 'br' | 'gzip' | 'identity'

/**
 * A file of the console. Its bytes are in memory only while they are sent: browsers cache them, so that few are
 * requested often.
 */
export interface ConsoleFile {
  readonly mediaType: string
  /** The file itself and its compressed variants where those are smaller. Throws where the file was removed. */
  readonly bytes: Readonly<Partial<Record<Encoding, () => Buffer>>> & { readonly identity: () => Buffer }
}

/** The built console: its page and the assets that the page loads by name. */
export interface ConsoleBuild {
  readonly page: ConsoleFile
  readonly assets: ReadonlyMap<string, ConsoleFile>
  /** The files, below the console's address, that the screen of a path needs beside those of the page. */
  findFiles(path: string, acceptedLanguages: string): readonly string[]
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.bcmap': 'application/octet-stream',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.pfb': 'application/octet-stream',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

/**
 * Finds the files of the built console once, with their compressed variants, so that no request path becomes a path
 * on the disk. Null where the console was not built.
 */
export function readConsoleBuild(
  folder = new URL('./', import.meta.resolve('@matricula/console/site/index.html')),
): ConsoleBuild | null {
  const page = new URL('index.html', folder)
  if (!existsSync(page)) return null
  const names = readdirSync(new URL('assets/', folder)).filter((name) => extname(name) in mediaTypes)
  const assets = names.map((name) => [name, builtFile(new URL(`assets/${name}`, folder))] as const)
  return { page: builtFile(page, read), assets: new Map(assets), findFiles: readPreloads(folder) }
}

function readPreloads(folder: URL): ConsoleBuild['findFiles'] {
  const preloads = new URL('preloads.json', folder)
  return existsSync(preloads) ? filesFinder(JSON.parse(readFileSync(preloads, 'utf8'))) : () => []
}

/** Stays in memory, so that the page matches the assets also when a newer build replaces them. */
function read(address: URL): () => Buffer {
  const bytes = readFileSync(address)
  return () => bytes
}

function whileAsked(address: URL): () => Buffer {
  return whileUsed(() => readFileSync(address))
}

function builtFile(file: URL, reading = whileAsked): ConsoleFile {
  const beside = (ending: string) => {
    const compressed = new URL(`${file.href}.${ending}`)
    return existsSync(compressed) ? reading(compressed) : undefined
  }
  const [br, gzip] = [beside('br'), beside('gz')]
  const mediaType = mediaTypes[extname(file.pathname)] as string
  return { mediaType, bytes: { ...(br && { br }), ...(gzip && { gzip }), identity: reading(file) } }
}

/** The best content coding that a client accepts, the smallest first (RFC 9110 §12.5.3). */
export function encodingFor({ bytes }: ConsoleFile, accepted = ''): Encoding {
  const takes = (name: Encoding) =>
    accepted.split(',').some((each) => {
      const [coding = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
      return coding === name && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
    })
  return (['br', 'gzip'] as const).find((name) => bytes[name] !== undefined && takes(name)) ?? 'identity'
}
