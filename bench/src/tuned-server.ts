import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { clientOptions, prepared, type Sql, sql } from '../../server/dist/database/index.js'
import {
  insertPayment,
  type PaymentRecord,
  type PaymentRow,
  payments,
} from '../../server/dist/features/payments/payment-store.js'
import { changesStatement, countsOf, countsStatement } from '../../server/dist/platform/changes.js'
import { claimStatement, fingerprintOf, keepStatement } from '../../server/dist/platform/idempotency.js'
import { pageStatement } from '../../server/dist/platform/lists.js'

/**
 * The server to compare with: node:http, the driver, and nothing else. It sends the service's own statements, so the SQL is
 * the same by construction, over connections that stay with one tenant. It checks no token, no quota and no scope,
 * validates nothing, and logs nothing.
 */

const tenantId = process.env.BENCH_TENANT as string
const options = { ...clientOptions(JSON.parse(process.env.BENCH_CONNECTION as string), 'service'), pipeline: true }
const setTenant = sql`select set_config('matricula.tenant_id', ${tenantId}, false)`

const readers = await Promise.all(
  [1, 2].map(async () => {
    const client = new pg.Client(options)
    await client.connect()
    await client.query(prepared(setTenant))
    return client
  }),
)
const pool = new pg.Pool({ ...options, max: 10 })
let turn = 0

async function read<Row extends object>(statement: Sql): Promise<Row[]> {
  turn ^= 1
  const reader = readers[turn] as pg.Client
  return (await reader.query<Row>(prepared(statement))).rows
}

async function listPayments(): Promise<string> {
  const rows = await read<PaymentRow>(pageStatement(tenantId, payments as never, { limit: 20 }).statement)
  const total = rows[0]?.total ?? 0
  const pagination = { page: 1, limit: 20, total, totalPages: Math.ceil(total / 20) }
  return JSON.stringify({ data: rows.map(payments.toRecord), pagination })
}

async function getPayment(id: string): Promise<string> {
  const [row] = await read<PaymentRow>(payments.select(tenantId, sql`p.id = ${id}`))
  return JSON.stringify({ data: payments.toRecord(row as PaymentRow) })
}

const actor = { type: 'api_key', id: randomUUID(), name: 'bench' } as const

async function createPayment(body: PaymentRecord, key: string): Promise<string> {
  const context = {
    tenant: { id: tenantId, timeZone: 'UTC', currency: 'USD' },
    actor,
    requestId: randomUUID(),
    address: null,
  }
  const request = { tenantId, apiKeyId: actor.id, key, operation: 'createPayment', path: '/v1/payments', body }
  const fingerprint = fingerprintOf(request)
  const client = await pool.connect()
  try {
    const opening = [client.query('begin'), client.query(prepared(setTenant))]
    await Promise.all([...opening, client.query(prepared(claimStatement(request)))])
    const { rows } = await client.query<PaymentRow>(
      prepared(
        insertPayment(tenantId, {
          id: randomUUID(),
          externalId: null,
          student: { id: body.studentId },
          amount: body.amount,
          currency: 'USD',
          status: 'pending',
          description: body.description,
          dueDate: body.dueDate,
          paidAt: null,
          isPaidNow: false,
        }),
      ),
    )
    const after = payments.toRecord(rows[0] as PaymentRow)
    const change = { type: 'payment.created', entityType: 'payment', entityId: after.id, before: null, after } as const
    const text = JSON.stringify({ data: after })
    const answer = { status: 201, body: text, location: `/v1/payments/${after.id}`, entityTag: '"1.1"' }
    await Promise.all([
      client.query(prepared(changesStatement(tenantId, context, [change]))),
      client.query(prepared(countsStatement(tenantId, countsOf([change])) as Sql)),
      client.query(prepared(keepStatement(request, fingerprint, answer))),
      client.query('commit'),
    ])
    return text
  } finally {
    client.release()
  }
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    answer(response, 201, await createPayment(body, request.headers['idempotency-key'] as string))
  } else {
    const id = /^\/v1\/payments\/(.+)$/.exec(request.url as string)?.[1]
    answer(response, 200, id === undefined ? await listPayments() : await getPayment(id))
  }
}

const server = createServer((request, response) => {
  handle(request, response).catch(() => answer(response, 500, '{}'))
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
