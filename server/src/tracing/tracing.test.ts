import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startReceiver } from '../features/webhooks/receiver.fixture.ts'
import { startTestMailServer } from '../mail/smtp-server.fixture.ts'
import { Caller } from '../testing/fixtures/client.ts'
import { anUpload, aRequest, pdf } from '../testing/fixtures/factories.ts'
import {
  aUsedFolder,
  launchService,
  runCommand,
  startForFile,
  stop,
  until,
  untilReady,
} from '../testing/fixtures/service-process.ts'
import { afterFile } from '../testing/runner/file-end.ts'

/** A span as OTLP has it in JSON. */
interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[]
  readonly status: { readonly code?: number }
}

/** A collector on this machine that keeps the spans that it takes, or takes the connection and says nothing. */
async function startCollector(answers = true) {
  const spans: SentSpan[] = []
  const bodies: string[] = []
  const types = new Set<string | undefined>()
  let asked = 0
  const server = createServer(async (request, response) => {
    asked += 1
    types.add(request.headers['content-type'])
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (!answers) return
    const body = Buffer.concat(chunks).toString()
    bodies.push(body)
    if (request.headers['content-type'] === 'application/json') {
      for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
        for (const { spans: each } of scopeSpans) spans.push(...each.map((span: object) => ({ ...span, resource })))
      }
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, spans, bodies, types, asked: () => asked }
}

const told = (span: SentSpan, key: string) => {
  const value = span.attributes.find((attribute) => attribute.key === key)?.value
  return value?.stringValue ?? value?.intValue
}

async function untilFound<Found>(find: () => Found | undefined, what: string): Promise<Found> {
  await until(() => find() !== undefined, what)
  return find() as Found
}

test('spans tell of a request and the statements under it, of storage, jobs, mails and deliveries, go on from the caller’s trace, and name nobody and no value', async () => {
  const collector = await startCollector()
  const mails = await startTestMailServer()
  after(() => mails.close())
  const receiver = await startReceiver()
  const { folder, token } = await aUsedFolder(afterFile)
  const service = await startForFile({
    DATA_DIR: folder,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: 'school-service',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    SMTP_URL: mails.url,
    MAIL_FROM: 'office@school.example',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  })
  await untilReady(service)
  const api = new Caller(service.address, token)
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const trace = (spanId: string, flags = '01') => ({ traceparent: `00-${traceId}-${spanId}-${flags}` })
  const secretName = 'Augusta-Ada-Unmistakable'
  const made = await api.post(
    '/students',
    { fullName: secretName, email: 'ada@unmistakable.example' },
    trace('00f067aa0ba902b7'),
  )
  assert.equal(made.status, 201)
  await fetch(`${service.address}/v1/students?search=${secretName}`, {
    headers: { authorization: `Bearer ${token}`, ...trace('00f067aa0ba902b8') },
  })
  // A caller who samples nothing is followed in that, too.
  const unsampled = { traceparent: `00-${'a'.repeat(32)}-00f067aa0ba902b9-00` }
  await fetch(`${service.address}/v1/students`, { headers: { authorization: `Bearer ${token}`, ...unsampled } })
  const findSpan = (name: string) => collector.spans.find((span) => span.name === name && span.traceId === traceId)
  await until(
    () => findSpan('POST createStudent') !== undefined && findSpan('GET listStudents') !== undefined,
    'the spans',
  )
  const create = findSpan('POST createStudent') as SentSpan
  assert.deepEqual(
    [create.parentSpanId, create.kind, told(create, 'http.route'), told(create, 'matricula.tenant')],
    ['00f067aa0ba902b7', 2, '/v1/students', 'school'],
  )
  assert.equal(Number(told(create, 'http.response.status_code')), 201)
  const below = (parent: SentSpan) => collector.spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId)
  const transactions = below(create).filter(({ name }) => name === 'transaction')
  const statements = transactions.flatMap(below).map((span) => String(told(span, 'db.query.text')))
  assert.ok(
    statements.some((text) => /insert into students/.test(text)),
    statements.join('\n'),
  )
  const list = findSpan('GET listStudents') as SentSpan
  assert.ok(below(list).some((span) => /from students/.test(String(told(span, 'db.query.text')))))
  // The storage is told as a part of the request, and where the file goes and what it is called is not.
  const fileName = `${secretName}.pdf`
  const { document, version, upload } = await anUpload(api, { fileName })
  const taken = await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: pdf })
  assert.equal(taken.status, 200, await taken.text())
  const completion = `/vault/documents/${document.id}/versions/${version.id}/complete`
  assert.equal((await api.post(completion, {}, trace('00f067aa0ba902b8'))).status, 200)
  const completed = await untilFound(() => findSpan('POST completeUpload'), 'the completion')
  await until(() => below(completed).some(({ name }) => name === 'storage freeze'), 'the storage')
  const storage = below(completed).map(({ name }) => name)
  assert.ok(storage.includes('storage freeze') && storage.includes('storage open'), storage.join())
  // A job begins a trace of its own; the mail that it sends is a part of it.
  await aRequest(api, { recipient: { name: secretName, email: 'ada@unmistakable.example' }, notify: true })
  const mail = await untilFound(() => collector.spans.find(({ name }) => name === 'mail'), 'the mail')
  const job = await untilFound(() => collector.spans.find(({ spanId }) => spanId === mail.parentSpanId), 'the job')
  assert.deepEqual(
    [job.name, job.kind, told(job, 'matricula.tenant'), job.parentSpanId ?? ''],
    ['job outgoing-mails', 5, 'school', ''],
  )
  // So does a delivery, which tells whoever takes it of its span (W3C Trace Context, “traceparent”).
  const own = ['--tenant', 'school', '--name', 'hooks', '--scopes', 'webhooks:write,students:read']
  const integrator = new Caller(
    service.address,
    (await runCommand({ DATA_DIR: folder }, 'token', 'create', ...own)).token,
  )
  const hook = await integrator.post('/webhooks', { url: receiver.url, types: ['student.created'] })
  assert.equal(hook.status, 201, hook.text)
  assert.equal((await api.post('/students', { fullName: secretName })).status, 201)
  await until(() => receiver.received.length > 0, 'the delivery')
  const [, trail = '', parent = '', flags] = (receiver.received[0]?.headers.traceparent ?? '').split('-')
  const delivery = await untilFound(
    () => collector.spans.find(({ name, spanId }) => name === 'webhook delivery' && spanId === parent),
    'the delivery’s span',
  )
  assert.deepEqual([delivery.traceId, delivery.kind, flags], [trail, 5, '01'])
  assert.deepEqual(
    [told(delivery, 'matricula.tenant'), told(delivery, 'matricula.event')],
    ['school', 'student.created'],
  )
  const sent = collector.bodies.join('')
  assert.match(sent, /school-service/)
  const hidden = [version.id, document.id, hook.body.data.id, new URL(receiver.url).host]
  for (const secret of [secretName, 'unmistakable.example', token, made.body.data.id, ...hidden]) {
    assert.ok(!sent.includes(secret), `a span tells ${secret}`)
  }
  assert.ok(!sent.includes('a'.repeat(32)))
  await until(() => service.output().includes(`"trace":"${traceId}"`), 'the trace in the log')
})

