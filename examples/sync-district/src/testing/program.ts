import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** How a run of the program ended. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly errors: string
}

interface Start {
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Told each line of progress while it runs. */
  readonly onLine?: (line: string, program: ChildProcess) => void
}

const main = fileURLToPath(new URL('../main.js', import.meta.url))

/** Runs the program as its users do, in a process of its own, until it ends. */
export async function runProgram({ args, environment = {}, onLine = () => {} }: Start): Promise<Ended> {
  const { MATRICULA_TOKEN: _token, MATRICULA_KEY: _key, ...inherited } = process.env
  const program = spawn(process.execPath, [main, ...args], { env: { ...inherited, ...environment } })
  let output = ''
  const errors: string[] = []
  program.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  createInterface({ input: program.stderr }).on('line', (line) => {
    errors.push(line)
    onLine(line, program)
  })
  return new Promise((resolve, reject) => {
    program.on('error', reject)
    program.on('close', (code, signal) => resolve({ code, signal, output, errors: errors.join('\n') }))
  })
}
