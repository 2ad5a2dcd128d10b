import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type yazl from 'yazl'
import { column, identifier, join, type Sql, sql, type Transaction } from '../../database/index.ts'
import type { FileStore } from '../../storage/index.ts'
import { fileKey } from '../../storage/index.ts'
import { loadIdentifyingTerms } from './identifying-terms.ts'
import { findMentions, keyColumns, listSearchedTables, type Mention } from './mentions.ts'
import type { PersonRows } from './person-rows.ts'

/** The exported rows by table, and the number of files. */
export interface Exported {
  readonly records: Readonly<Record<string, number>>
  /** The rows of others that mention the person, by table. */
  readonly mentions: Readonly<Record<string, number>>
  readonly files: number
  /** The number of files that the records name but the storage does not have. */
  readonly missing: number
}

/** Columns with secrets or search data, which contain nothing about the person. */
const hidden = /hash$|secret|token|password|^search_text$|^signature$|^transaction_id$/

/** The number of rows read at a time. */
const batchSize = 500

/**
 * Exports everything stored of a person as a zip: `records/<table>.json` with rows as stored, `files/` with uploads,
 * and `mentions/<table>.json` with what the rows of others say of the person: key, column, path in JSON and value,
 * which is what an erasure would remove. The file appears under its name once complete. Holds a few hundred rows and
 * one chunk of a file in memory.
 */
