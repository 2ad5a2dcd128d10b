import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

export const migrationsFolder = new URL('../../../migrations/', import.meta.url)

/**
 * What a migration does to a process of the version before, which may go on answering beside it: `expand` adds what that does
 * not know and does not mind; `contract` takes away what no process uses any more that knows the migration.
 */
export type MigrationKind = 'expand' | 'contract'

/**
 * How it is run: in one transaction; `concurrently`, each statement by itself, to build and drop indexes while tables are written; or
 * `in batches`, its one statement again and again, each time in a transaction of its own, until it changes nothing.
 */
export type MigrationWay = 'at once' | 'concurrently' | 'in batches'

/** A migration: its number and name, what its first line says of it, and its SQL. */
export interface Migration {
  readonly name: string
  readonly kind: MigrationKind
  readonly way: MigrationWay
  readonly text: string
  /** SHA-256 of the text. */
  readonly checksum: string
}

/** A file is no migration. The message says why. */
export class MigrationFileError extends Error {}

/** The number of a migration, such as 0043. */
export function getNumber(name: string): string {
  return name.slice(0, 4)
}

/** The migrations of a folder in their order. */
export async function readMigrations(folder: URL = migrationsFolder): Promise<Migration[]> {
  // One after the other is several times as fast for hundreds of small files, and nothing else is done meanwhile.
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
  return files.map((file) => readMigration(file.replace('.sql', ''), readFileSync(new URL(file, folder), 'utf8')))
}

/** Its first line may be `-- migration: contract, in batches`; without one it expands, at once. Throws `MigrationFileError`. */
export function readMigration(name: string, text: string): Migration {
  const directives = /^-- migration: (.*)\n/.exec(text)?.[1]?.split(', ') ?? []
  const unknown = directives.find((word) => !['expand', 'contract', 'concurrently', 'in batches'].includes(word))
  const ways = (['concurrently', 'in batches'] as const).filter((way) => directives.includes(way))
  if (unknown !== undefined || ways.length > 1) {
    throw new MigrationFileError(
      `${name}: its first line may say expand or contract, and concurrently or in batches, not ${unknown ?? 'both of these'}`,
    )
  }
  return {
    name,
    kind: directives.includes('contract') ? 'contract' : 'expand',
    way: ways[0] ?? 'at once',
    text,
    checksum: createHash('sha256').update(text).digest('hex'),
  }
}

let namesHere: Promise<readonly string[]> | undefined

/** The names of this version's migrations without which it cannot answer. */
export function neededMigrations(): Promise<readonly string[]> {
  namesHere ??= readMigrations().then((all) => all.filter(({ kind }) => kind === 'expand').map(({ name }) => name))
  return namesHere
}
