import { CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { DatabaseUnavailable, EmbeddedPostgresError, MigrationError, PooledSessions } from '../database/index.ts'
import { Problem } from '../platform/problem.ts'
import { Refusal, type RefusalCode, refusals } from '../platform/refusal.ts'

/** How a command failed: in words for people, by a code for programs, and what the process ends with. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly exitCode: 1 | 2
}

/** What to tell the operator of an error: its message where it was written for people, and nothing of the program's inside. */
export function failureOf(error: unknown): Failure {
  const failure = (code: RefusalCode, message: string): Failure => ({ code, message, exitCode: refusals[code] })
  if (error instanceof Refusal) return failure(error.code, error.message)
  if (error instanceof CommanderError) return failure('wrong_usage', error.message.replace(/^error: /, ''))
  if (error instanceof Problem) {
    const isOfInput = error.status === 400 || error.status === 422
    return { code: error.code, message: error.message, exitCode: isOfInput ? 2 : 1 }
  }
  if (error instanceof PooledSessions) return failure('invalid_configuration', error.message)
  if (error instanceof ConfigError) return failure('invalid_configuration', error.message)
  if (error instanceof MigrationError) return failure('migration_refused', error.message)
  if (error instanceof EmbeddedPostgresError) return failure('database_unavailable', error.message)
  const isUnavailable = error instanceof DatabaseUnavailable
  const obstacle = obstacles[codeOf(isUnavailable ? error.cause : error)]
  if (obstacle !== undefined) return failure('database_unavailable', `The database cannot be reached. ${obstacle}`)
  if (isUnavailable) return failure('database_unavailable', error.message)
  const { stack, message } = error instanceof Error ? error : new Error(String(error))
  const shown = process.env.LOG_LEVEL === 'debug' ? stack : message
  return failure('internal_error', `This is a fault of the program: ${shown}. LOG_LEVEL=debug shows where.`)
}

/** What is in the way of a connection, by the codes of the system and of PostgreSQL (manual, appendix A). */
const obstacles: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens at the address of DATABASE_URL. Start the server, or mend the address.',
  ENOTFOUND: 'The host of DATABASE_URL is not known. Mend the address.',
  EAI_AGAIN: 'The host of DATABASE_URL cannot be looked up now. Check the network, or mend the address.',
  ETIMEDOUT: 'The host of DATABASE_URL does not answer. Check the network and the address.',
  '28P01': 'The password in DATABASE_URL is not the right one.',
  '28000': 'The server does not let the user of DATABASE_URL in. Check the user, and the server’s pg_hba.conf.',
  '3D000': 'The server has no database of the name in DATABASE_URL. Create it, or mend the address.',
  '08006': 'A node of the cluster does not answer: matricula doctor names it. Start it, or add another in its place.',
  '53300': 'All connections of the server are taken. Raise max_connections, or end what holds them.',
}

function codeOf(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? ''
}

/** Prints what a command found: the object alone with `--json`, else the lines for people. */
export function print(isJson: boolean | undefined, object: object, lines: string): void {
  process.stdout.write(isJson ? `${JSON.stringify(object)}\n` : `${lines}\n`)
}
