import { Readable } from 'node:stream'
import { runCommand } from '../commands/matricula.ts'
import type { CommandOrder, Outcome } from './command-line.ts'

// The command line in a process that stays: it runs one command after the other, as its parent asks. Loading the program takes most
// of the time of a command.

process.on('message', async ({ words, environment, input }: CommandOrder) => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, environment)
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...words)
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true })
  const written = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    process[stream].write = (text: string | Uint8Array) => {
      written[stream] += text
      return true
    }
  }
  process.exitCode = 0
  await runCommand()
  const outcome: Outcome = { code: Number(process.exitCode), ...written }
  process.exitCode = 0
  process.send?.(outcome)
})
