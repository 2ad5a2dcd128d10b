import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/** How the bytes of a file are written down on the way. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** A file of the console, in memory. What gzip made smaller is kept so, and not as it is: hardly anybody asks for that. */
export interface ConsoleFile {
  readonly mediaType: string
  readonly bytes: Readonly<Partial<Record<Encoding, Buffer>>>
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
 * Reads the built console into memory, with what its build compressed, so that no address ever becomes a path on the disk. Null
 * where it was not built.
 */
export function readConsoleBuild(
  folder = new URL('./', import.meta.resolve('@matricula/console/site/index.html')),
): ConsoleBuild | null {
  const page = new URL('index.html', folder)
  if (!existsSync(page)) return null
  const names = readdirSync(new URL('assets/', folder)).filter((name) => extname(name) in mediaTypes)
  const assets = names.map((name) => [name, readBuilt(new URL(`assets/${name}`, folder))] as const)
  return { page: readBuilt(page), assets: new Map(assets) }
}

function readBuilt(file: URL): ConsoleFile {
  const compressed = (ending: string) => {
    const beside = new URL(`${file.href}.${ending}`)
    return existsSync(beside) ? readFileSync(beside) : undefined
  }
  const [br, gzip] = [compressed('br'), compressed('gz')]
  const mediaType = mediaTypes[extname(file.pathname)] as string
  return { mediaType, bytes: { ...(br && { br }), ...(gzip ? { gzip } : { identity: readFileSync(file) }) } }
}

/** The bytes of a file as they are sent. */
export async function bytesOf({ bytes }: ConsoleFile, encoding: Encoding): Promise<Buffer> {
  return bytes[encoding] ?? promisify(gunzip)(bytes.gzip as Buffer)
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
