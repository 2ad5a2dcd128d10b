import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { afterEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadCommandLine } from '../../server/dist/testing/fixtures/command-line.js'
import { getBlocks } from '../../server/dist/testing/fixtures/documentation/documents.js'
import { aPayment, aRequest, aStudent } from '../../server/dist/testing/fixtures/factories.js'
import { until } from '../../server/dist/testing/fixtures/service-process.js'
import { startTestService, type TestTenant } from '../../server/dist/testing/fixtures/test-service.js'
import { findTooling, skipWithout } from '../../server/dist/testing/fixtures/tooling.js'
import { freePort } from '../../server/dist/testing/runner/free-port.js'

/** What the tests use of the official client of the Model Context Protocol, and of its transport. */
interface Client {
  connect(transport: Transport): Promise<void>
  close(): Promise<void>
  getInstructions(): string | undefined
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(call: { name: string; arguments: object }): Promise<{ content: unknown; isError?: boolean }>
}

interface Transport {
  readonly pid: number | null
}

interface StartOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const tooling = findTooling()
const skip = skipWithout(tooling)

/** Starts a program as an assistant's client does, and connects to it. */
async function connect(options: StartOptions): Promise<{ client: Client; transport: Transport }> {
  assert.ok(tooling !== null)
  const { Client } = tooling.load<{ Client: new (about: object) => Client }>('@modelcontextprotocol/client')
  const { StdioClientTransport } = tooling.load<{ StdioClientTransport: new (options: StartOptions) => Transport }>(
    '@modelcontextprotocol/client/stdio',
  )
  const client = new Client({ name: 'test', version: '1.0.0' })
  const transport = new StdioClientTransport(options)
  await client.connect(transport)
  conversations.push(client)
  return { client, transport }
}

const service = await startTestService()
const commands = await loadCommandLine(service)
const program = fileURLToPath(new URL('../../server/bin/matricula.js', import.meta.url))

/** What a process of its own prints that gets a whole input. */
function runOf(
  args: string[],
  environment: NodeJS.ProcessEnv,
  input: string,
): Promise<{ code: number; stdout: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment }
    const child = execFile(process.execPath, [program, ...args], { env }, (error, stdout) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout })
    })
    child.stdin?.end(input)
  })
}

const conversations: Client[] = []
afterEach(() => Promise.all(conversations.splice(0).map((client) => client.close())))

/** An assistant's end of a conversation with `matricula mcp`. */
async function anAssistant(token: string, args: string[] = [], url = service.address) {
  const environment = { PATH: process.env.PATH ?? '', MATRICULA_URL: url, MATRICULA_TOKEN: token }
  const { client, transport } = await connect({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    env: environment,
  })
  const call = async (name: string, given: object = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...given } })
    const [part] = content as { text: string }[]
    return { isError: isError ?? false, ...JSON.parse(part?.text ?? '') }
  }
  return {
    client,
    transport,
    call,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
  }
}

const loadToken = async (tenant: TestTenant) => (await tenant.token({ name: 'assistant' })).secret

test('an assistant finds out which families still owe a document', { skip }, async () => {
  const tenant = await service.tenant()
  const { api } = tenant
  const [ada, grace] = [await aStudent(api), await aStudent(api, { fullName: 'Grace Hopper' })]
  const { items } = await aRequest(api, {
    entityType: 'student',
    entityId: ada.id,
    recipient: { name: 'Lady Byron' },
  })
  await aRequest(api, { entityType: 'student', entityId: grace.id }).then(({ id }) =>
    api.patch(`/vault/requests/${id}`, { status: 'revoked' }),
  )
  const { call, client } = await anAssistant(await loadToken(tenant))
  assert.match(client.getInstructions() ?? '', /nextCursor/)
  const { data, pagination } = await call('listDocumentRequests', { status: 'open' })
  assert.equal(pagination.total, 1)
  assert.deepEqual([data[0].entityLabel, data[0].recipient.name], ['Ada Byron', 'Lady Byron'])
  assert.deepEqual(
    data[0].items.map(({ label, status }: { label: string; status: string }) => [label, status]),
    items.map(({ label }) => [label, 'pending']),
  )
})

test('it reads only, unless whoever started it allows writes', { skip }, async () => {
  const tenant = await service.tenant()
  const { id } = await aPayment(tenant.api)
  const token = await loadToken(tenant)
  const reader = await anAssistant(token)
  const offered = await reader.names()
  assert.ok(offered.includes('getPayment'))
  assert.ok(!offered.includes('updatePayment'))
  const rejected = await reader.call('updatePayment', { id, status: 'paid' })
  assert.deepEqual([rejected.isError, rejected.code], [true, 'writes_not_allowed'])
  assert.deepEqual((await tenant.traces(id)).events, ['payment.created'])

  const writer = await anAssistant(token, ['--allow-writes'])
  assert.ok((await writer.names()).includes('updatePayment'))
  assert.equal((await writer.call('updatePayment', { id, status: 'paid' })).data.status, 'paid')
  assert.deepEqual((await tenant.traces(id)).audit, ['payment.created', 'payment.status_changed'])
  const { body } = await tenant.api.get(`/audit?entityId=${id}`)
  assert.equal(body.data[0].actor.name, 'assistant')
})

