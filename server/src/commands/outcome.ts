import { ConfigError } from '../config.ts'
import { DatabaseUnavailable, EmbeddedPostgresError, MigrationError } from '../database/index.ts'
import { ApiKeyError } from '../platform/api-keys.ts'
import { TenantSettingError } from '../platform/tenants.ts'
import { PasswordError, RoleError, UserError } from '../platform/users/index.ts'

/** A command was called with words that it does not take. */
export class UsageError extends Error {}

/** A command that cannot do what it was asked; the message says why and what to do. */
export class CommandError extends Error {}

const explained = [
  UsageError,
  CommandError,
  ConfigError,
  EmbeddedPostgresError,
  MigrationError,
  ApiKeyError,
  TenantSettingError,
  UserError,
  RoleError,
  PasswordError,
]

/** What to tell the operator of an error: its message where it was written for people, else everything that is known. */
export function explain(error: unknown): string {
  if (explained.some((kind) => error instanceof kind)) return (error as Error).message
  if (error instanceof DatabaseUnavailable) {
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return `The database cannot be reached${cause}. Check DATABASE_URL and that the server runs.`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** 2 for wrong usage, 1 for everything else. */
export function exitCodeOf(error: unknown): number {
  return error instanceof UsageError ? 2 : 1
}

/** Prints what a command found: the object alone with `--json`, else the lines for people. */
export function print(isJson: boolean | undefined, object: object, lines: string): void {
  process.stdout.write(isJson ? `${JSON.stringify(object)}\n` : `${lines}\n`)
}
