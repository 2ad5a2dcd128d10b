import pg from 'pg'
import { clientOptions, Database, openDatabase, prepared, type Sql, sql } from '../../server/dist/database/index.js'
import { recordRegistry } from '../../server/dist/record-definitions.js'
import type { Caller } from '../../server/dist/records/caller.js'
import { listRecords, recordReader } from '../../server/dist/records/query/list-records.js'
import { type ListParameters, parseListRequest } from '../../server/dist/records/query/list-request.js'
import type { BenchService } from './bench-service.ts'
import { median } from './load.ts'

const records = 1_000_000
const repetitions = 5

interface Scenario {
  readonly name: string
  readonly parameters: ListParameters
  /** The same list as a person writes it. */
  readonly handWritten: Sql
  /** How often it is read in one measurement. */
  readonly reads: number
}

/**
 * Compares lists of 1 000 000 ledger entries of one tenant, filtered and ordered, with the same lists written by hand, one
 * after the other: the service from the arguments of the call to the rows as clients read them, and its SQL alone on the
 * connection of that written by hand.
 */
export async function printRecords(service: BenchService): Promise<void> {
  const { tenantId } = await service.fill('records', 1, 1)
  const opened = await openDatabase({
    databaseUrl: null,
    dataDir: service.dataDir,
    purpose: 'command',
    log: { info: () => {}, warn: () => {} },
  })
  const data = new Database(opened.connection, { poolSize: 1, readers: 1 })
  const byHand = new pg.Client(clientOptions(opened.connection, 'service'))
  try {
    process.stdout.write(`Loading ${records} ledger entries\n`)
    await load(new pg.Client(clientOptions(opened.connection, 'owner')), tenantId)
    await byHand.connect()
    await byHand.query(prepared(sql`select set_config('matricula.tenant_id', ${tenantId}, false)`))
    process.stdout.write(
      `\n${'milliseconds a list, median of 5'.padEnd(42)}  service  its SQL  by hand    ratio of SQL\n`,
    )
    for (const scenario of scenarios(tenantId)) {
      const ours = () => listEntries(data, tenantId, scenario.parameters)
      const run = async (statement: Sql) => (await byHand.query(prepared(statement))).rows
      const { statement } = requestOf(tenantId, scenario.parameters)
      const sqlOfOurs = () => run(statement)
      const theirs = () => run(scenario.handWritten)
      requireSame(scenario.name, await ours(), await theirs())
      const [whole, alone, hand] = await mediansOf([ours, sqlOfOurs, theirs], scenario.reads)
      const columns = [whole.toFixed(2), alone.toFixed(2), hand.toFixed(2), (alone / hand).toFixed(2)]
      process.stdout.write(`${scenario.name.padEnd(42)}${columns.map((column) => column.padStart(9)).join('')}\n`)
    }
  } finally {
    await byHand.end()
    await data.close()
    await opened.close()
  }
}

function scenarios(tenantId: string): Scenario[] {
  const fields = ['name', 'account', 'posting_date', 'debit', 'credit']
  const columns = sql`g.name, g.account, g.posting_date, g.debit, g.credit`
  const entries = sql`gl_entries g where g.tenant_id = ${tenantId}`
  const first20 = sql`limit 20`
  return [
    {
      name: 'no filter, by name',
      parameters: { fields },
      handWritten: sql`select ${columns} from ${entries} order by g.name ${first20}`,
      reads: 500,
    },
    {
      name: 'account =, latest creation first',
      parameters: { fields, filters: { account: 'Account 7' }, order_by: 'creation desc' },
      handWritten: sql`
        select ${columns} from ${entries} and g.account = ${'Account 7'} order by g.created_at desc ${first20}`,
      reads: 100,
    },
    {
      name: 'is_cancelled =, latest creation first',
      parameters: { fields, filters: { is_cancelled: 0 }, order_by: 'creation desc' },
      handWritten: sql`
        select ${columns} from ${entries} and g.is_cancelled = ${0} order by g.created_at desc ${first20}`,
      reads: 500,
    },
    {
      name: 'voucher_type =, latest posting date first',
      parameters: { fields, filters: { voucher_type: 'Fees' }, order_by: 'posting_date desc' },
      handWritten: sql`
        select ${columns} from ${entries} and g.voucher_type = ${'Fees'} order by g.posting_date desc ${first20}`,
      reads: 3,
    },
    {
      name: 'posting date between, largest debit first',
      parameters: {
        fields,
        filters: [['posting_date', 'between', ['2026-03-01', '2026-03-31']]],
        order_by: 'debit desc',
      },
      handWritten: sql`
        select ${columns} from ${entries} and g.posting_date between ${'2026-03-01'} and ${'2026-03-31'}
         order by g.debit desc ${first20}`,
      reads: 3,
    },
    {
      name: 'debit by account',
      parameters: { fields: ['account', 'sum(debit) as debit'], group_by: 'account', limit_page_length: 0 },
      handWritten: sql`
        select g.account, sum(g.debit) as debit from ${entries} group by g.account order by g.account nulls first`,
      reads: 3,
    },
  ]
}

function requestOf(tenantId: string, parameters: ListParameters) {
  return parseListRequest(recordRegistry, managerOf(tenantId), 'GL Entry', parameters)
}

async function listEntries(data: Database, tenantId: string, parameters: ListParameters) {
  return listRecords(recordReader(data, tenantId), requestOf(tenantId, parameters))
}

function managerOf(tenantId: string): Caller {
  const roles = new Set(['System Manager'])
  const tenant = { id: tenantId, timeZone: 'UTC', currency: 'USD' } as Caller['tenant']
  const actor = { type: 'api_key', id: null, name: 'bench' } as const
  return { tenant, kind: 'key', user: 'bench', fullName: 'bench', roles, actor, requestId: null, address: null }
}

/** The two must have read as many rows; where an order has ties, not the same ones. */
function requireSame(name: string, ours: readonly unknown[], theirs: readonly unknown[]): void {
  if (ours.length !== theirs.length || ours.length === 0)
    throw new Error(`${name}: ${ours.length}, ${theirs.length} rows`)
}

type Read = () => Promise<unknown>

/** Milliseconds of one read of each, which take turns. */
async function mediansOf(all: readonly [Read, Read, Read], reads: number): Promise<[number, number, number]> {
  const times: number[][] = all.map(() => [])
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    for (const [index, read] of all.entries()) {
      const taken = await timeOf(read, reads)
      if (repetition > 0) times[index]?.push(taken) // the first only warms up
    }
  }
  return times.map(median) as [number, number, number]
}

async function timeOf(read: Read, reads: number): Promise<number> {
  const started = performance.now()
  for (let count = 0; count < reads; count += 1) await read()
  return (performance.now() - started) / reads
}

async function load(owner: pg.Client, tenantId: string): Promise<void> {
  await owner.connect()
  try {
    // The accounts of the entries are of no matter here, so their foreign keys stay unchecked.
    await owner.query('set session_replication_role = replica')
    await owner.query(
      `insert into gl_entries (tenant_id, id, name, posting_date, account, debit, voucher_type, voucher_no, created_at)
       select $1, gen_random_uuid(), 'ENTRY-' || lpad(n::text, 8, '0'), date '2026-01-01' + n % 365, 'Account ' || n % 100,
              n % 1000, case when n % 3 = 0 then 'Fees' else 'Payment Entry' end, 'V-' || n,
              timestamptz '2026-01-01' + n * interval '7 milliseconds'
         from generate_series(1, $2::integer) n`,
      [tenantId, records],
    )
    await owner.query('analyze gl_entries')
  } finally {
    await owner.end()
  }
}
