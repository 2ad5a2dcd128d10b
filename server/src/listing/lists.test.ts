import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { lockRows } from '../concurrency/locks.ts'
import { clientOptions, loadServer, sql } from '../database/index.ts'
import type { Caller } from '../testing/fixtures/client.ts'
import { statementsLike } from '../testing/fixtures/database/count-statements.ts'
import { aPayment, aStudent } from '../testing/fixtures/factories.ts'
import { until } from '../testing/fixtures/service-process.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'

const service = await startTestService()

async function aListOf(api: Caller, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) ids.push((await aStudent(api, { fullName: `Student ${index}` })).id)
  return ids
}

const getIds = (response: { body: { data: { id: string }[] } }) => response.body.data.map((record) => record.id)

test('a list is ordered by creation and its pages follow each other, with links to its neighbours', async () => {
  const { api } = await service.tenant()
  const ids = await aListOf(api, 7)
  const pages = await Promise.all([1, 2, 3].map((page) => api.get(`/students?limit=3&page=${page}`)))
  assert.deepEqual(pages.flatMap(getIds), ids)
  assert.deepEqual(pages[1]?.body.pagination, { page: 2, limit: 3, total: 7, totalPages: 3 })
  const link = pages[1]?.headers.get('link') ?? ''
  const base = 'https://matricula.example/v1/students?limit=3'
  for (const [relation, page] of Object.entries({ first: 1, prev: 1, next: 3, last: 3 })) {
    assert.ok(link.includes(`<${base}&page=${page}>; rel="${relation}"`), link)
  }
  assert.ok(!pages[0]?.headers.get('link')?.includes('rel="prev"'))
  assert.ok(!pages[2]?.headers.get('link')?.includes('rel="next"'))
})

test('an empty list has no page, and a total of 0', async () => {
  const { api } = await service.tenant()
  const { body } = await api.get('/students')
  assert.deepEqual(body, { data: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } })
})

test('a page behind the last one is empty, and tells the total all the same', async () => {
  const { api } = await service.tenant()
  await aListOf(api, 7)
  for (const [page, query, total] of [
    [4, '', 7],
    [90, '', 7],
    [4, '&status=active', 7],
    [1, '&status=graduated', 0],
  ] as const) {
    const { status, body } = await api.get(`/students?limit=3&page=${page}${query}`)
    const pagination = { page, limit: 3, total, totalPages: Math.ceil(total / 3) }
    assert.deepEqual([status, body], [200, { data: [], pagination }])
  }
})

test('a cursor walks the whole list and ends without a next', async () => {
  const { api } = await service.tenant()
  const ids = await aListOf(api, 7)
  const walked: string[] = []
  let cursor: string | null = '*'
  let pages = 0
  while (cursor !== null) {
    const response = await api.get(`/students?limit=3&cursor=${encodeURIComponent(cursor)}`)
    pages += 1
    walked.push(...getIds(response))
    assert.deepEqual(response.body.pagination, { page: pages, limit: 3, total: 7, totalPages: 3 })
    cursor = response.headers.get('next-cursor')
    assert.equal(response.headers.get('link')?.includes('rel="next"') ?? false, cursor !== null)
  }
  assert.deepEqual([walked, pages], [ids, 3])
})

test('the total of a walk is counted on its first page, and stays until its end', async () => {
  const { api } = await service.tenant()
  const ids = await aListOf(api, 5)
  const since = (await api.get(`/students/${ids[0]}`)).body.data.updatedAt
  for (const [filter, first] of [
    ['', 5],
    [`&updatedSince=${since}`, 6],
    ['&search=student', 7],
  ] as const) {
    const begun = await api.get(`/students?limit=2&cursor=*${filter}`)
    assert.equal(begun.body.pagination.total, first, filter)
    await aStudent(api, { fullName: 'Student who came later' })
    const cursor = begun.headers.get('next-cursor') as string
    const [page, time, id] = Buffer.from(cursor, 'base64url').toString().split(' ')
    const next = await api.get(`/students?limit=2&cursor=${cursor}${filter}`)
    assert.deepEqual(getIds(next), ids.slice(2, 4))
    assert.equal(next.body.pagination.total, first, filter)
    const earlier = Buffer.from(`${page} ${time} ${id}`).toString('base64url')
    const counted = await api.get(`/students?limit=2&cursor=${earlier}${filter}`)
    assert.deepEqual(getIds(counted), ids.slice(2, 4), 'a cursor of an earlier version goes on')
  }
})

