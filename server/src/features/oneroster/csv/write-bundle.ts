import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { type Database, join as joined, type Sql, sql } from '../../../database/index.ts'
import { programVersion } from '../../../values/index.ts'
import { gradebookCollections } from '../gradebook/gradebook-collections.ts'
import { objectsStatement } from '../protocol/statements.ts'
import { classes } from '../roster/classes.ts'
import { rosterCollections } from '../roster/collections.ts'
import { loadContext, type RosterTenant } from '../roster/load-context.ts'
import type { RosterClass } from '../roster/roster-class.ts'
import type { RosterContext } from '../roster/roster-context.ts'
import { selectUsers } from '../roster/users.ts'
import { bundleFiles, fileColumns, type WrittenFile } from './csv-files.ts'
import { csvLine, type RestObject, toRowsByCollection } from './csv-rows.ts'

/** The classes of objects of which a bundle has all. */
const exported = {
  orgs: rosterCollections.orgs.of,
  academicSessions: rosterCollections.academicSessions.of,
  courses: rosterCollections.courses.of,
  classes: rosterCollections.classes.of,
  users: rosterCollections.users.of,
  enrollments: rosterCollections.enrollments.of,
  demographics: rosterCollections.demographics.of,
  categories: gradebookCollections.categories,
  lineItems: gradebookCollections.lineItems,
  results: gradebookCollections.results,
  scoreScales: gradebookCollections.scoreScales,
} as const

/** What a bundle has: how many rows of each file. */
export type BundleCounts = Readonly<Partial<Record<WrittenFile, number>>>

/**
 * Writes a bundle of OneRoster CSV 1.2.1: all that is active (bulk), or with `since` what has changed at or after that
 * time, ended objects included (delta). Rows go through files of a temporary folder, so that memory is bounded.
 */
