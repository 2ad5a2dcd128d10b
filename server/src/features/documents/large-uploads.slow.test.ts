import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Caller } from '../../testing/fixtures/client.ts'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { anUpload, pdf } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'

const main = fileURLToPath(new URL('../../main.js', import.meta.url))
const publicUrl = 'https://matricula.example'
const megabyte = 1024 * 1024

const service = await startTestService()

/** A service in its own process, on the database of the test. */
async function startProcess() {
  const { environment } = await loadCommandLine(service)
  const settings = { PORT: '0', PUBLIC_URL: publicUrl, LOG_FORMAT: 'json', LOG_LEVEL: 'info' }
  const child = spawn(process.execPath, [main], {
    env: { ...environment, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  afterFile(() => child.kill())
  for await (const line of createInterface(child.stdout)) {
    const { msg, address } = JSON.parse(line)
    if (msg !== 'ready') continue
    child.stdout.resume()
    return { child, address: address as string }
  }
  throw new Error('the service ended before it was ready')
}

/** The memory of the service's process in bytes, by its metrics. */
async function loadMemory(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1])
}

/** The maximum memory of the process during an operation. */
async function maxMemoryDuring(address: string, work: Promise<unknown>): Promise<number> {
  let max = 0
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    max = Math.max(max, await loadMemory(address))
    await Promise.race([done, pause(50)])
  }
  return max
}

/** Uploads a PDF of this many megabytes, from intent to completion. */
async function uploadLarge(api: Caller, address: string, megabytes: number): Promise<void> {
  const part = randomBytes(megabyte)
  const parts = [pdf, ...Array.from({ length: megabytes }, () => part)]
  const hash = createHash('sha256')
  for (const bytes of parts) hash.update(bytes)
  const sizeBytes = megabytes * megabyte + pdf.length
  const ticket = await anUpload(api, { sizeBytes, checksumSha256: hash.digest('hex') })
  const { url, headers } = ticket.upload
  const sent = request(url.replace(publicUrl, address), {
    method: 'PUT',
    headers: { ...headers, 'content-length': sizeBytes },
    agent: false,
  })
  Readable.from(parts).pipe(sent)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  assert.equal(response.statusCode, 200)
  const path = `/vault/documents/${ticket.document.id}/versions/${ticket.version.id}/complete`
  assert.equal((await api.send('POST', path, undefined)).status, 200)
}

test('large uploads: four of 200 MB at once, with their completions, take less than 50 MB of memory', async () => {
  const tenant = await service.tenant()
  await service.database.inspect('update document_types set max_size_bytes = 1e9 where tenant_id = $1', [tenant.id])
  const { secret } = await tenant.token()
  const { child, address } = await startProcess()
  try {
    const api = new Caller(address, secret)
    const four = (megabytes: number) => Promise.all([1, 2, 3, 4].map(() => uploadLarge(api, address, megabytes)))
    // Warm-up: the first requests load code and grow the heap until its first collection.
    for (let round = 0; round < 3; round += 1) await four(32)
    const before = await loadMemory(address)
    // Other load on the machine delays garbage collection, but does not add memory for uploads.
    let min = Number.POSITIVE_INFINITY
    for (let round = 0; round < 3; round += 1) {
      const grown = (await maxMemoryDuring(address, four(200))) - before
      process.stdout.write(`memory: ${Math.round(grown / megabyte)} MiB more during the uploads\n`)
      min = Math.min(min, grown)
    }
    assert.ok(min < 50e6, `${Math.round(min / megabyte)} MiB`)
  } finally {
    child.kill()
    await once(child, 'exit')
  }
})
