import { CommanderError } from 'commander'
import { ConfigError } from '../app/config.ts'
import { databaseObstacle } from '../app/database-obstacles.ts'
import { DatabaseUnavailable, EmbeddedPostgresError, MigrationError, PooledSessions } from '../database/index.ts'
import { CommandError, type CommandErrorCode, Problem, rejections } from '../errors/index.ts'

/** How a command failed: in words for people, by a code for programs, and what the process ends with. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly exitCode: 1 | 2
}

/**
 * What to tell the operator of an error: its message where it was written for people, and nothing of the program's
 * inside.
 */
export function getFailure(error: unknown): Failure {
  const failure = (code: CommandErrorCode, message: string): Failure => ({ code, message, exitCode: rejections[code] })
  if (error instanceof CommandError) return failure(error.code, error.message)
  if (error instanceof CommanderError) return failure('wrong_usage', error.message.replace(/^error: /, ''))
  if (error instanceof Problem) {
    const isOfInput = error.status === 400 || error.status === 422
    return { code: error.code, message: error.message, exitCode: isOfInput ? 2 : 1 }
  }
  if (error instanceof PooledSessions) return failure('invalid_configuration', error.message)
  if (error instanceof ConfigError) return failure('invalid_configuration', error.message)
  if (error instanceof MigrationError) return failure('migration_refused', error.message)
  if (error instanceof EmbeddedPostgresError) return failure('database_unavailable', error.message)
  const obstacle = databaseObstacle(error)
  if (obstacle !== null) return failure('database_unavailable', obstacle)
  if (error instanceof DatabaseUnavailable) return failure('database_unavailable', error.message)
  const { stack, message } = error instanceof Error ? error : new Error(String(error))
  const shown = process.env.LOG_LEVEL === 'debug' ? stack : message
  return failure('internal_error', `This is a bug: ${shown}. LOG_LEVEL=debug shows where.`)
}

/** Prints what a command found: the object alone with `--json`, else the lines for people. */
export function print(isJson: boolean | undefined, object: object, lines: string): void {
  process.stdout.write(isJson ? `${JSON.stringify(object)}\n` : `${lines}\n`)
}