export async function exportPerson(
  tx: Transaction,
  found: PersonRows,
  store: FileStore,
  path: string,
): Promise<Exported> {
  const { ZipFile } = (await import('yazl')).default
  const zip = new ZipFile()
  const unfinished = `${path}.part`
  const writing = pipeline(zip.outputStream, createWriteStream(unfinished, { mode: 0o600 }))
  // Backpressure would wait for ever once the zip cannot be written.
  const broken = writing.then(() => new Promise<never>(() => {}))
  broken.catch(() => {}) // rethrown to the waiting calls
  try {
    const records: Record<string, number> = {}
    for (const [table, condition] of toConditions(found)) {
      const columns = (found.catalogue.columns.get(table) ?? [])
        .map(({ name }) => name)
        .filter((name) => hidden.test(name) || aboutOthers[table]?.includes(name) === true)
      const count = await addRecords({ zip, broken }, tx, found, { table, condition, without: columns })
      if (count > 0) records[table] = count
    }
    const disclosures = await addRecords({ zip, broken }, tx, found, {
      table: 'disclosures',
      condition: await disclosuresCondition(tx, found),
      without: aboutOthers.disclosures as readonly string[],
    })
    if (disclosures > 0) records.disclosures = disclosures
    const mentions = await addMentions({ zip, broken }, tx, found)
    const { files, missing } = await addFiles({ zip, broken }, tx, found, store)
    zip.end()
    await writing
    await rename(unfinished, path)
    return { records, mentions, files, missing }
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

interface Archive {
  readonly zip: yazl.ZipFile
  /** Rejects once the zip cannot be written any more. */
  readonly broken: Promise<never>
}

/** Columns that are about several people, by table. */
const aboutOthers: Readonly<Record<string, readonly string[]>> = {
  disclosures: ['record_ids', 'filter', 'count'],
  report_card_prints: ['students'],
}

/** The code columns by which entries name people. */
const codes = { students: 'student_code', admission_applications: 'application_code', contacts: 'code' } as const

/** The disclosures of the person's records, which entries name by ids or codes. */
async function disclosuresCondition(tx: Transaction, { ids }: PersonRows): Promise<Sql> {
  const names = [...ids.values()].flat()
  for (const [table, code] of Object.entries(codes)) {
    const rows = await tx.query<{ code: string }>(sql`
      select r.${identifier(code)} as code from ${identifier(table)} r
       where r.tenant_id = ${tx.tenantId} and r.id = any (${ids.get(table) ?? []}::uuid[])`)
    names.push(...rows.map((row) => row.code))
  }
  return sql`r.record_ids && ${names}::text[]`
}

/** One condition per table, since a row may be found in several ways. */
function toConditions({ rows }: PersonRows): Map<string, Sql> {
  const conditions = new Map<string, Sql>()
  for (const { table, condition } of rows) {
    const other = conditions.get(table)
    conditions.set(table, other === undefined ? condition : sql`(${other} or ${condition})`)
  }
  return conditions
}

interface Records {
  readonly table: string
  readonly condition: Sql
  /** Columns that are left out. */
  readonly without: readonly string[]
}

/** Adds the rows of a table as a JSON array; returns their number. */
async function addRecords(
  { zip, broken }: Archive,
  tx: Transaction,
  { catalogue }: PersonRows,
  { table, condition, without }: Records,
): Promise<number> {
  const keys = keyColumns(catalogue, table).map(({ name }) => sql`r.${column(name)}`)
  const page = (after: readonly string[] | null) =>
    tx.query<{ place: readonly string[]; record: string }>(sql`
      select array[${join(keys.map((key) => sql`${key}::text`))}] as place,
             (to_jsonb(r) - ${['ctid', ...without]}::text[])::text as record
        from ${identifier(table)} r
       where r.tenant_id = ${tx.tenantId} and ${condition}
             ${after === null ? sql`` : sql`and (${join(keys)}) > (${join(after.map((value) => sql`${value}`))})`}
       order by ${join(keys)} limit ${batchSize}::int`)
  let part = await page(null)
  if (part.length === 0) return 0
  const list = openList({ zip, broken }, `records/${table}.json`)
  while (part.length > 0) {
    for (const { record } of part) await list.add(record)
    part = part.length < batchSize ? [] : await page(part.at(-1)?.place ?? null)
  }
  return list.end()
}

/** A JSON array in the zip, written item by item; `end` returns their number. */
function openList({ zip, broken }: Archive, path: string) {
  let count = 0
  const out = new PassThrough()
  zip.addReadStream(out, path)
  return {
    add: async (item: string) => {
      if (!out.write(`${count === 0 ? '[' : ','}\n${item}`)) await Promise.race([once(out, 'drain'), broken])
      count += 1
    },
    end: (): number => {
      out.end('\n]\n')
      return count
    },
  }
}

/** Adds mentions in the rows of others, by table; returns the number of rows. */
async function addMentions(archive: Archive, tx: Transaction, found: PersonRows): Promise<Record<string, number>> {
  const { catalogue, person } = found
  const terms = await loadIdentifyingTerms(tx, person)
  const conditions = toConditions(found)
  const mentions: Record<string, number> = {}
  for (const table of listSearchedTables(catalogue)) {
    let list: ReturnType<typeof openList> | null = null
    for await (const mention of findMentions(tx, catalogue, table, terms, conditions.get(table))) {
      list ??= openList(archive, `mentions/${table}.json`)
      await list.add(JSON.stringify(asExported(mention)))
    }
    if (list !== null) mentions[table] = list.end()
  }
  return mentions
}

function asExported({ key: { tenant_id: _, ...key }, found }: Mention) {
  return { key, found: found.map(({ column: { name }, path, value }) => ({ column: name, path, value })) }
}

interface StoredFile {
  readonly id: string
  readonly name: string
}

async function addFiles({ zip, broken }: Archive, tx: Transaction, { ids, rows }: PersonRows, store: FileStore) {
  const versions = await tx.query<StoredFile>(sql`
    select v.id, v.file_name as name from document_versions v
     where v.tenant_id = ${tx.tenantId} and v.id = any (${[...(ids.get('document_versions') ?? [])]}::uuid[])
       and v.status = 'ready' order by v.id`)
  const storedFileRows = rows.find(({ table }) => table === 'stored_files')
  const attached = await tx.query<StoredFile>(sql`
    select r.id, r.file_name as name from stored_files r
     where r.tenant_id = ${tx.tenantId} and r.state = 'kept' and ${storedFileRows?.condition ?? sql`false`} order by r.id`)
  let [files, missing] = [0, 0]
  for (const { id, name } of [...versions, ...attached]) {
    const key = fileKey(tx.tenantId, id)
    if ((await store.stat('frozen', key)) === null) {
      missing += 1
      continue
    }
    // Opened when it is written, so that a thousand files are not open at once.
    const source = Readable.from(readChunks(store, key))
    const read = once(source, 'end')
    zip.addReadStream(source, `files/${id}/${toSegment(name)}`, { compress: false })
    await Promise.race([read, broken])
    files += 1
  }
  return { files, missing }
}

async function* readChunks(store: FileStore, key: string): AsyncGenerator<Uint8Array> {
  yield* (await store.open('frozen', key)) ?? []
}

/** A name that is a single path segment on every platform. */
function toSegment(name: string): string {
  const plain = name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+/, '_')
  return plain === '' ? 'file' : plain
}
