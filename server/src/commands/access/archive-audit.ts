import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Command } from 'commander'
import { recordAccess } from '../../changes/index.ts'
import { sql } from '../../database/index.ts'
import { CommandError } from '../../errors/index.ts'
import { syncFolder } from '../../storage/index.ts'
import type { TenantRecord } from '../../tenancy/index.ts'
import { addWhichTenants, forEachTenant, type WhichTenants } from '../each-tenant.ts'
import { type Operator, operatorContext, withOperator } from '../operator.ts'
import { print } from '../outcome.ts'

interface ArchiveOptions extends WhichTenants {
  readonly before?: string
  readonly keepMonths?: string
  readonly into?: string
  readonly yes?: boolean
  readonly json?: boolean
}

/** Entries that are read or removed at once. */
const batchSize = 5000

/** `matricula archive-audit`: moves old entries of the audit into a file. */
export function addArchiveAuditCommand(command: Command): void {
  addWhichTenants(command)
    .argument('[file]', 'the file to write: JSON lines, compressed with gzip')
    .option(
      '--into <folder>',
      'a folder instead of a file: one file per tenant with such entries, named by slug and month',
    )
    .option('--before <month>', 'the first month to keep in the database, such as 2026-01')
    .option('--keep-months <number>', 'how many full months to keep besides the current one, instead of a month')
    .option('--yes', 'delete the exported entries after the file was verified')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\ndeploy/ has a timer that does this once a month for every tenant.')
    .action(async (file: string | undefined, { yes, json, into, before, keepMonths, ...which }: ArchiveOptions) => {
      const until = getFirst(getMonth(before, keepMonths))
      const fileOf = getLocation(file, into, which, until)
      const outcomes = await withOperator((operator) =>
        forEachTenant(operator, which, async (tenant) => {
          if (into !== undefined && !(await hasEntries(operator, tenant, until))) return null
          const to = await fileOf(tenant)
          const written = await write(operator, tenant, until, to)
          await requireWhole(to, written)
          const removed = yes === true ? await remove(operator, tenant, until, to, written) : 0
          return { file: to, ...written, removed }
        }),
      )
      const lines = outcomes.map(({ slug, result, failure }) => {
        if (failure !== null) return `${slug}: ${failure}`
        if (result === null) return `${slug}: no entries before`
        const { file: to, entries, removed, sha256 } = result
        const advice =
          yes === true ? `${removed} deleted from the database` : 'nothing deleted; add --yes to delete them'
        return `${to}: ${entries} entries; ${advice}\nsha256 ${sha256}`
      })
      const reported = outcomes.map(({ slug, result, failure }) => ({ slug, archived: result, failure }))
      const [only] = outcomes
      print(json, which.everyTenant === true ? { tenants: reported } : { archived: only?.result }, lines.join('\n'))
      if (outcomes.some(({ failure }) => failure !== null)) process.exitCode = 1
    })
}

/** The first month that stays. Throws `CommandError` where it is said in no way or in two. */
function getMonth(before: string | undefined, keepMonths: string | undefined): string {
  if ((before === undefined) === (keepMonths === undefined)) {
    throw new CommandError('wrong_usage', 'Give either --before or --keep-months.')
  }
  if (before !== undefined) return before
  const months = Number(keepMonths)
  if (!Number.isInteger(months) || months < 1 || months > 1200) {
    throw new CommandError('wrong_usage', '--keep-months takes a whole number from 1 to 1200.')
  }
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)).toISOString().slice(0, 7)
}

/**
 * Where the audit of a tenant goes: a file, or one in a folder that is not there yet. Throws `CommandError` where
 * neither or both are asked for.
 */
function getLocation(
  file: string | undefined,
  into: string | undefined,
  { everyTenant }: WhichTenants,
  until: string,
): (tenant: TenantRecord) => Promise<string> {
  if ((file === undefined) === (into === undefined))
    throw new CommandError('wrong_usage', 'Give either a file or --into.')
  if (file !== undefined && everyTenant === true) {
    throw new CommandError('wrong_usage', 'One file is for one tenant: with --every-tenant give --into.')
  }
  return async ({ slug }) => {
    if (file !== undefined) return file
    const name = join(into as string, `${slug}-audit-before-${until.slice(0, 7)}`)
    // What was broken off in the same month, or is under way, keeps its file; what is in two of them is the same.
    for (let number = 1; ; number += 1) {
      const candidate = `${name}${number === 1 ? '' : `-${number}`}.ndjson.gz`
      if (!(await exists(candidate)) && !(await exists(`${candidate}.part`))) return candidate
    }
  }
}

async function hasEntries({ asOwner }: Operator, { id }: TenantRecord, until: string): Promise<boolean> {
  const found = await asOwner(id, (tx) =>
    tx.query(sql`select 1 as found from audit_entries where tenant_id = ${id} and occurred_at < ${until} limit 1`),
  )
  return found.length > 0
}