test('a collector that hangs holds up neither requests nor the end of the service', async () => {
  const collector = await startCollector(false)
  const { folder, token } = await aUsedFolder(after)
  const environment = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
    OTEL_BSP_SCHEDULE_DELAY: '20',
  }
  const service = await launchService({ DATA_DIR: folder, ...environment })
  try {
    await untilReady(service)
    const api = new Caller(service.address, token)
    const answers = await Promise.all(Array.from({ length: 600 }, () => api.get('/me')))
    assert.ok(answers.every(({ status }) => status === 200))
    await until(() => collector.asked() > 0, 'spans on their way')
    assert.deepEqual([...collector.types], ['application/x-protobuf'])
    const begun = performance.now()
    service.child.kill('SIGTERM')
    assert.equal(await service.ended, 0)
    assert.ok(performance.now() - begun < 20_000)
  } finally {
    await stop(service)
  }
})

test('without a collector nothing of OpenTelemetry but its API, which prom-client brings, is loaded', async () => {
  const script = `
    await import(${JSON.stringify(new URL('../app/service.js', import.meta.url).href)})
    const { createRequire } = await import('node:module')
    const loaded = Object.keys(createRequire(${JSON.stringify(import.meta.url)}).cache)
    console.log(JSON.stringify(loaded.filter((file) => file.includes('@opentelemetry') && !file.includes('@opentelemetry/api/'))))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  assert.deepEqual(JSON.parse(stdout), [])
})
