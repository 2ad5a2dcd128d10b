import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fileKey } from '../../storage/file-key.ts'
import { aRecordCaller, aUser, pdf } from '../../testing/fixtures/factories.ts'
import { RecordCaller } from '../../testing/fixtures/record-caller.ts'
import type { TestService, TestTenant } from '../../testing/fixtures/test-service.ts'
import { cleanUpStoredFilesJob } from './index.ts'

/** Tests of uploads and downloads of the Resource and Method API, the same for each storage backend. */
export function testFilesOnStorage(service: TestService): void {
  const upload = (caller: RecordCaller, bytes: Uint8Array, fileName: string, isPrivate: '0' | '1' = '0') => {
    const form = new FormData()
    form.append('is_private', isPrivate)
    form.append('file', new Blob([bytes as never]), fileName)
    return caller.send('POST', '/api/method/upload_file', form)
  }
  const loadIds = async ({ id }: TestTenant) => {
    const rows = await service.database.inspect<{ id: string }>(
      'select id from stored_files where tenant_id = $1 order by created_at, id',
      [id],
    )
    return rows.map((row) => row.id)
  }
  const isStored = async (tenant: TestTenant, id: string) => {
    const states = ['upload', 'frozen'] as const
    const found = await Promise.all(states.map((state) => service.files.store.stat(state, fileKey(tenant.id, id))))
    return found.some((file) => file !== null)
  }

  test('a file of 20 MB is downloaded as it was uploaded, by its address and by the method', async () => {
    const tenant = await service.tenant()
    const api = await aRecordCaller(service, tenant)
    const bytes = Buffer.concat([pdf, randomBytes(20 * 1024 * 1024 - pdf.length)])
    const { status, body } = await upload(api, bytes, 'large.pdf', '1')
    assert.deepEqual([status, body.message?.file_size], [200, bytes.length])
    for (const path of [body.message.file_url, `/api/method/download_file?file_url=${body.message.file_url}`]) {
      const got = await api.get(path)
      assert.deepEqual([got.status, got.headers.get('content-length')], [200, String(bytes.length)])
      assert.ok(got.bytes.equals(bytes))
    }
    const head = await api.send('HEAD', body.message.file_url)
    assert.deepEqual([head.status, head.headers.get('content-length'), head.text], [200, String(bytes.length), ''])
  })

  test('two files of one name are kept apart, and a deleted one is gone', async () => {
    const tenant = await service.tenant()
    const api = await aRecordCaller(service, tenant)
    const other = Buffer.from('other')
    const [one, two] = [await upload(api, pdf, 'a.pdf'), await upload(api, other, 'a.pdf')]
    assert.ok((await api.get(one.body.message.file_url)).bytes.equals(pdf))
    assert.ok((await api.get(two.body.message.file_url)).bytes.equals(other))
    const [first = '', second = ''] = await loadIds(tenant)
    assert.equal((await api.delete(`/api/resource/File/${one.body.message.name}`)).status, 202)
    assert.equal((await api.get(one.body.message.file_url)).status, 404)
    assert.deepEqual([await isStored(tenant, first), await isStored(tenant, second)], [false, true])
    await cleanUpStoredFilesJob(service.files).run(service.data, tenant)
    assert.ok((await api.get(two.body.message.file_url)).bytes.equals(other))
  })

  test('a file that is refused is not kept', async () => {
    const tenant = await service.tenant()
    const { email, password } = await aUser(service, tenant, { roles: ['Student'] })
    const guest = new RecordCaller(`${service.address}/t/${tenant.slug}`)
    const { cookies } = await guest.post('/api/method/login', { usr: email, pwd: password })
    const student = guest.with({ cookie: `sid=${cookies.get('sid')?.value}` })
    const rejected = await upload(student, Buffer.from('#!/bin/sh\nexit'), 'essay.txt')
    assert.deepEqual([rejected.status, rejected.body.exc_type], [417, 'ValidationError'])
    const [id = ''] = await loadIds(tenant)
    assert.ok(!(await isStored(tenant, id)))
    assert.deepEqual((await tenant.traces(id)).audit, ['file.refused'])
  })
}
