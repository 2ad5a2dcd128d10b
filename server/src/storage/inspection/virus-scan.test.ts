import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { missingScanner, type RunningScanner, startScanner, testVirus } from './clamd.fixture.ts'
import { parseScannerUrl, ScannerUnavailable, ScannerUrlError, VirusScanner } from './virus-scan.ts'

test('CLAMD_URL is a TCP address or the path of a socket, and nothing else', () => {
  assert.deepEqual(parseScannerUrl('tcp://scanner.example:3310'), { host: 'scanner.example', port: 3310 })
  assert.deepEqual(parseScannerUrl('tcp://[::1]'), { host: '::1', port: 3310 })
  assert.deepEqual(parseScannerUrl('unix:/run/clamav/clamd.ctl'), { path: '/run/clamav/clamd.ctl' })
  assert.deepEqual(parseScannerUrl('unix:///run/clamav/clamd.ctl'), { path: '/run/clamav/clamd.ctl' })
  for (const text of [
    '',
    'clamd',
    'http://host:3310',
    'tcp://',
    'tcp://host:0',
    'tcp://host/path',
    'unix:',
    'unix://a/b',
  ]) {
    assert.throws(() => parseScannerUrl(text), ScannerUrlError, text)
  }
})

describe('the scanner', { skip: missingScanner ?? false }, () => {
  let running: RunningScanner
  let scanner: VirusScanner
  before(async () => {
    running = await startScanner()
    scanner = new VirusScanner({ path: running.socketPath })
  })
  after(() => running?.stop())

  test('a file without a signature is clean, also an empty one', async () => {
    assert.deepEqual(await scanner.scan(Readable.from([Buffer.from('harmless')])), { isClean: true })
    assert.deepEqual(await scanner.scan(Readable.from([Buffer.alloc(0), Buffer.alloc(900_000)])), { isClean: true })
    assert.deepEqual(await scanner.scan(Readable.from([])), { isClean: true })
  })

  test('a file with a signature is told with its name, also when it comes in two chunks', async () => {
    const parts = [testVirus.subarray(0, 30), testVirus.subarray(30)]
    const outcome = await scanner.scan(Readable.from(parts))
    assert.ok(!outcome.isClean)
    assert.match(outcome.signature, /Eicar-Test/)
  })

  test('a file larger than the scanner takes is an error, not clean', async () => {
    const zeros = Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(64 * 1024)))
    await assert.rejects(scanner.scan(zeros), (error: Error) => {
      assert.ok(error instanceof ScannerUnavailable)
      assert.match(error.message, /StreamMaxLength/)
      return true
    })
  })

  test('the check passes', () => scanner.check())
})

/** A scanner that does what the test says; stopped afterwards. */
async function withScanner(behave: (socket: Socket) => void, body: (scanner: VirusScanner) => Promise<void>) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    behave(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  try {
    await body(new VirusScanner({ host: '127.0.0.1', port }, { idleMilliseconds: 50 }))
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

test('a scanner that cannot be reached, is silent, hangs up or talks nonsense is an error, not clean', async () => {
  const file = () => Readable.from([Buffer.alloc(10)])
  await assert.rejects(new VirusScanner({ path: '/nowhere/clamd.sock' }).scan(file()), ScannerUnavailable)
  await withScanner(
    (socket) => socket.resume(),
    (scanner) => assert.rejects(scanner.scan(file()), ScannerUnavailable),
  )
  await withScanner(
    (socket) => socket.destroy(),
    (scanner) => assert.rejects(scanner.scan(file()), ScannerUnavailable),
  )
  for (const response of ['stream: OK?\0', 'OK\0', '\0', 'stream: O', 'x'.repeat(10_000)]) {
    await withScanner(
      (socket) => socket.resume().write(response),
      async (scanner) => {
        await assert.rejects(scanner.scan(file()), ScannerUnavailable, response)
        await assert.rejects(scanner.check(), ScannerUnavailable, response)
      },
    )
  }
})

test('a file that breaks while it is read is told as that fault, not as one of the scanner', async () => {
  const broken = async function* () {
    yield Buffer.alloc(10)
    throw new RangeError('the disk is gone')
  }
  await withScanner(
    (socket) => socket.resume(),
    (scanner) => assert.rejects(scanner.scan(broken()), RangeError),
  )
})