export async function writeBundle(
  database: Database,
  tenant: RosterTenant,
  to: Writable,
  since: string | null,
): Promise<BundleCounts> {
  const context = await loadContext(database, tenant, { version: '1.2', rosterUrl: '', gradebookUrl: '' }, [
    'user',
    'course',
  ])
  const extensions = await readExtensions(database, tenant.id)
  const folder = await mkdtemp(join(tmpdir(), 'matricula-oneroster-'))
  const files = new Map<WrittenFile, CsvFile>()
  try {
    for (const [collection, of] of Object.entries(exported)) {
      const where = isIn(context, since, collection)
      const statement = objectsStatement(context, { of, where })
      const toRows = toRowsByCollection[collection] as (typeof toRowsByCollection)[string]
      for await (const batch of database.readRows<{ json: string }>(tenant.id, statement)) {
        for (const { json } of batch) {
          for (const [file, rows] of Object.entries(toRows(JSON.parse(json) as RestObject))) {
            const written =
              files.get(file as WrittenFile) ?? new CsvFile(folder, file as WrittenFile, extensions, since !== null)
            files.set(file as WrittenFile, written)
            for (const row of rows) await written.add(row)
          }
        }
      }
    }
    for (const file of files.values()) await file.end()
    await zipFiles(to, tenant, files, since !== null)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return Object.fromEntries([...files].map(([name, { count }]) => [name, count]))
}

/** The condition that an object is in a bundle, and in one with whatever it belongs to. */
function isIn(context: RosterContext, since: string | null, collection: string): Sql {
  const changed = since === null ? null : sql`o.stamp >= ${since}::timestamptz`
  // What a delta belongs to came with it, or with a bundle before.
  const isThere = since === null ? sql`o.status = 'active'` : sql`(o.status = 'active' or ${changed})`
  const among = (of: RosterClass) => sql`(select o.id from (${of.source(context)}) o where ${isThere})`
  return joined(
    [
      changed ?? isThere,
      ...(ofClasses.has(collection) ? [sql`o.class_id in ${among(classes)}`] : []),
      ...(collection === 'results' ? [sql`o.student_id in ${among(students)}`] : []),
    ],
    ' and ',
  )
}

/** What belongs to a class, and is not read when that has ended. */
const ofClasses: ReadonlySet<string> = new Set(['lineItems', 'results', 'scoreScales'])

const students = selectUsers(['student'])

/** The files of the kinds of records that have extension columns. */
const filesOfKinds: Readonly<Record<string, WrittenFile>> = {
  org: 'orgs',
  course: 'courses',
  class: 'classes',
  user: 'users',
  category: 'categories',
  lineItem: 'lineItems',
  result: 'results',
  scoreScale: 'scoreScales',
}

/** The extension columns of each file, by what earlier bundles had. */
async function readExtensions(database: Database, tenantId: string): Promise<Map<string, string[]>> {
  const rows = await database.read<{ kind: string; names: string[] }>(
    tenantId,
    sql`
      select i.kind, array_agg(distinct m.name order by m.name) as names
        from roster_ids i, jsonb_object_keys(i.metadata) as m (name)
       where i.tenant_id = ${tenantId}
       group by i.kind
      union all
      select e.kind, array_agg(distinct m.name order by m.name)
        from gradebook_entries e, jsonb_object_keys(e.content -> 'metadata') as m (name)
       where e.tenant_id = ${tenantId} and jsonb_typeof(e.content -> 'metadata') = 'object'
       group by e.kind`,
  )
  return new Map(rows.map(({ kind, names }) => [filesOfKinds[kind] ?? kind, names]))
}

/** A file that is being written. */
class CsvFile {
  readonly path: string
  count = 0
  readonly #stream: Writable
  readonly #columns: readonly string[]
  readonly #extensions: readonly string[]
  readonly #isDelta: boolean

  constructor(folder: string, name: WrittenFile, extensions: ReadonlyMap<string, readonly string[]>, isDelta: boolean) {
    this.path = join(folder, `${name}.csv`)
    this.#columns = fileColumns[name]
    this.#extensions = extensions.get(name) ?? []
    this.#isDelta = isDelta
    this.#stream = createWriteStream(this.path)
    this.#stream.write(csvLine([...this.#columns, ...this.#extensions.map((each) => `metadata.${each}`)]))
  }

  async add(row: RestObject): Promise<void> {
    this.count += 1
    const shown: RestObject = this.#isDelta ? row : { ...row, status: '', dateLastModified: '' }
    const { metadata = {} } = row
    const line = csvLine([
      ...this.#columns.map((column) => shown[column] as string | undefined),
      ...this.#extensions.map((each) => metadata[each] as string | undefined),
    ])
    if (!this.#stream.write(line)) await new Promise((resolve) => this.#stream.once('drain', resolve))
  }

  async end(): Promise<void> {
    this.#stream.end()
    await finished(this.#stream)
  }
}

async function zipFiles(
  to: Writable,
  tenant: RosterTenant,
  files: ReadonlyMap<WrittenFile, CsvFile>,
  isDelta: boolean,
): Promise<void> {
  const { ZipFile } = (await import('yazl')).default
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from(buildManifest(tenant, files, isDelta)), 'manifest.csv')
  for (const [name, { path }] of files) zip.addReadStream(createReadStream(path), `${name}.csv`)
  zip.end()
  await pipeline(zip.outputStream, to)
}

function buildManifest(tenant: RosterTenant, files: ReadonlyMap<string, CsvFile>, isDelta: boolean): string {
  const properties = [
    ['propertyName', 'value'],
    ['manifest.version', '1.0'],
    ['oneroster.version', '1.2'],
    ...bundleFiles.map((name) => [`file.${name}`, files.has(name) ? (isDelta ? 'delta' : 'bulk') : 'absent']),
    ['source.systemName', `Matricula ${programVersion}`],
    ['source.systemCode', tenant.slug],
  ]
  return properties.map(csvLine).join('')
}
