import assert from 'node:assert/strict'
import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterFile } from './file-end.ts'
import { urlOf } from './test-database.ts'
import type { TestService } from './test-service.ts'

const program = fileURLToPath(new URL('../../bin/matricula.js', import.meta.url))
const harness = fileURLToPath(new URL('command-line.harness.js', import.meta.url))

/** How a command ended. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** What a command is run with, beside its words. */
export interface CommandSettings {
  readonly environment?: NodeJS.ProcessEnv
  readonly input?: string
}

/** A command that is to be run. */
export interface CommandOrder {
  readonly words: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly input: string
}

/** The command line as an operator uses it, beside a service that runs. */
export interface CommandLine {
  /** A folder for the files of the test. */
  readonly folder: string
  /** What the programs of the command line are started with: the test's database, and the folder for their files. */
  readonly environment: NodeJS.ProcessEnv
  run(words: string[], settings?: CommandSettings): Promise<Outcome>
  /** Runs a command with --json, which must succeed, and reads the one object that it prints. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json(words: string[], settings?: CommandSettings): Promise<any>
}

/** The command line over the database of a test's service. */
export async function commandLineOf(service: TestService): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), 'matricula-commands-'))
  afterFile(() => rm(folder, { recursive: true }))
  const environment = {
    ...process.env,
    DATABASE_URL: urlOf(service.database.connection),
    SECRET_KEY: 'x'.repeat(32),
    DATA_DIR: folder,
  }
  const resident = residentCommandLine()
  const run = (words: string[], settings: CommandSettings = {}): Promise<Outcome> => {
    const order = { words, environment: { ...environment, ...settings.environment }, input: settings.input ?? '' }
    return resident(order) ?? runProgram(order)
  }
  return {
    folder,
    environment,
    run,
    json: async (words, settings) => {
      const { code, stdout, stderr } = await run([...words, '--json'], settings)
      assert.equal(code, 0, stderr)
      assert.equal(stdout.trimEnd().split('\n').length, 1)
      return JSON.parse(stdout)
    },
  }
}

/** Runs the program itself. */
function runProgram({ words, environment, input }: CommandOrder): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...words], { env: environment }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
    child.stdin?.end(input)
  })
}

/** Runs commands in one process that stays until the tests of the file are over; null while it runs one. */
function residentCommandLine(): (order: CommandOrder) => Promise<Outcome> | null {
  let isBusy = false
  const child = fork(harness, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  afterFile(() => child.kill())
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the process of the commands has ended')))
  ended.catch(() => {}) // told by the command that is under way
  return (order) => {
    if (isBusy) return null
    isBusy = true
    const run = async (): Promise<Outcome> => {
      child.send(order)
      const [outcome] = await Promise.race([once(child, 'message'), ended])
      isBusy = false
      return outcome as Outcome
    }
    return run()
  }
}
