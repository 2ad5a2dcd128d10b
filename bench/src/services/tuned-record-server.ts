import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { clientOptions, prepared, sql } from '../../../server/dist/database/index.js'
import { recordScenarios } from '../record-scenarios.ts'

/**
 * The server that lists are compared with: node:http, the driver, and the statements as a person writes them, one for each
 * address that it knows. It looks at no key, parses no filter, and stays with one tenant.
 */

const tenantId = process.env.BENCH_TENANT as string
const options = { ...clientOptions(JSON.parse(process.env.BENCH_CONNECTION as string), 'service'), pipeline: true }
const clients = await Promise.all(
  Array.from({ length: 10 }, async () => {
    const client = new pg.Client(options)
    await client.connect()
    await client.query(prepared(sql`select set_config('matricula.tenant_id', ${tenantId}, false)`))
    return client
  }),
)
const scenarios = new Map(
  recordScenarios(tenantId, Number(process.env.BENCH_RECORDS)).map((scenario) => [scenario.path, scenario]),
)
let turn = 0

async function respondTo(path: string): Promise<string> {
  const scenario = scenarios.get(path)
  if (scenario === undefined) throw new Error(`no scenario has the path ${path}`)
  turn = (turn + 1) % clients.length
  const { rows } = await (clients[turn] as pg.Client).query(prepared(scenario.handWritten))
  return JSON.stringify({ [scenario.member]: scenario.isCount ? rows[0].count : rows })
}

const server = createServer((request, response) => {
  const send = (status: number, text: string) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.end(text)
  }
  respondTo(request.url as string).then(
    (text) => send(200, text),
    () => send(500, '{}'),
  )
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
