import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startTestService } from '../../testing/fixtures/test-service.ts'

test('graceful shutdown: waits for running requests, not for silent connections', async () => {
  const service = await startTestService()
  const { hostname, port } = new URL(service.address)
  const open = async () => {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return socket
  }
  const [silent, begun] = [await open(), await open()]
  const heard: Buffer[] = []
  begun.on('data', (bytes: Buffer) => heard.push(bytes))
  begun.write('GET /healthz HTTP/1.1\r\nHost: school.example\r\n')
  const ended = { silent: once(silent, 'close'), begun: once(begun, 'close') }
  const from = performance.now()
  const closed = service.app.close()
  await ended.silent
  begun.write('\r\n')
  await ended.begun
  await closed
  assert.match(Buffer.concat(heard).toString(), /^HTTP\/1\.1 200 /)
  // Half a minute is what requests get, a minute what heads get.
  assert.ok(performance.now() - from < 15_000, `${performance.now() - from} ms`)
})
