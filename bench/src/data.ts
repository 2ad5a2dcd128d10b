import { type ChildProcess, spawn } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { xlsxOfRows } from '../../server/dist/resource-api/index.js'
import { asOwner } from './services/bench-database.ts'
import type { BenchService, BenchTenant } from './services/bench-service.ts'
import { median } from './services/load.ts'
import { addPayments } from './services/scale-rows.ts'

const usualRows = 20_000
const usualPayments = 1_000_000
const program = fileURLToPath(new URL('../../server/dist/cli.js', import.meta.url))

const columns =
  'externalId,givenNames,familyNames,email,phone,dateOfBirth,city,country,address,postalCode,status,nationality'

function toRow(index: number): string[] {
  return [
    ...[`B-${index}`, `Given ${index}`, `Family "${index % 500}"`, `s${index}@school.example`, `+346000${index}`],
    ...[`20${String(10 + (index % 8))}-0${1 + (index % 9)}-1${index % 10}`, 'Lima', 'Peru', `Street ${index}, door 2`],
    ...[`L-${index % 100}`, 'active', 'Peru'],
  ]
}

async function* inBatches(rows: number): AsyncGenerator<string[][]> {
  for (let from = 0; from < rows; from += 1000) {
    yield Array.from({ length: Math.min(1000, rows - from) }, (_, index) => toRow(from + index))
  }
}

