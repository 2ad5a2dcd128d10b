import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anApplication, aQuestion, aTemplate } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

const keys = (count: number, of: unknown = 0) =>
  Object.fromEntries([...Array(count).keys()].map((key) => [`k${key}`, of]))

test('contact metadata: at most 200 keys and 64 KiB, also after merging; more is rejected with the limit', async () => {
  const { api, traces } = await service.tenant()
  const application = await anApplication(api)
  const path = `/admissions/applications/${application.id}/contacts`
  const linked = await api.post(path, { displayName: 'Carmen Dyer', email: 'carmen@example.org', metadata: keys(200) })
  assert.equal(linked.status, 201, JSON.stringify(linked.body))
  const { id } = linked.body.data.contacts[0]
  const before = await traces(id)
  for (const [metadata, bound] of [
    [{ another: 0 }, '200 keys'],
    [keys(70_000), '200 keys'],
    [{ k0: 'x'.repeat(65_536) }, '65536 bytes'],
  ] as const) {
    const { status, body } = await api.patch(`${path}/${id}`, { metadata })
    assert.deepEqual([status, body.code, body.errors.length], [400, 'validation_failed', 1])
    assert.deepEqual([body.errors[0].pointer, body.errors[0].code], ['#/metadata', 'too_long'])
    assert.ok(body.errors[0].detail.includes(bound), body.errors[0].detail)
  }
  assert.deepEqual(await traces(id), before)
  const replaced = await api.patch(`${path}/${id}`, { metadata: { k0: null, another: 0 } })
  assert.equal(replaced.status, 200, 'one goes as one comes')
})

test('unknown fields of a body: at most 50 errors are collected', async () => {
  const { api } = await service.tenant()
  for (const count of [49, 51, 900]) {
    const { status, body } = await api.post('/students', { fullName: 'Ada', ...keys(count) })
    assert.deepEqual([status, body.code, body.errors.length], [400, 'validation_failed', Math.min(count, 50)])
    assert.equal(body.errors[0].code, 'unknown_field')
  }
  const many = await api.post('/students', { fullName: 'Ada', ...keys(75_000) })
  assert.deepEqual([many.status, many.body.code, many.body.errors.length], [400, 'validation_failed', 1])
  assert.match(many.body.errors[0].detail, /at most 1000 keys/)
})

test('texts of a public form: at most 64 KiB each and 1 MiB in total, known fields or not; more is 413', async () => {
  const tenant = await service.tenant()
  const template = await aTemplate(service, tenant, {
    fields: [aQuestion('reason', { label: 'Why?', type: 'text' })],
    entityType: 'none',
  })
  const url = (template.publicUrl as string).replace('https://matricula.example', service.address)
  const send = async (parts: number, bytes: number) => {
    const form = new FormData()
    const text = 'x'.repeat(bytes)
    for (let part = 0; part < parts; part += 1) form.append(`part${part}`, text)
    const headers = { accept: 'application/json', origin: 'https://matricula.example' }
    return (await fetch(url, { method: 'POST', headers, body: form, redirect: 'manual' })).status
  }
  assert.equal(await send(40, 64 * 1024), 413)
  assert.equal(await send(1, 64 * 1024 + 1), 413)
  assert.notEqual(await send(10, 64 * 1024), 413)
  const { body } = await tenant.api.get(`/forms/submissions?templateId=${template.id}`)
  assert.ok(body.pagination.total <= 1)
})
