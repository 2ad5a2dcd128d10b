import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { clientOptions } from '../../server/dist/database/index.js'
import { toldStatements } from './told-statements.ts'

/**
 * The server to compare with, as somebody writes it by hand who wants nothing but speed: node:http, four pipelined connections
 * taken in turn, a statement each under a name, tables of its own (`tuned-tables.ts`). It looks one token up in a map. No log, no
 * quota, no audit, no events, no idempotency, no row-level security, one tenant.
 *
 * With `BENCH_TOLD=1` each of its writes also keeps its audit entry, its event and its Idempotency-Key, still in one statement without a
 * lock of its own, a check or a refusal (`told-statements.ts`): less than that no service can do that promises them.
 */

const tenantId = process.env.BENCH_TENANT as string
const tokens = new Map([[digestOf(process.env.BENCH_TOKEN as string), tenantId]])
const options = { ...clientOptions(JSON.parse(process.env.BENCH_CONNECTION as string), 'owner'), pipeline: true }
const clients = await Promise.all(
  Array.from({ length: 4 }, async () => {
    const client = new pg.Client(options)
    await client.connect()
    return client
  }),
)
let turn = 0

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}

interface Row {
  total: number
  created_at: string
}

const fields = `
  p.id, p.external_id as "externalId", p.student_id as "studentId", s.full_name as "studentName", s.student_code as "studentCode",
  p.amount, p.currency, p.status, p.description, p.processor_payment_intent_id as "processorPaymentIntentId",
  p.due_date as "dueDate", p.paid_at as "paidAt", p.created_at as "createdAt", p.updated_at as "updatedAt"`
const withStudent = 'join tuned.students s on s.tenant_id = p.tenant_id and s.id = p.student_id'

const plainStatements = {
  count: 'select count as total from tuned.payment_counts where tenant_id = $1',
  page: `select ${fields} from tuned.payments p ${withStudent} where p.tenant_id = $1 order by p.created_at, p.id limit 20`,
  one: `select ${fields} from tuned.payments p ${withStudent} where p.tenant_id = $1 and p.id = $2`,
  since: `
    with changed as materialized (
      select created_at, id from tuned.payments where tenant_id = $1 and updated_at >= $2
    ), page as materialized (
      select id from changed order by created_at, id limit 20
    )
    select (select count(*) from changed) as total, ${fields}
      from page join tuned.payments p on p.tenant_id = $1 and p.id = page.id ${withStudent}
     order by p.created_at, p.id`,
  create: `
    with counted as (
      update tuned.payment_counts set count = count + 1 where tenant_id = $1
    ), p as (
      insert into tuned.payments (tenant_id, id, student_id, amount, currency, status, description, due_date, version,
                                  created_at, updated_at)
      values ($1, $2, $3, $4, 'USD', 'pending', $5, $6, 1, now(), now())
      returning *
    )
    select ${fields} from p ${withStudent}`,
  patch: `
    with p as (
      update tuned.payments set description = $3, version = version + 1, updated_at = now()
       where tenant_id = $1 and id = $2
      returning *
    )
    select ${fields} from p ${withStudent}`,
}

const isTold = process.env.BENCH_TOLD === '1'
const statements = isTold ? { ...plainStatements, ...toldStatements(fields, withStudent) } : plainStatements

async function run<R extends object>(name: keyof typeof statements, values: unknown[]): Promise<R[]> {
  turn = (turn + 1) % clients.length
  return (await (clients[turn] as pg.Client).query<R>({ name, text: statements[name], values })).rows
}

async function answerTo(tenant: string, request: IncomingMessage): Promise<object> {
  const url = request.url as string
  const id = /^\/v1\/payments\/(.+)$/.exec(url)?.[1]
  if (request.method === 'GET') {
    if (id !== undefined) return { data: (await run('one', [tenant, id]))[0] }
    const since = /updatedSince=([^&]+)/.exec(url)?.[1]
    if (since !== undefined) return listed(await run<Row>('since', [tenant, decodeURIComponent(since)]))
    const [[counted], rows] = await Promise.all([run<Row>('count', [tenant]), run<Row>('page', [tenant])])
    return listed(rows, counted?.total)
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = JSON.parse(Buffer.concat(chunks).toString())
  if (typeof body.description !== 'string') throw new Error('a description is a text')
  if (id !== undefined) return { data: (await run('patch', [tenant, id, body.description]))[0] }
  if (typeof body.amount !== 'number' || body.amount <= 0) throw new Error('an amount is a number above 0')
  const values = [tenant, randomUUID(), body.studentId, body.amount, body.description, body.dueDate]
  if (isTold) values.push(request.headers['idempotency-key'])
  return { data: (await run('create', values))[0] }
}

function listed(rows: Row[], total = rows[0]?.total ?? 0): object {
  const data = rows.map(({ total: _, ...record }) => record)
  return { data, pagination: { page: 1, limit: 20, total, totalPages: Math.ceil(total / 20) } }
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

const server = createServer((request, response) => {
  const tenant = tokens.get(digestOf((request.headers.authorization ?? '').slice('Bearer '.length)))
  if (tenant === undefined) return send(response, 401, '{}')
  answerTo(tenant, request).then(
    (answer) => send(response, request.method === 'POST' ? 201 : 200, JSON.stringify(answer)),
    () => send(response, 500, '{}'),
  )
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