async function* csv(rows: number): AsyncGenerator<string> {
  yield `${columns}\n`
  for await (const part of inBatches(rows)) {
    yield part.map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`).join('')
  }
}

interface Measured {
  readonly seconds: number
  /** The most resident memory of the command, in MiB. */
  readonly mebibytes: number
  readonly printed: string
}

/**
 * Imports and exports beside what PostgreSQL does with the same rows, in one run: 20 000 students, or as many as a number
 * behind the name says (500 000 are those of the bar).
 */
export async function printData(service: BenchService): Promise<void> {
  const rows = Number(process.argv[3] ?? usualRows)
  const folder = await mkdtemp(join(tmpdir(), 'matricula-bench-data-'))
  try {
    const tenant = await service.make('data')
    await service.make('sheets')
    // What a command takes to begin at all is none of what it does; the first one finds nothing cached.
    const startups: Measured[] = []
    for (let time = 0; time < 3; time += 1) {
      startups.push(await measure(['import', 'list', '--tenant', 'data'], service.dataDir))
    }
    const startup = Math.min(...startups.map(({ seconds }) => seconds))
    const run: Run = async (...args) => {
      const measured = await measure(args, service.dataDir)
      return { ...measured, seconds: Math.max(0.01, measured.seconds - startup) }
    }
    await asOwner(service, async (owner) => {
      await printImports(run, owner, tenant, folder, rows)
      // Else autovacuum does so while the next is measured.
      await owner.query('vacuum analyze')
      await printExports(run, owner, tenant, folder, rows)
      await owner.query('vacuum analyze')
      await printLists(service, owner, tenant, rows)
      await printPayments(run, owner, tenant, folder)
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Run = (...args: string[]) => Promise<Measured>

async function printImports(
  run: Run,
  owner: pg.Client,
  tenant: BenchTenant,
  folder: string,
  rows: number,
): Promise<void> {
  const file = join(folder, 'students.csv')
  await pipeline(Readable.from(csv(rows)), createWriteStream(file))
  const first = await run('import', 'students', file, '--tenant', 'data')
  const again = await run('import', 'students', file, '--tenant', 'data')
  await owner.query('analyze')
  const copied = await copyOfRows(owner, tenant, folder)
  print('import of CSV', `${rate(rows, first)}, ${first.mebibytes.toFixed(0)} MiB`)
  print('… beside COPY of the same rows', `${(copied / first.seconds).toFixed(2)} (wanted: 0.30)`)
  print('… again, which changes nothing', `${(first.seconds / again.seconds).toFixed(1)} times as fast (wanted: 2.5)`)
  const workbook = join(folder, 'students.xlsx')
  const headings = columns.split(',').map((heading) => ({ heading, type: null }))
  await pipeline(
    Readable.from(xlsxOfRows(headings, inBatches(rows), { isNumbered: false })),
    createWriteStream(workbook),
  )
  const sheet = await run('import', 'students', workbook, '--tenant', 'sheets')
  print('import of .xlsx', `${rate(rows, sheet)}, ${sheet.mebibytes.toFixed(0)} MiB`)
  print('… beside the same as CSV', `${(first.seconds / sheet.seconds).toFixed(2)} (wanted: 0.5)`)
}

/** The tables that an import of students writes. */
const written = ['students', 'imported_records', 'audit_entries', 'events']

/** How long PostgreSQL takes to copy what the import wrote to another institution, triggers included, in seconds. */
async function copyOfRows(owner: pg.Client, { tenantId }: BenchTenant, folder: string): Promise<number> {
  let seconds = 0
  await owner.query('begin')
  try {
    const { rows: made } = await owner.query('select gen_random_uuid() as id')
    const other = made[0].id as string
    await owner.query(
      `insert into tenants select (jsonb_populate_record(t, jsonb_build_object('id', $2::uuid, 'slug', 'copied'))).*
         from tenants t where t.id = $1`,
      [tenantId, other],
    )
    for (const table of written) {
      const { rows: found } = await owner.query(
        `select quote_ident(attname) as name from pg_attribute
          where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
            and attname not in ('transaction_id')
          order by attnum`,
        [table],
      )
      const names = found.map(({ name }) => name as string)
      const selected = names.map((name) => (name === 'tenant_id' ? `'${other}'::uuid` : name))
      const path = join(folder, table)
      const from = `copy (select ${selected.join(', ')} from ${table} where tenant_id = '${tenantId}') to stdout`
      await pipeline(owner.query(copyTo(from)), createWriteStream(path))
      const started = performance.now()
      await pipeline(createReadStream(path), owner.query(copyFrom(`copy ${table} (${names.join(', ')}) from stdin`)))
      seconds += (performance.now() - started) / 1000
    }
    return seconds
  } finally {
    await owner.query('rollback')
  }
}

async function printExports(
  run: Run,
  owner: pg.Client,
  { tenantId }: BenchTenant,
  folder: string,
  rows: number,
): Promise<void> {
  const file = join(folder, 'out.csv')
  const exported = await run('export', 'students', '--tenant', 'data', '-o', file)
  const started = performance.now()
  const select = `copy (select * from students where tenant_id = '${tenantId}') to stdout (format csv)`
  await pipeline(owner.query(copyTo(select)), createWriteStream(join(folder, 'copied.csv')))
  const copied = (performance.now() - started) / 1000
  print('export as CSV', `${rate(rows, exported)}, ${exported.mebibytes.toFixed(0)} MiB`)
  print('… beside COPY … TO STDOUT', `${(copied / exported.seconds).toFixed(2)} (wanted: 0.5)`)
  const { size } = await stat(file)
  print('… its size', `${(size / 1024 / 1024).toFixed(1)} MiB`)
}

/** The statement of the export of payments, as one would write it by hand. */
const paymentsByHand = (tenantId: string) => `
  select p.id, p.external_id, p.student_id, p.amount, p.currency, p.status, p.description, p.due_date, p.paid_at,
         s.student_code
    from payments p join students s on s.tenant_id = p.tenant_id and s.id = p.student_id
   where p.tenant_id = '${tenantId}' order by p.created_at, p.id`

/** Many payments as CSV and as Parquet, beside `COPY … TO STDOUT (format csv)` of the same query. */
async function printPayments(run: Run, owner: pg.Client, { tenantId }: BenchTenant, folder: string): Promise<void> {
  const count = Number(process.argv[4] ?? usualPayments)
  await addPayments(owner, tenantId, count)
  const copied = async (select: string) => {
    const started = performance.now()
    await pipeline(
      owner.query(copyTo(`copy (${select}) to stdout (format csv)`)),
      createWriteStream(join(folder, 'payments-copied.csv')),
    )
    return (performance.now() - started) / 1000
  }
  const file = join(folder, 'payments.csv')
  /** In turns, and by the medians: a checkpoint of what was loaded before falls on one or the other. */
  const inTurns = async () => {
    const turns: { readonly csv: Measured; readonly ratio: number }[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      const seconds = await copied(paymentsByHand(tenantId))
      const csv = await run('export', 'payments', '--tenant', 'data', '-o', file)
      turns.push({ csv, ratio: seconds / csv.seconds })
    }
    return {
      seconds: median(turns.map(({ csv }) => csv.seconds)),
      mebibytes: Math.max(...turns.map(({ csv }) => csv.mebibytes)),
      ratio: median(turns.map(({ ratio }) => ratio)),
    }
  }
  const csv = await inTurns()
  print(`export of ${count} payments as CSV`, `${rate(count, csv)}, ${csv.mebibytes.toFixed(0)} MiB`)
  print('… beside COPY … TO STDOUT of its query', `${csv.ratio.toFixed(2)} (wanted: 0.5)`)
  await run('tenant', 'update', 'data', '--disclosures', 'off')
  print('… where nobody records whom it shows', (await inTurns()).ratio.toFixed(2))
  await run('tenant', 'update', 'data', '--disclosures', 'on')
  const parquet = await run('export', 'parquet', '--tenant', 'data', '-o', join(folder, 'parquet'))
  const { tables } = JSON.parse(await readFile(join(folder, 'parquet', 'manifest.json'), 'utf8'))
  const exported = (tables as { name: string; rows: number }[]).filter(({ rows }) => rows > 0)
  let seconds = 0
  for (const { name } of exported) seconds += await copied(`select * from ${name} where tenant_id = '${tenantId}'`)
  const rows = exported.reduce((sum, table) => sum + table.rows, 0)
  print('export of everything as Parquet', `${rate(rows, parquet)}, ${parquet.mebibytes.toFixed(0)} MiB`)
  print('… beside COPY … TO STDOUT of the same tables', `${(seconds / parquet.seconds).toFixed(2)} (wanted: 0.5)`)
}

/** OneRoster’s list of students beside PostgreSQL that builds the same JSON. */
async function printLists(
  service: BenchService,
  owner: pg.Client,
  { tenantId }: BenchTenant,
  rows: number,
): Promise<void> {
  const { token } = await service.command(
    ...['token', 'create', '--tenant', 'data', '--name', 'roster', '--scopes', 'roster:read'],
  )
  const limit = Math.min(10_000, rows)
  const address = `${service.address}/t/data/ims/oneroster/rostering/v1p2/students?limit=${limit}`
  const headers = { authorization: `Bearer ${token}` }
  const ask = async () => {
    const started = performance.now()
    const response = await fetch(address, { headers })
    if (response.status !== 200) throw new Error(`${address}: ${response.status} ${await response.text()}`)
    const first = performance.now() - started
    await response.arrayBuffer()
    return { first, seconds: (performance.now() - started) / 1000 }
  }
  // A service that has answered such lists before is what clients meet.
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  for (let time = 0; time < 9; time += 1) answers.push(await ask())
  const warm = answers.slice(4)
  const listed = { first: median(warm.map(({ first }) => first)), seconds: median(warm.map(({ seconds }) => seconds)) }
  const started = performance.now()
  await owner.query(
    `select json_agg(json_build_object(
              'sourcedId', s.id, 'status', 'active', 'dateLastModified', stamp_text(s.updated_at), 'userMasterIdentifier', s.id,
              'username', s.student_code, 'enabledUser', 'true', 'givenName', s.given_names, 'familyName', s.family_names,
              'roles', json_build_array(json_build_object('roleType', 'primary', 'role', 'student', 'org', o.reference)),
              'identifier', s.student_code, 'email', s.email, 'phone', s.phone,
              'agents', array(select json_build_object('href', $2 || 'users/' || l.contact_id, 'sourcedId', l.contact_id, 'type', 'user')
                                from student_contacts l where l.tenant_id = $1 and l.student_id = s.id),
              'primaryOrg', o.reference, 'grades', '[]'::json))::text
       from (select * from students where tenant_id = $1 order by nullif(email, '') is null, id limit ${limit}) s
      cross join lateral (
        select json_build_object('href', $2 || 'orgs/' || s.tenant_id, 'sourcedId', s.tenant_id, 'type', 'org') as reference) o`,
    [tenantId, address.replace(/students.*/, '')],
  )
  const built = (performance.now() - started) / 1000
  print(
    `OneRoster: ${limit} students`,
    `${listed.seconds.toFixed(2)} s, first byte after ${listed.first.toFixed(0)} ms`,
  )
  print('… beside json_agg of the same members', `${(built / listed.seconds).toFixed(2)} (wanted: 0.6)`)
}

function rate(rows: number, { seconds }: Pick<Measured, 'seconds'>): string {
  return `${(rows / seconds).toFixed(0)} rows/s`
}

function print(title: string, text: string): void {
  process.stdout.write(`${title.padEnd(40)}${text}\n`)
}

/** Runs a command in a process of its own. */
async function measure(args: readonly string[], dataDir: string): Promise<Measured> {
  const environment = { ...process.env, DATA_DIR: dataDir }
  const started = performance.now()
  const child = spawn(process.execPath, [program, ...args, ...(args.includes('-o') ? [] : ['--json'])], {
    env: environment,
  })
  let [printed, told] = ['', '']
  child.stdout.on('data', (piece: Buffer) => (printed += piece))
  child.stderr.on('data', (piece: Buffer) => (told += piece))
  let mebibytes = 0
  const timer = setInterval(async () => {
    mebibytes = Math.max(mebibytes, await residentOf(child))
  }, 200)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearInterval(timer)
  if (code !== 0) throw new Error(`matricula ${args.join(' ')} ended with ${code}: ${told}${printed}`)
  return { seconds: (performance.now() - started) / 1000, mebibytes, printed }
}

async function residentOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