test('totals stay exact through creates, changes of status and filters', async () => {
  const { api } = await service.tenant()
  const { id: studentId } = await aStudent(api)
  const payments = await Promise.all(Array.from({ length: 10 }, () => aPayment(api, { studentId })))
  await Promise.all(payments.slice(0, 4).map(({ id }) => api.patch(`/payments/${id}`, { status: 'paid' })))
  await Promise.all(payments.slice(3, 5).map(({ id }) => api.patch(`/payments/${id}`, { status: 'refunded' })))
  const total = async (query: string) => (await api.get(`/payments?limit=1&${query}`)).body.pagination.total
  assert.deepEqual(
    await Promise.all(['', 'status=paid', 'status=refunded', 'status=pending', 'status=overdue'].map(total)),
    [10, 3, 2, 5, 0],
  )
  assert.equal(await total(`studentId=${studentId}&status=paid`), 3)
})

test('a total of very many is kept, and exact whatever others create, change or commit late, in the order of the list', async () => {
  const { api, id: tenantId } = await service.tenant()
  const { id: studentId } = await aStudent(api)
  const { inspect, load, connection } = service.database
  await load(
    tenantId,
    `insert into payments (tenant_id, id, student_id, amount, currency, status, description, due_date)
     select $1, gen_random_uuid(), $2, 1, 'EUR', 'pending', 'Many', timestamptz '2026-01-01' + n * interval '1 minute'
       from generate_series(1, 50100) n`,
    [tenantId, studentId],
  )
  await inspect(`insert into record_counts values ($1, 'payment', 'pending', 0, 50100)`, [tenantId])
  await inspect('analyze payments')
  const loaded = Date.now()
  const list = (query: string) => api.get(`/payments?currency=EUR&limit=20${query}`)
  // What a transaction may have been open beside counts as new, and of so much that is new nothing is kept.
  await until(
    async () => Date.parse((await list('')).headers.get('sync-watermark') ?? '') > loaded,
    'a watermark behind what was loaded',
  )
  const total = async (query = '') => (await list(query)).body.pagination.total
  const ofDays = '&dueFrom=2026-01-01T00:00:00Z&dueTo=2026-03-01T00:00:00Z'
  const loadTotal = async (currency: string) => (await api.get(`/payments?currency=${currency}`)).body.pagination.total
  assert.deepEqual([await total(), await loadTotal('GBP')], [50_100, 0])
  const counted = await statementsLike(/count\(\*\)::bigint as total/, async () => {
    const made = await Promise.all(
      ['EUR', 'EUR', 'USD', 'GBP'].map(async (currency) => {
        const payment = { studentId, currency, amount: 1, description: 'New', dueDate: '2026-09-01' }
        const { status, body, text } = await api.post('/payments', payment)
        assert.equal(status, 201, text)
        return body.data as { id: string }
      }),
    )
    assert.equal(await total(), 50_102)
    assert.equal((await api.patch(`/payments/${made[0]?.id}`, { description: 'Another' })).status, 200)
    assert.equal(await total(), 50_102)
    assert.equal((await api.patch(`/payments/${made[0]?.id}`, { dueDate: '2026-10-01' })).status, 200)
    assert.equal(await total(), 50_102)
    assert.equal(await total('&page=3'), 50_102)
    assert.deepEqual([await loadTotal('GBP'), await loadTotal('GBP')], [1, 1])
  })
  assert.deepEqual(counted, [])
  const [one] = (await list('')).body.data
  assert.equal((await api.patch(`/payments/${one.id}`, { currency: 'USD' })).status, 200)
  assert.equal(await total(), 50_101)

  const late = new pg.Client(clientOptions(await loadServer(connection, tenantId), 'owner'))
  await late.connect()
  await late.query('begin')
  await late.query(
    `insert into payments (tenant_id, id, student_id, amount, currency, status, description, due_date)
     values ($1, gen_random_uuid(), $2, 1, 'EUR', 'pending', 'Late', '2026-02-01')`,
    [tenantId, studentId],
  )
  await late.query(
    `with changed as (
       update payments set currency = 'USD', updated_at = greatest(current_stamp(), updated_at)
        where tenant_id = $1 and id in (select id from payments where tenant_id = $1 and description = 'Many' and currency = 'EUR' limit 3)
       returning id)
     insert into events (tenant_id, id, type, occurred_at, entity_type, entity_id, changed, actor_type, actor_name)
     select $1, gen_random_uuid(), 'payment.updated', current_stamp(), 'payment', id, '{currency}', 'system', 'test' from changed`,
    [tenantId],
  )
  assert.equal(await total(), 50_101)
  assert.equal(await total(ofDays), 50_099)
  await late.query('commit')
  await late.end()
  assert.equal(await total(), 50_099)
  assert.equal(await total(ofDays), 50_097)

  for (const query of ['', '&page=7', '&page=2505', ofDays, '&status=pending', '&cursor=*']) {
    await total(query)
    const keptOne = await list(query)
    const reference = await list(`${query}&updatedSince=2000-01-01T00:00:00Z`)
    assert.deepEqual(getIds(keptOne), getIds(reference), query)
    assert.equal(keptOne.body.pagination.total, reference.body.pagination.total, query)
  }

  // Behind so many others that are new, one that matches is not looked for: all are counted again.
  for (const [currency, count] of [
    ['USD', 20_000],
    ['EUR', 1],
  ] as const) {
    await load(
      tenantId,
      `insert into payments (tenant_id, id, student_id, amount, currency, status, description, due_date)
       select $1, gen_random_uuid(), $2, 1, $3, 'pending', 'Newest', '2026-05-01' from generate_series(1, $4::integer)`,
      [tenantId, studentId, currency, count],
    )
  }
  assert.equal(await total(), 50_100)
})

