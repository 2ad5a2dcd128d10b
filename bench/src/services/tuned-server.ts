import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { clientOptions } from '../../../server/dist/database/index.js'
import { reportedStatements, tunedStatements } from './tuned-statements.ts'

/**
 * The server to compare with, as somebody writes it by hand who wants nothing but speed: node:http, four pipelined connections
 * taken in turn, a statement each under a name, tables of its own (`tuned-tables.ts`). It looks one token up in a map. No log, no
 * quota, no audit, no events, no idempotency, no row-level security, one tenant.
 *
 * With `BENCH_TOLD=1` each of its writes also keeps its audit entry, its event and its Idempotency-Key, still in one
 * statement that checks and refuses nothing: less than that no service can do that promises them.
 */

const tenantId = process.env.BENCH_TENANT as string
const tokens = new Map([[getDigest(process.env.BENCH_TOKEN as string), tenantId]])
const options = { ...clientOptions(JSON.parse(process.env.BENCH_CONNECTION as string), 'owner'), pipeline: true }
const clients = await Promise.all(
  Array.from({ length: 4 }, async () => {
    const client = new pg.Client(options)
    await client.connect()
    return client
  }),
)
let turn = 0

function getDigest(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}

interface Row {
  total: number
  created_at: string
}

const isTold = process.env.BENCH_TOLD === '1'
const statements = isTold ? { ...tunedStatements, ...reportedStatements } : tunedStatements

async function run<R extends object>(name: keyof typeof statements, values: unknown[]): Promise<R[]> {
  turn = (turn + 1) % clients.length
  return (await (clients[turn] as pg.Client).query<R>({ name, text: statements[name], values })).rows
}

async function respondTo(tenant: string, request: IncomingMessage): Promise<object> {
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
  const tenant = tokens.get(getDigest((request.headers.authorization ?? '').slice('Bearer '.length)))
  if (tenant === undefined) return send(response, 401, '{}')
  respondTo(tenant, request).then(
    (answer) => send(response, request.method === 'POST' ? 201 : 200, JSON.stringify(answer)),
    () => send(response, 500, '{}'),
  )
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
