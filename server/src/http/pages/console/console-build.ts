import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { whileUsed } from '../../../concurrency/index.ts'

/** How the bytes of a file are written down on the way. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** A file of the console. Its bytes are in memory while somebody is sent them: browsers keep them, so that few are asked for often. */
export interface ConsoleFile {
  readonly mediaType: string
  /** As it is, and as its build made it smaller, where that is smaller. Throws where the file is gone. */
  readonly bytes: Readonly<Partial<Record<Encoding, () => Buffer>>> & { readonly identity: () => Buffer }
}

/** The console as it was built when the service was: its page, and the files that the page asks for by their names. */
export interface ConsoleBuild {
  readonly page: ConsoleFile
  readonly assets: ReadonlyMap<string, ConsoleFile>
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
 * Looks up the files of the built console once, with what its build compressed, so that no address ever becomes a path on the disk.
 * Null where it was not built.
 */
export function readConsoleBuild(
  folder = new URL('./', import.meta.resolve('@matricula/console/site/index.html')),
): ConsoleBuild | null {
  const page = new URL('index.html', folder)
  if (!existsSync(page)) return null
  const names = readdirSync(new URL('assets/', folder)).filter((name) => extname(name) in mediaTypes)
  const assets = names.map((name) => [name, builtFile(new URL(`assets/${name}`, folder))] as const)
  return { page: builtFile(page, read), assets: new Map(assets) }
}

/** In memory from now on, so that the page goes with the files that are looked up, also where a newer build takes their place. */
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

/** What a client takes of what there is, the smallest first (RFC 9110 §12.5.3). */
export function encodingFor({ bytes }: ConsoleFile, accepted = ''): Encoding {
  const takes = (name: Encoding) =>
    accepted.split(',').some((each) => {
      const [coding = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
      return coding === name && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
    })
  return (['br', 'gzip'] as const).find((name) => bytes[name] !== undefined && takes(name)) ?? 'identity'
}
