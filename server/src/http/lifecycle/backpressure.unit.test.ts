import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import { pino } from 'pino'
import { afterFile } from '../../testing/runner/file-end.ts'
import { jsonOfRows } from '../operations/json-rows.ts'
import { type Chunks, sendText, sendWithBackpressure } from './backpressure.ts'

const chunk = 'x'.repeat(64 * 1024)
const made = { chunks: 0, ended: 0 }
const logged: string[] = []

/** Chunks that count themselves, and fail after some of them where it is said. */
async function* counted(count: number, failsAfter = count): Chunks {
  try {
    for (let number = 0; number < count; number += 1) {
      if (number === failsAfter) throw new Error('a secret of somebody')
      made.chunks += 1
      yield chunk
    }
  } finally {
    made.ended += 1
  }
}

const app = Fastify({ loggerInstance: pino({}, { write: (line: string) => logged.push(line) }) })
const impatient = { timeoutMs: 300, minBytesPerSecond: 1e9, maxDurationMs: 60_000 }
app.get('/slow', (_request, reply) => sendWithBackpressure(reply, counted(10_000), impatient))
app.get('/late', (_request, reply) =>
  sendWithBackpressure(reply, counted(10_000), { ...impatient, timeoutMs: 60_000, maxDurationMs: 300 }),
)
app.get('/failing', (_request, reply) => sendWithBackpressure(reply, counted(20, 10)))
app.get('/unread', async (_request, reply) => {
  const gone = once(reply.raw, 'close')
  reply.raw.destroy()
  await gone
  return sendWithBackpressure(reply, counted(10))
})
app.get('/whole', (_request, reply) => sendWithBackpressure(reply, counted(200)))
app.get('/text', (_request, reply) => sendText(reply, 'é'.repeat(1_000_000)))
await app.listen({ host: '127.0.0.1', port: 0 })
afterFile(() => app.close())
const { port } = app.server.address() as AddressInfo
const address = `http://127.0.0.1:${port}`

async function until(condition: () => boolean): Promise<void> {
  for (let look = 0; look < 3000; look += 1) {
    if (condition()) return
    await setTimeout(10)
  }
  assert.fail('it never came to be')
}

async function asking(path: string): Promise<Socket> {
  made.chunks = 0
  made.ended = 0
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

test('backpressure: chunks are produced as the client reads, and a stalled client is disconnected', async () => {
  const socket = await asking('/slow')
  await until(() => made.ended === 1)
  assert.ok(made.chunks < 500, `${made.chunks} chunks were made for a client that takes none`)
  assert.ok(logged.some((line) => line.includes('response aborted') && line.includes('CLIENT_TOO_SLOW')))
  socket.destroy()
})

test('backpressure: the generator is closed when the client disconnects before the first byte', async () => {
  made.ended = 0
  await assert.rejects(fetch(`${address}/unread`))
  await until(() => made.ended === 1)
})

test('backpressure: a response beyond the maximum duration is aborted', async () => {
  const socket = await asking('/late')
  const ended = once(socket, 'close')
  const drip = setInterval(() => socket.read(), 5)
  socket.on('error', () => {})
  socket.on('end', () => socket.destroy())
  await ended
  clearInterval(drip)
  assert.ok(logged.some((line) => line.includes('ANSWER_TOO_LONG')))
})

test('backpressure: a failing response closes the connection, and the log has no error text', async () => {
  const response = await fetch(`${address}/failing`)
  assert.equal(response.status, 200)
  await assert.rejects(response.text(), /terminated/)
  assert.ok(logged.some((line) => line.includes('response aborted')))
  assert.ok(logged.every((line) => !line.includes('a secret of somebody')))
})

test('backpressure: a disconnect stops the generator', async () => {
  const socket = await asking('/slow')
  socket.destroy()
  await until(() => made.ended === 1)
})

test('backpressure: a client that reads gets the whole response', async () => {
  const text = await (await fetch(`${address}/whole`)).text()
  assert.equal(text.length, 200 * chunk.length)
  const response = await fetch(`${address}/text`)
  assert.equal(response.headers.get('content-length'), '2000000')
  assert.equal(await response.text(), 'é'.repeat(1_000_000))
  const head = await fetch(`${address}/text`, { method: 'HEAD' })
  assert.equal(head.headers.get('content-length'), '2000000')
})

test('jsonOfRows: streamed rows give the same JSON as a whole body', async () => {
  const batches = async function* () {
    yield [{ name: 'A' }, { name: '"\\u0000rows\\u0000"' }]
    yield []
    yield [['B', null]]
  }
  const none = async function* () {}
  const read = async (rows: AsyncIterable<unknown[]>) => {
    let text = ''
    for await (const part of jsonOfRows((all) => ({ message: { keys: ['[]'], values: all }, more: [1] }), rows))
      text += part
    return text
  }
  const values = [{ name: 'A' }, { name: '"\\u0000rows\\u0000"' }, ['B', null]]
  assert.equal(await read(batches()), JSON.stringify({ message: { keys: ['[]'], values }, more: [1] }))
  assert.equal(await read(none()), JSON.stringify({ message: { keys: ['[]'], values: [] }, more: [1] }))
})
