import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPayment } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { type Statement, sql } from '../index.ts'

const service = await startTestService()
const { data } = service

interface Found {
  readonly id: string
  readonly tenant: string
  /** How many were asked for by the statement. */
  readonly together: number
}

/** What reads what is there by any id but `nobody`, with a text of so many characters; of `broken` it fails. */
function getKeyed(characters: number) {
  const columns = (asked: ReturnType<typeof sql>) => sql`
    select id, ${asked} as together, current_tenant_id() as tenant, repeat('a', ${characters}::int) as text,
           case when id = 'broken' then 1 / length(replace(id, 'broken', '')) end as quotient`
  const ofMany = (_tenantId: string, ids: readonly string[]) =>
    sql`${columns(sql`cardinality(${ids}::text[])`)} from unnest(${ids}::text[]) as one (id) where id <> 'nobody'`
  return (id: string): Statement => {
    const { text, values } = sql`${columns(sql`1`)} from (values (${id}::text)) as one (id) where id <> 'nobody'`
    return { text, values, keyed: { id, ofMany } }
  }
}

const short = getKeyed(1)

const read = async (tenantId: string, id: string, keyed = short) => {
  const rows = await data.read<Found & { readonly text: string }>(tenantId, keyed(id))
  assert.ok(rows.length <= 1)
  return rows[0]
}

const readAll = (tenantId: string, ids: readonly string[], keyed = short) =>
  Promise.all(ids.map((id) => read(tenantId, id, keyed)))

test('records that are asked for by their ids at once are read by one statement, and each is told of its own', async () => {
  const [one, other] = [await service.tenant(), await service.tenant()]
  // Two connections are shared in turn; one that is not open yet makes the first wait for it alone.
  for (const tenant of [one, other, one, other]) {
    const alone = await read(tenant.id, 'a')
    assert.deepEqual([alone?.id, alone?.tenant, alone?.together], ['a', tenant.id, 1])
  }
  const [found, ofOther] = await Promise.all([
    readAll(one.id, ['a', 'b', 'nobody', 'a', 'c', 'b']),
    readAll(other.id, ['b', 'nobody', 'd']),
  ])
  const seen = (rows: readonly (Found | undefined)[]) => rows.map((row) => row && [row.id, row.tenant, row.together])
  assert.deepEqual(seen(found), [
    ['a', one.id, 4],
    ['b', one.id, 4],
    undefined,
    ['a', one.id, 4],
    ['c', one.id, 4],
    ['b', one.id, 4],
  ])
  assert.deepEqual(seen(ofOther), [['b', other.id, 3], undefined, ['d', other.id, 3]])
})

test('those that rest on something else do not go together, though their texts are the same', async () => {
  const { id } = await service.tenant()
  const [two, three] = [getKeyed(2), getKeyed(3)]
  assert.equal(two('a').text, three('a').text)
  const found = await Promise.all([read(id, 'a', two), read(id, 'a', three), read(id, 'b', two), read(id, 'b', three)])
  assert.deepEqual(
    found.map((row) => [row?.id, row?.text]),
    [
      ['a', 'aa'],
      ['a', 'aaa'],
      ['b', 'aa'],
      ['b', 'aaa'],
    ],
  )
})

test('what one of them fails of it alone is refused for', async () => {
  const { id } = await service.tenant()
  const reported = await Promise.allSettled(['a', 'broken', 'b', 'nobody'].map((each) => read(id, each)))
  assert.deepEqual(
    reported.map((each) => (each.status === 'fulfilled' ? each.value?.id : each.reason.code)),
    ['a', '22012', 'b', undefined],
  )
})

test('those that are together more than may be held in memory are read one by one', async () => {
  const { id } = await service.tenant()
  const found = await readAll(id, ['a', 'b', 'c', 'd', 'e'], getKeyed(7_000_000))
  assert.deepEqual(
    found.map((row) => [row?.id, row?.together]),
    ['a', 'b', 'c', 'd', 'e'].map((each) => [each, 1]),
  )
})

test('keyed reads: concurrent reads of the same records each return the requested one, never another tenant’s', async () => {
  const [one, other] = [await service.tenant(), await service.tenant()]
  const own = await Promise.all([aPayment(one.api), aPayment(one.api), aPayment(one.api)])
  const foreign = await aPayment(other.api)
  const unknown = '00000000-0000-4000-8000-000000000000'
  const asked = Array.from({ length: 40 }, (_, index) => {
    const payment = own[index % own.length] as (typeof own)[number]
    return [payment.id, payment.id.toUpperCase(), foreign.id, unknown][index % 4] as string
  })
  const answers = await Promise.all(asked.map((id) => one.api.get(`/payments/${id}`)))
  for (const [index, { status, body, headers }] of answers.entries()) {
    const payment = own.find(({ id }) => id === asked[index]?.toLowerCase())
    if (payment === undefined) {
      assert.deepEqual([status, body.code], [404, 'resource_not_found'])
      continue
    }
    assert.equal(status, 200)
    assert.deepEqual(body.data, payment)
    assert.ok(headers.get('etag'))
  }
  assert.deepEqual((await other.api.get(`/payments/${foreign.id}`)).body.data, foreign)
})