test('a token is offered what it may do', { skip }, async () => {
  const tenant = await service.tenant({
    systemOfRecord: { payments: 'platform' },
  })
  const { secret } = await tenant.token({
    scopes: ['students:read', 'students:write', 'payments:read', 'payments:write'],
  })
  const { names } = await anAssistant(secret, ['--allow-writes'])
  const offered = await names()
  assert.ok(offered.includes('createStudent') && offered.includes('getPayment') && offered.includes('getTokenContext'))
  assert.deepEqual(
    offered.filter((name) => /Program|Document|Event|createPayment|updatePayment/.test(name)),
    [],
  )
})

test('a refusal comes back as its problem, with what to do', { skip }, async () => {
  const tenant = await service.tenant()
  const { call } = await anAssistant(await loadToken(tenant), ['--allow-writes'])
  const invalid = await call('createPayment', { amount: -1, colour: 'red' })
  assert.deepEqual([invalid.isError, invalid.status, invalid.code], [true, 400, 'validation_failed'])
  assert.ok(invalid.errors.some(({ pointer }: { pointer: string }) => pointer === '#/colour'))
  assert.match(invalid.whatToDo, /errors/)
  const unknown = await call('getStudent', { id: '01985b2e-5a00-7000-8000-000000000101' })
  assert.deepEqual([unknown.isError, unknown.status, unknown.code], [true, 404, 'resource_not_found'])
  const missing = await call('getStudent')
  assert.deepEqual([missing.isError, missing.code], [true, 'validation_failed'])
  assert.match(missing.detail, /\bid\b/)
})

test('a list goes on where its cursor says', { skip }, async () => {
  const tenant = await service.tenant()
  for (const fullName of ['Ada', 'Grace', 'Jean']) await aStudent(tenant.api, { fullName })
  const { call } = await anAssistant(await loadToken(tenant))
  const names: string[] = []
  for (let cursor: string | undefined = '*'; cursor !== undefined; ) {
    const { data, nextCursor } = await call('listStudents', { limit: 2, cursor })
    names.push(...data.map(({ fullName }: { fullName: string }) => fullName))
    cursor = nextCursor
  }
  assert.deepEqual(names, ['Ada', 'Grace', 'Jean'])
})

test('where the service does not answer, that is what it says, and it lives on', { skip }, async () => {
  const { call, client } = await anAssistant('mtc_x', [], `http://127.0.0.1:${await freePort()}`)
  const { isError, code, whatToDo } = await call('listStudents')
  assert.deepEqual([isError, code], [true, 'no_answer'])
  assert.match(whatToDo, /is not reached.*MATRICULA_URL.*Read the record/)
  await assert.rejects(client.listTools(), /no answer from/)
  await assert.rejects(client.callTool({ name: 'dropEverything', arguments: {} }), /no tool/)
})

test('it ends when the assistant hangs up', { skip }, async () => {
  const { client, transport } = await anAssistant(await loadToken(await service.tenant()))
  const { pid } = transport
  await client.close()
  const isAlive = () => {
    try {
      return process.kill(pid as number, 0)
    } catch {
      return false
    }
  }
  await until(() => !isAlive(), 'its end')
})

test('requests that are piped in are all answered before it ends', async () => {
  const token = await loadToken(await service.tenant())
  const requests = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'by hand', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'listStudents', arguments: {} } },
  ]
  const input = requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join('')
  const environment = { MATRICULA_URL: service.address, MATRICULA_TOKEN: token }
  const { code, stdout } = await runOf(['mcp'], environment, input)
  const responses = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual([code, responses.map(({ id }) => id).sort()], [0, [1, 2, 3]])
  assert.ok(responses.find(({ id }) => id === 2).result.tools.length > 10)
})

test('without a token, or with an address that is none, it says what to set and ends with 2', async () => {
  const cases = [{ MATRICULA_TOKEN: '' }, { MATRICULA_TOKEN: 'mtc_x', MATRICULA_URL: 'matricula' }]
  for (const environment of cases) {
    const { code, stderr, stdout } = await commands.run(['mcp'], { environment })
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, environment.MATRICULA_URL ? /MATRICULA_URL/ : /MATRICULA_TOKEN is not set/)
  }
})

test('the configuration of the guide starts it', { skip }, async () => {
  const [block] = getBlocks('docs/assistants.md').filter(({ language }) => language === 'json')
  const { command, args, env } = JSON.parse(block?.text ?? '').mcpServers.matricula
  assert.deepEqual(Object.keys(env), ['MATRICULA_URL', 'MATRICULA_TOKEN'])
  // The guide says where a release is installed.
  const installed = fileURLToPath(new URL('../../', import.meta.url))
  const here = args.map((arg: string) => arg.replace('/opt/matricula/', installed))
  const settings = { MATRICULA_URL: service.address, MATRICULA_TOKEN: await loadToken(await service.tenant()) }
  const { client } = await connect({ command, args: here, env: { PATH: process.env.PATH ?? '', ...settings } })
  assert.ok((await client.listTools()).tools.length > 20)
})
