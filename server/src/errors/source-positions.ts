import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { fileURLToPath } from 'node:url'

const placeInProgram = /(file:\/\/[^\s:()]+\.js):(\d+):(\d+)/g

/** So many maps are kept, each some ten kilobytes: what fails, fails in few files. */
const maxMaps = 50

/** The maps of files that were looked at; null where one has none. */
const maps = new Map<string, SourceMap | null>()

/**
 * A stack trace, or a part of one, with its places in what was written in place of what was compiled (ECMA-426). What is compiled brings its
 * maps in files beside it, which are read only for what is told here: node keeps all of them in memory to do the same (`--enable-source-maps`).
 */
export function inSources(stack: string): string {
  return stack.replace(placeInProgram, (location: string, address: string, line: string, column: string) => {
    const found = findMap(address)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (found === undefined || !('originalSource' in found)) return location
    const { originalSource, originalLine, originalColumn } = found
    // What others compiled may name a source that is no file.
    const source = URL.canParse(originalSource, address) ? new URL(originalSource, address) : null
    if (source?.protocol !== 'file:') return location
    return `${fileURLToPath(source)}:${originalLine + 1}:${originalColumn + 1}`
  })
}

function findMap(address: string): SourceMap | null {
  const known = maps.get(address)
  if (known !== undefined) return known
  const map = readMap(address)
  maps.set(address, map)
  for (const [oldest] of maps) {
    if (maps.size <= maxMaps) break
    maps.delete(oldest)
  }
  return map
}

function readMap(address: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${address}.map`), 'utf8')) as SourceMapPayload)
  } catch {
    return null // none was made, or it cannot be read: the place is told as it stands in what was compiled
  }
}
