import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { VirusScanner } from './virus-scan.ts'

/** The 68 bytes that every scanner reports and that harm nobody, put together so that this file is not reported. */
export const testVirus = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE', '!$H+H*'].join(''),
)

const program = ['/usr/sbin/clamd', '/usr/bin/clamd', '/opt/homebrew/sbin/clamd'].find((path) => existsSync(path))

/** Why the scanner cannot be started here, or null. Debian has it as clamav-daemon. */
export const missingScanner = program === undefined ? 'clamd not installed (apt-get install clamav-daemon)' : null

export interface RunningScanner {
  readonly socketPath: string
  stop(): Promise<void>
}

/** Starts clamd on a socket of its own, with one signature. It takes streams of at most 1 MB. */
export async function startScanner(): Promise<RunningScanner> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-clamd-'))
  const socketPath = join(folder, 'clamd.sock')
  await mkdir(join(folder, 'signatures'))
  await writeFile(join(folder, 'signatures/test.ndb'), `Eicar-Test:0:0:${testVirus.toString('hex')}\n`)
  const settings = `DatabaseDirectory ${folder}/signatures\nLocalSocket ${socketPath}\nStreamMaxLength 1M\nForeground yes\n`
  await writeFile(join(folder, 'clamd.conf'), settings)
  const child = spawn(program as string, ['--config-file', join(folder, 'clamd.conf')], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const scanner = new VirusScanner({ path: socketPath })
  const deadline = Date.now() + 20_000
  while (
    !(await scanner.check().then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop()
      throw new Error('clamd did not answer within 20 s')
    }
    await pause(50)
  }
  return { socketPath, stop }
}
