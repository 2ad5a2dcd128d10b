import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterFile } from './file-end.ts'

const run = promisify(execFile)

const quiet = ['--silent', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0', '--fetch-timeout=20000']

/**
 * A package as it is published, too large to be a dependency, with what it needs to be tried: in a folder of its own that goes with the
 * tests. `parts` are the only files and folders of it that are unpacked, all unless given. Answers the folder, in which it is
 * `package`, or why it is not to be had, which is printed.
 */
export async function publishedPackage(
  published: string,
  needed: readonly string[],
  parts: readonly string[] = [],
): Promise<{ readonly folder: string; readonly missing: string | false }> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-package-'))
  afterFile(() => rm(folder, { recursive: true, force: true }))
  const inFolder = { cwd: folder, timeout: 120_000 }
  try {
    await writeFile(join(folder, 'package.json'), '{}')
    await run('npm', ['install', '--no-save', ...quiet, ...needed], inFolder)
    await run('npm', ['pack', published, ...quiet], inFolder)
    const archive = `${published.replace(/^@/, '').replace(/[/@]/g, '-')}.tgz`
    await run('tar', ['-xzf', archive, ...parts.map((part) => `package/${part}`)], inFolder)
    return { folder, missing: false }
  } catch (error) {
    const [line] = String((error as { stderr?: unknown }).stderr || error).split('\n', 1)
    const missing = `the npm registry has not given ${published}: ${line}`
    console.log(`# skipped: ${missing}`)
    return { folder, missing }
  }
}
