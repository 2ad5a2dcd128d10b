import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file with tests: what was written, and what it is compiled to. */
export interface TestFile {
  readonly source: string
  readonly compiled: string
}

/** The test files of every workspace. What was compiled of a file that has moved since is still there, so sources are counted. */
export async function testFiles(): Promise<TestFile[]> {
  const root = fileURLToPath(new URL('../../../../', import.meta.url))
  const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }
  const files = await Promise.all(
    workspaces.map(async (workspace) => {
      const entries = await readdir(join(root, workspace, 'src'), { recursive: true })
      return entries
        .filter((entry) => entry.endsWith('.test.ts'))
        .map((entry) => ({
          source: join(root, workspace, 'src', entry),
          compiled: join(root, workspace, 'dist', entry.replace(/\.ts$/, '.js')),
        }))
    }),
  )
  return files.flat().sort((a, b) => (a.compiled < b.compiled ? -1 : 1))
}