interface Written {
  readonly entries: number
  /** Of the lines, uncompressed. */
  readonly sha256: string
}

const dayLong = 24 * 60 * 60 * 1000

/**
 * The beginning of a month before which nothing is written any more, by whatever transaction is still open. Throws
 * `CommandError`.
 */
function getFirst(month: string): string {
  const stamp = `${month}-01T00:00:00.000Z`
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month))
    throw new CommandError('invalid_value', `${month} is not a month. Write it as 2026-01.`)
  if (Date.parse(stamp) > Date.now() - dayLong)
    throw new CommandError(
      'invalid_value',
      `${month} began less than a day ago, or has not begun. Name an earlier month.`,
    )
  return stamp
}

async function write(
  { asOwner }: Operator,
  { id: tenantId }: TenantRecord,
  until: string,
  file: string,
): Promise<Written> {
  const unfinished = `${file}.part`
  const target = await open(unfinished, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'EEXIST' ? 'is there already; another one may be writing it' : `cannot be written (${error.code})`
    throw new CommandError('invalid_file', `${unfinished} ${reason}.`)
  })
  try {
    if (await exists(file)) throw new CommandError('already_exists', `${file} is there already. Name another file.`)
    const gzip = createGzip()
    const copying = copy(gzip, target)
    copying.catch(() => {}) // thrown below
    const hash = createHash('sha256')
    let entries = 0
    for (let after: string | null = null; ; ) {
      const part: { id: string; entry: string }[] = await asOwner(tenantId, (tx) =>
        tx.query(sql`
          select id, to_jsonb(a)::text as entry from audit_entries a
           where tenant_id = ${tenantId} and occurred_at < ${until} and (${after}::uuid is null or id > ${after}::uuid)
           order by id limit ${batchSize}::int`),
      )
      for (const { entry } of part) {
        const line = `${entry}\n`
        hash.update(line)
        if (!gzip.write(line)) await Promise.race([once(gzip, 'drain'), copying])
      }
      entries += part.length
      after = part.at(-1)?.id ?? null
      if (part.length < batchSize) break
    }
    gzip.end()
    await copying
    await target.sync()
    await target.close()
    await rename(unfinished, file)
    await syncFolder(dirname(file))
    return { entries, sha256: hash.digest('hex') }
  } catch (error) {
    await target.close().catch(() => {})
    await rm(unfinished, { force: true })
    throw error
  }
}

async function copy(source: AsyncIterable<Uint8Array>, target: FileHandle): Promise<void> {
  for await (const bytes of source) await target.writeFile(bytes)
}

function exists(file: string): Promise<boolean> {
  return open(file).then(
    async (handle) => {
      await handle.close()
      return true
    },
    () => false,
  )
}

/** The entries of a file, as JSON. Throws where it cannot be read to its end. */
async function* getLines(file: string): AsyncGenerator<string> {
  const bytes = createGunzip()
  const reading = pipeline(createReadStream(file), bytes)
  reading.catch(() => {}) // thrown by whichever of the two below comes to it first
  try {
    yield* createInterface(bytes)
    await reading
  } finally {
    bytes.destroy()
  }
}

/** Reads the file again. Throws where it does not hold what was written. */
async function requireWhole(file: string, { entries, sha256 }: Written): Promise<void> {
  const hash = createHash('sha256')
  let lines = 0
  for await (const line of getLines(file)) {
    hash.update(`${line}\n`)
    lines += 1
  }
  if (lines !== entries || hash.digest('hex') !== sha256) {
    throw new CommandError(
      'invalid_file',
      `${file} does not hold what was written to it. Nothing was removed; look at the disk.`,
    )
  }
}

/**
 * Takes the entries that the file has out of the database, and no others, some at a time, and notes which file has
 * them.
 */
async function remove(
  { asOwner }: Operator,
  tenant: TenantRecord,
  until: string,
  file: string,
  written: Written,
): Promise<number> {
  let removed = 0
  const removeThese = async (ids: readonly string[]) => {
    const gone = await asOwner(tenant.id, (tx) =>
      tx.query(sql`
        delete from audit_entries where tenant_id = ${tenant.id} and id = any (${[...ids]}::uuid[]) returning 1 as gone`),
    )
    removed += gone.length
  }
  let ids: string[] = []
  for await (const line of getLines(file)) {
    ids.push((JSON.parse(line) as { id: string }).id)
    if (ids.length < batchSize) continue
    await removeThese(ids)
    ids = []
  }
  await removeThese(ids)
  await asOwner(tenant.id, async (tx) => {
    const facts = { until, ...written, removed }
    recordAccess(tx, operatorContext(tenant), {
      action: 'audit.archived',
      entityType: 'tenant',
      entityId: tenant.id,
      facts,
    })
  })
  return removed
}