test('updatedSince is inclusive, and counts only what it returns', async () => {
  const { api } = await service.tenant()
  const ids = await aListOf(api, 3)
  const second = (await api.get(`/students/${ids[1]}`)).body.data
  const changed = (await api.patch(`/students/${ids[0]}`, { city: 'Lima' })).body.data
  const since = await api.get(`/students?updatedSince=${changed.updatedAt}`)
  assert.deepEqual([getIds(since), since.body.pagination.total], [[ids[0]], 1])
  const inclusive = getIds(await api.get(`/students?updatedSince=${second.updatedAt}`))
  assert.ok(inclusive.includes(ids[1] as string) && inclusive.includes(ids[0] as string))
  const offset = encodeURIComponent(second.updatedAt.replace('Z', '+00:00'))
  assert.deepEqual(getIds(await api.get(`/students?updatedSince=${offset}`)), inclusive)
})

test('a list that is not paged carries a pagination of one page and takes no page or limit', async () => {
  const { api } = await service.tenant()
  const { body } = await api.get('/admissions/pipeline/statuses')
  assert.deepEqual(body.pagination, { page: 1, limit: 8, total: 8, totalPages: 1 })
  assert.equal((await api.get('/admissions/pipeline/statuses?limit=5')).status, 400)
})

test('a sweep with updatedSince loses nothing while others write, also what commits late', async () => {
  const { api, id: tenantId } = await service.tenant()
  const ids = await aListOf(api, 40)
  const latest = new Map<string, string>()
  let isWriting = true
  let since = '2020-01-01'
  const seen = new Map<string, string>()

  const write = async (worker: number) => {
    for (let round = 0; isWriting; round += 1) {
      const path = `/students/external/w${worker}-${round % 15}`
      const { body } = await api.put(path, { fullName: `Writer ${worker}`, city: `Round ${round}` })
      latest.set(body.data.id, body.data.city)
    }
  }
  // A transaction that stamps its row at once and commits much later, as a slow writer does; each time another row.
  const writeSlowly = async () => {
    for (const [round, id] of ids.entries()) {
      if (!isWriting) return
      await service.data.transaction(tenantId, async (tx) => {
        await lockRows(tx, 'students', [id])
        await tx.query(sql`
          update students set city = ${`Slow ${round}`}, version = version + 1,
                 updated_at = greatest(current_stamp(), updated_at)
           where tenant_id = ${tenantId} and id = ${id}`)
        await tx.query(sql`select pg_sleep(0.2) is null as slept`)
      })
      latest.set(id, `Slow ${round}`)
    }
  }
  const sweep = async () => {
    let watermark: string | null = null
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const response = await api.get(`/students?limit=20&page=${page}&updatedSince=${since}`)
      watermark ??= response.headers.get('sync-watermark')
      pages = response.body.pagination.totalPages
      for (const { id, city } of response.body.data) seen.set(id, city)
    }
    since = watermark as string
  }

  const writers = [write(1), write(2), write(3), writeSlowly()]
  const until = Date.now() + 3000
  while (Date.now() < until) await sweep()
  isWriting = false
  await Promise.all(writers)
  await sweep()
  for (const [id, city] of latest) assert.equal(seen.get(id), city)
  const { body } = await api.get('/students?limit=1')
  assert.equal(seen.size, body.pagination.total)
})

test('updatedAt never goes back', async () => {
  const { api } = await service.tenant()
  const student = await aStudent(api)
  await service.database.inspect(`update students set updated_at = now() + interval '1 hour' where id = $1`, [
    student.id,
  ])
  const ahead = (await api.get(`/students/${student.id}`)).body.data.updatedAt
  const changed = await api.patch(`/students/${student.id}`, { city: 'Lima' })
  assert.equal(changed.body.data.updatedAt, ahead)
})
