import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { PageTemplateError, pageTemplate } from './page-template.ts'

/** A folder is no build of a portal that can be served; the message goes on after the name of what names the folder. */
export class PortalBuildError extends Error {}

/** A file of a build, in memory. */
export interface BuiltFile {
  readonly mediaType: string
  readonly bytes: Buffer
  /** The same compressed, where that is worth it. */
  readonly gzipped: Buffer | null
  readonly etag: string
  /** Whether its name has a hash of its content, so that it may be kept for good. */
  readonly isHashed: boolean
}

/** An operator's own build of the portal, as it was when the service started. */
export interface PortalBuild {
  readonly page: ReturnType<typeof pageTemplate>
  /** The other files, by their path in the folder with slashes. */
  readonly files: ReadonlyMap<string, BuiltFile>
  /** Whether the page asks for the path of the institution, so that it works below `/t/{slug}` as well as on a host of its own. */
  readonly knowsItsPath: boolean
  /** What lies in the folder and is not served: links that lead out of it. */
  readonly passedOver: readonly string[]
}

const maxBytes = 64 * 1024 ** 2
const maxFiles = 5000
const pageName = 'index.html'

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

const compressed = /^(text|application\/(json|manifest|wasm)|image\/svg)/

/**
 * Reads a build of the portal into memory, so that a page and its files are of one build until the service starts again, and no
 * address ever becomes a path on the disk. Hidden files, and links that lead out of the folder, are passed over.
 *
 * @throws PortalBuildError for a folder that is not there or not readable, has no page, or has more than 64 MiB.
 */
export async function readPortalBuild(folder: string): Promise<PortalBuild> {
  const root = await realpath(folder).catch(() => null)
  if (root === null || !(await stat(root)).isDirectory()) throw notABuild(`there is no such folder: ${folder}`)
  const found: Found = { paths: [], passedOver: [], bytes: 0 }
  try {
    await walk(root, root, found, new Set([root]))
    if (!found.paths.includes(pageName)) throw notABuild(`it has no ${pageName}: ${folder}. Build it first`)
    const source = await readFile(join(root, pageName), 'utf8')
    const files = new Map<string, BuiltFile>()
    for (const path of found.paths) if (path !== pageName) files.set(path, await readBuilt(root, path))
    const { passedOver } = found
    return {
      page: getTemplate(source),
      files,
      knowsItsPath: /\{\{-?\s*(boot\.)?tenant_path\b/.test(source),
      passedOver,
    }
  } catch (error) {
    if (error instanceof PortalBuildError) throw error
    throw notABuild(
      `it cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}): ${folder}`,
    )
  }
}

interface Found {
  readonly paths: string[]
  readonly passedOver: string[]
  bytes: number
}

/** `above` are the folders on the way, so that a link to one of them does not lead around in a circle. */
async function walk(root: string, folder: string, found: Found, above: ReadonlySet<string>): Promise<void> {
  for (const name of (await readdir(folder)).sort()) {
    if (name.startsWith('.')) continue
    const shown = join(folder, name)
    const path = relative(root, shown).split(sep).join('/')
    const real = (await lstat(shown)).isSymbolicLink() ? await realpath(shown).catch(() => null) : shown
    if (real === null || !(real === root || real.startsWith(root + sep)) || hasHidden(relative(root, real))) {
      found.passedOver.push(path)
      continue
    }
    const { size, ...entry } = await stat(real).then((each) => ({
      size: each.size,
      isFolder: each.isDirectory(),
      isFile: each.isFile(),
    }))
    if (entry.isFolder) {
      if (above.has(real)) found.passedOver.push(path)
      else await walk(root, shown, found, new Set([...above, real]))
    } else if (entry.isFile) {
      found.paths.push(path)
      found.bytes += size
    }
    if (found.bytes > maxBytes || found.paths.length > maxFiles) {
      throw notABuild(`it has more than ${maxBytes / 1024 ** 2} MiB or ${maxFiles} files: is it a build?`)
    }
  }
}

const hasHidden = (path: string) => path.split(sep).some((segment) => segment.startsWith('.'))

async function readBuilt(root: string, path: string): Promise<BuiltFile> {
  const bytes = await readFile(join(root, path))
  const mediaType = mediaTypes[extname(path).toLowerCase()] ?? 'application/octet-stream'
  const small = compressed.test(mediaType) ? await promisify(gzip)(bytes) : null
  return {
    mediaType,
    bytes,
    gzipped: small !== null && small.length < bytes.length ? small : null,
    // Weak: the same for the compressed file (RFC 9110 §8.8.1).
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    isHashed: isHashed(path),
  }
}

/** Names such as `assets/index-DpK3_xYz.js` and `Inter.b2129c00.woff2`, as bundlers give them, and no words that look like them. */
function isHashed(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const stem = name.slice(0, name.lastIndexOf('.'))
  // A hash of eight characters may have the sign in it that stands before it.
  const last = '.-'.includes(stem.at(-9) ?? ' ')
    ? 8
    : stem.length - 1 - Math.max(stem.lastIndexOf('.'), stem.lastIndexOf('-'))
  const hash = last < stem.length && last >= 8 ? stem.slice(-last) : ''
  const isHex = /^[0-9a-f]+$/.test(hash) && /\d/.test(hash)
  return isHex || (path.startsWith('assets/') && hash !== '' && !/^[A-Z]?[a-z]+$|^[A-Z]+$/.test(hash))
}

function getTemplate(source: string): PortalBuild['page'] {
  try {
    return pageTemplate(source)
  } catch (error) {
    if (error instanceof PageTemplateError) throw notABuild(`its ${pageName} ${error.message}`)
    throw error
  }
}

function notABuild(reason: string): PortalBuildError {
  return new PortalBuildError(`must be the folder of a build of the portal; ${reason}`)
}
