import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StopRequested, stopRequest, watchSignals } from '../../app/shutdown.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/**
 * Compares how each screen of the console looks with how it looked at a commit, the last one unless another is named: `run-pictures.js
 * [COMMIT]`. Both consoles are built here and looked at in the same browser, over the same records, one after the other, so that neither
 * fonts nor Chromium nor time make a difference. Where it is asked to stop, nothing stays.
 */
async function main(): Promise<number> {
  const commit = process.argv[2] ?? 'HEAD'
  const folder = await mkdtemp(join(tmpdir(), 'matricula-pictures-'))
  try {
    const packed = join(folder, 'commit.tar')
    if ((await run('git', ['archive', '--output', packed, commit], root)) !== 0) return 1
    if ((await run('tar', ['-xf', packed], folder)) !== 0) return 1
    process.stdout.write(`Building the console of ${commit}\n`)
    if ((await run('npm', ['ci', '--no-audit', '--no-fund'], folder)) !== 0) return 1
    const site = join(folder, 'console/dist/site')
    if (!(await isThere(site))) {
      process.stderr.write(`${commit} builds no console into console/dist/site: name a later commit\n`)
      return 1
    }
    const tests = fileURLToPath(new URL('run-tests.js', import.meta.url))
    return await run(process.execPath, [tests, 'pictures.journey'], root, { CONSOLE_BEFORE: site })
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The status of a program, which is told of an interruption and waited for. */
async function run(
  program: string,
  args: string[],
  cwd: string,
  environment: Record<string, string> = {},
): Promise<number> {
  stopRequest.throwIfAborted()
  const child = spawn(program, args, { cwd, env: { ...process.env, ...environment }, stdio: 'inherit' })
  const stop = () => child.kill('SIGTERM')
  stopRequest.addEventListener('abort', stop)
  const [status] = (await once(child, 'exit')) as [number | null]
  stopRequest.removeEventListener('abort', stop)
  stopRequest.throwIfAborted()
  return status ?? 1
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

watchSignals()
try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof StopRequested)) throw error
  process.exitCode = 130
}
