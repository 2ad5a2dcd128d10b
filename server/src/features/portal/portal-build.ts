import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { PageTemplateError, pageTemplate } from './page-template.ts'

/** A folder that is no valid portal build; the message continues after the name of the setting. */
export class PortalBuildError extends Error {}

/** A file of a build, in memory. */
export interface BuiltFile {
  readonly mediaType: string
  readonly bytes: Buffer
  /** The compressed content; null when it is not smaller. */
  readonly gzipped: Buffer | null
  readonly etag: string
  /** Whether its name contains a hash of its content, so that it can be cached for ever. */
  readonly isHashed: boolean
}

/** A portal build of the operator, as read at start. */
export interface PortalBuild {
  readonly page: ReturnType<typeof pageTemplate>
  /** The other files, by path with slashes. */
  readonly files: ReadonlyMap<string, BuiltFile>
  /**
   * Whether the page uses the path of the institution, so that it works below `/t/{slug}` as well as on a host name.
   */
  readonly usesInstitutionPath: boolean
  /** Skipped entries: links that lead out of the folder. */
  readonly skipped: readonly string[]
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
 * Reads a portal build into memory, so that page and files match until the next start, and no address is ever resolved
 * on disk. Skips hidden files and links that lead out of the folder.
 *
 * @throws PortalBuildError for a folder that is missing or unreadable, has no page, or is above 64 MiB.
 */
export async function readPortalBuild(folder: string): Promise<PortalBuild> {
  const root = await realpath(folder).catch(() => null)
  if (root === null || !(await stat(root)).isDirectory()) throw notABuild(`the folder does not exist: ${folder}`)
  const found: Found = { paths: [], skipped: [], bytes: 0 }
  try {
    await readFolder(root, root, found, new Set([root]))
    if (!found.paths.includes(pageName)) throw notABuild(`it has no ${pageName}: ${folder}. Build it first`)
    const source = await readFile(join(root, pageName), 'utf8')
    const files = new Map<string, BuiltFile>()
    for (const path of found.paths) if (path !== pageName) files.set(path, await readBuilt(root, path))
    const { skipped } = found
    return {
      page: compileTemplate(source),
      files,
      usesInstitutionPath: /\{\{-?\s*(boot\.)?tenant_path\b/.test(source),
      skipped,
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
  readonly skipped: string[]
  bytes: number
}

/** `above` are the parent folders, to detect link cycles. */
async function readFolder(root: string, folder: string, found: Found, above: ReadonlySet<string>): Promise<void> {
  for (const name of (await readdir(folder)).sort()) {
    if (name.startsWith('.')) continue
    const shown = join(folder, name)
    const path = relative(root, shown).split(sep).join('/')
    const real = (await lstat(shown)).isSymbolicLink() ? await realpath(shown).catch(() => null) : shown
    if (real === null || !(real === root || real.startsWith(root + sep)) || hasHidden(relative(root, real))) {
      found.skipped.push(path)
      continue
    }
    const { size, ...entry } = await stat(real).then((each) => ({
      size: each.size,
      isFolder: each.isDirectory(),
      isFile: each.isFile(),
    }))
    if (entry.isFolder) {
      if (above.has(real)) found.skipped.push(path)
      else await readFolder(root, shown, found, new Set([...above, real]))
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
    // Weak, because the compressed file has the same one (RFC 9110 §8.8.1).
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    isHashed: isHashed(path),
  }
}

/** Whether a name has a bundler's hash, such as `assets/index-DpK3_xYz.js` and `Inter.b2129c00.woff2`. */
function isHashed(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const stem = name.slice(0, name.lastIndexOf('.'))
  // A hash of eight characters may contain its own separator.
  const last = '.-'.includes(stem.at(-9) ?? ' ')
    ? 8
    : stem.length - 1 - Math.max(stem.lastIndexOf('.'), stem.lastIndexOf('-'))
  const hash = last < stem.length && last >= 8 ? stem.slice(-last) : ''
  const isHex = /^[0-9a-f]+$/.test(hash) && /\d/.test(hash)
  return isHex || (path.startsWith('assets/') && hash !== '' && !/^[A-Z]?[a-z]+$|^[A-Z]+$/.test(hash))
}

function compileTemplate(source: string): PortalBuild['page'] {
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
