import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { clientOptions, migrate, openDatabase } from '../../database/index.ts'
import { declaredTables, draftMigration } from '../../record-engine/index.ts'
import { recordRegistry } from '../record-definitions.ts'

const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/**
 * Writes the next migration with what the declared record types need and the database that the present ones make does
 * not have: `npm run draft-migration -- name_of_it`. It is read and completed by hand, with what existing rows need,
 * before it lands.
 */
async function main(): Promise<void> {
  const name = process.argv[2]
  if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new Error('usage: npm run draft-migration -- name_of_it, in small letters with underscores')
  }
  const sql = await draft()
  if (sql === '') {
    process.stdout.write('Every declared record type has its tables, columns, keys and indexes: nothing to draft.\n')
    return
  }
  const numbers = (await readdir(folder)).map((file) => Number.parseInt(file, 10)).filter(Number.isInteger)
  const file = join(folder, `${String(Math.max(...numbers) + 1).padStart(4, '0')}_${name}.sql`)
  await writeFile(file, sql, { flag: 'wx' })
  process.stdout.write(`${file}\n`)
}

/** What a database of its own lacks once it has every migration. */
async function draft(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'matricula-draft-'))
  await chmod(dataDir, 0o755) // as root the database runs as another user, who must be able to enter
  const log = { info: () => {}, warn: (message: string) => void process.stderr.write(`${message}\n`) }
  const opened = await openDatabase({ databaseUrl: null, dataDir, purpose: 'service', log })
  const client = new pg.Client(clientOptions(opened.connection, 'owner'))
  try {
    await migrate(opened.connection)
    await client.connect()
    return await draftMigration(declaredTables(recordRegistry), async <Row extends object>(text: string) => {
      const { rows } = await client.query(text)
      return rows as Row[]
    })
  } finally {
    await client.end()
    await opened.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
