import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anApplication, aStudent } from '../testing/fixtures/factories.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'

const service = await startTestService()
const { api } = await service.tenant()

const count = 25
for (let number = 0; number < count; number += 1) {
  const { id } = await aStudent(api, { fullName: `Student ${number}` })
  await service.database.inspect(
    `update students set custom_fields = jsonb_build_object('essay', repeat($2, 200000)) where id = $1`,
    [id, String.fromCharCode(97 + number)],
  )
}

test('a page that is too large to be held is the same as its records one by one', async () => {
  const page = await api.get('/students?limit=20')
  assert.equal(page.headers.get('content-length'), null)
  assert.deepEqual(page.body.pagination, { page: 1, limit: 20, total: count, totalPages: 2 })
  const alone = []
  for (const { id } of page.body.data) alone.push((await api.get(`/students/${id}`)).body.data)
  assert.equal(page.text, JSON.stringify({ data: alone, pagination: page.body.pagination }))
  const second = await api.get('/students?limit=20&page=2&status=active')
  assert.deepEqual([second.body.data.length, second.body.pagination.total], [5, count])
  assert.match(second.headers.get('link') ?? '', /rel="prev"/)
  const searched = await api.get('/students?limit=100&search=student')
  assert.deepEqual([searched.body.data.length, searched.body.pagination.total], [count, count])
})

test('a walk by cursor passes every record once, over pages of any size', async () => {
  for (const limit of [12, 25, 100]) {
    const names: string[] = []
    const pages: number[] = []
    for (let cursor: string | null = '*'; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof api.get>> = await api.get(`/students?limit=${limit}&cursor=${cursor}`)
      names.push(...page.body.data.map(({ fullName }: { fullName: string }) => fullName))
      pages.push(page.body.data.length)
      cursor = page.headers.get('next-cursor')
    }
    assert.deepEqual(
      names,
      Array.from({ length: count }, (_, number) => `Student ${number}`),
    )
    assert.deepEqual(pages, { 12: [12, 12, 1], 25: [25], 100: [25] }[limit])
  }
})

test('a record that would outgrow what is read at once is refused, and nothing is written', async () => {
  const { id } = await anApplication(api)
  for (let number = 0; number < 19; number += 1) {
    const contact = { displayName: `Contact ${number}` }
    assert.equal((await api.post(`/admissions/applications/${id}/contacts`, contact)).status, 201)
  }
  // As it may have been stored before there was a bound for each of them.
  await service.database.inspect(
    `update application_contacts set metadata = jsonb_build_object('essay', repeat('x', 220000)) where application_id = $1`,
    [id],
  )
  const before = await api.get(`/admissions/applications/${id}`)
  const more = { displayName: 'One more', metadata: { essay: 'é'.repeat(30_000) } }
  const rejected = await api.post(`/admissions/applications/${id}/contacts`, more)
  assert.deepEqual([rejected.status, rejected.body.code, rejected.body.maxBytes], [422, 'record_too_large', 4_194_304])
  const grown = await api.patch(`/admissions/applications/${id}`, { customFields: { essay: 'x'.repeat(60_000) } })
  assert.deepEqual([grown.status, grown.body.code], [422, 'record_too_large'])
  const after = await api.get(`/admissions/applications/${id}`)
  assert.equal(after.text, before.text)
  assert.equal(after.headers.get('content-length'), String(Buffer.byteLength(after.text)))
})
