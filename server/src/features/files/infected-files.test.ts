import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingScanner, type RunningScanner, startScanner, testVirus } from '../../storage/inspection/clamd.fixture.ts'
import { VirusScanner } from '../../storage/inspection/virus-scan.ts'
import { aRecordCaller, pdf } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'

const running: RunningScanner | null = missingScanner === null ? await startScanner() : null
afterFile(() => running?.stop())

const aForm = (bytes: Uint8Array, fileName: string) => {
  const form = new FormData()
  form.append('file', new Blob([bytes as never]), fileName)
  return form
}

test('an infected upload is refused and not kept', { skip: missingScanner ?? false }, async () => {
  const scanner = new VirusScanner({ path: (running as RunningScanner).socketPath })
  const service = await startTestService({ scanner })
  const tenant = await service.tenant()
  const api = await aRecordCaller(service, tenant)
  const send = (bytes: Uint8Array) => api.send('POST', '/api/method/upload_file', aForm(bytes, 'a.txt'))
  const rejected = await send(testVirus)
  assert.deepEqual([rejected.status, rejected.body.exc_type], [417, 'ValidationError'])
  assert.equal((await api.get('/files/a.txt')).status, 404)
  const [rejection] = await service.database.inspect<{ name: string; detail: string }>(
    `select after ->> 'fileName' as name, after ->> 'detail' as detail
       from audit_entries where tenant_id = $1 and action = 'file.refused'`,
    [tenant.id],
  )
  assert.equal(rejection?.name, 'a.txt')
  assert.match(rejection?.detail ?? '', /virus/i)
  assert.equal((await send(pdf)).status, 200)
})

test('while the scanner does not answer an upload is 503, and nothing is kept', async () => {
  const service = await startTestService({ scanner: new VirusScanner({ path: '/nowhere/clamd.sock' }) })
  const api = await aRecordCaller(service, await service.tenant())
  const { status, body, headers } = await api.send('POST', '/api/method/upload_file', aForm(pdf, 'a.pdf'))
  assert.deepEqual([status, body.exc_type, headers.get('retry-after')], [503, 'SessionStopped', '10'])
  assert.equal((await api.get('/files/a.pdf')).status, 404)
})
