import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * Compares how each screen of the console looks with how it looked at a commit, the last one unless another is named: `run-pictures.js
 * [COMMIT]`. Both consoles are built here and looked at in the same browser, over the same records, one after the other, so that neither
 * fonts nor Chromium nor time make a difference.
 */
function main(): number {
  const commit = process.argv[2] ?? 'HEAD'
  const folder = mkdtempSync(join(tmpdir(), 'matricula-pictures-'))
  try {
    const files = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1024 ** 3 })
    execFileSync('tar', ['-x'], { cwd: folder, input: files })
    process.stdout.write(`Building the console of ${commit}\n`)
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    const tests = fileURLToPath(new URL('run-tests.js', import.meta.url))
    const env = { ...process.env, CONSOLE_BEFORE: join(folder, 'console/dist/site') }
    const { status } = spawnSync(process.execPath, [tests, 'pictures.journey'], { cwd: root, env, stdio: 'inherit' })
    return status ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = main()
