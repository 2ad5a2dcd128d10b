import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '../database/index.ts'
import { aRecordCaller } from '../testing/fixtures/factories.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'
import {
  describeZoneError,
  findZoneErrors,
  knownZone,
  setZoneDifferences,
  type ZoneDifference,
} from './zone-differences.ts'

const service = await startTestService()

/** Asks the database; zones that are written on the left it takes for those on the right. */
const readsAs = (others: Readonly<Record<string, string>> = {}) => ({
  readGlobal: async <Row extends object>({ text, values }: Sql): Promise<Row[]> => {
    const swap = (zone: string) => {
      const [as] = Object.entries(others).flatMap(([here, there]) => {
        if (zone === here) return [there]
        return zone === here.toLowerCase() ? [there.toLowerCase()] : []
      })
      return as ?? zone
    }
    const asked = values.map((value) => (Array.isArray(value) ? value.map((zone) => swap(zone as string)) : value))
    const rows = await service.database.inspect<Record<string, unknown>>(text, asked)
    const back = (value: unknown) => {
      const found = Object.entries(others).find(([, other]) => String(value).toLowerCase() === other.toLowerCase())
      return found?.[0] ?? value
    }
    return rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [
          key,
          key === 'name' ? String(back(value)).toLowerCase() : key === 'zone' ? back(value) : value,
        ]),
      ),
    ) as Row[]
  },
})

test('zones are compared for a year on both sides, to the quarter of an hour; those that agree are not told', async () => {
  const moment = new Date('2026-01-15T12:00:00Z')
  const agreeing = ['UTC', 'Europe/Madrid', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'america/bogota']
  assert.deepEqual([...(await findZoneErrors(readsAs(), agreeing, moment))], [])
  const validationErrors = await findZoneErrors(
    readsAs({ 'Europe/London': 'Africa/Abidjan' }),
    ['Europe/London'],
    moment,
  )
  const spans = (validationErrors.get('Europe/London') as ZoneDifference[]).map(
    ({ from, until, minutes, databaseMinutes }) => [
      from.toISOString().slice(0, 16),
      until.toISOString().slice(0, 16),
      minutes,
      databaseMinutes,
    ],
  )
  assert.deepEqual(spans, [
    ['2025-03-30T01:00', '2025-10-26T01:00', 60, 0],
    ['2026-03-29T01:00', '2026-10-25T01:00', 60, 0],
  ])
  assert.match(
    describeZoneError('Europe/London', validationErrors.get('Europe/London') ?? assert.fail(), moment),
    /UTC\+01:00/,
  )
})

test('a zone that only one of both knows by name is told, and which one', async () => {
  const validationErrors = await findZoneErrors(readsAs(), [
    '+03:00',
    'Mars/Phobos',
    'IST',
    'localtime',
    'Europe/Madrid',
  ])
  assert.deepEqual(
    [...validationErrors],
    [
      ['+03:00', 'runtime'],
      ['Mars/Phobos', 'runtime'],
      ['IST', 'database'],
      ['localtime', 'runtime'],
    ],
  )
})

test('a zone is kept by the name that both know', async () => {
  const of = (name: string) =>
    knownZone({ query: ({ text, values }) => service.database.inspect(text, [...values]) }, name)
  assert.equal(await of('america/mexico_city'), 'America/Mexico_City')
  assert.equal(await of('UTC'), 'UTC')
  for (const name of [
    '',
    '+03:00',
    '-5',
    '<+03>-03',
    'IST',
    'posix/Europe/Madrid',
    'localtime',
    "x' or 1=1",
    'Europe/Madrid ',
  ]) {
    assert.equal(await of(name), null, name)
  }
})

test('where clocks differ, stamps are shown, filtered and sorted by the clock of the runtime', async () => {
  const zone = 'Asia/Kabul'
  const resourceClient = await aRecordCaller(service, await service.tenant({ timeZone: zone }))
  const made = await resourceClient.post('/api/resource/Gender', { gender: 'Shown' })
  assert.equal(made.status, 200, made.text)
  const shown = async () => {
    const [whole, list] = [
      await resourceClient.get('/api/resource/Gender/Shown'),
      await resourceClient.get('/api/resource/Gender?fields=["creation"]&filters=[["name","=","Shown"]]'),
    ]
    assert.equal(whole.body.data.creation, list.body.data[0].creation)
    return whole.body.data.creation as string
  }
  const before = await shown()
  const now = Date.now()
  const difference = { minutes: 300, databaseMinutes: 270 }
  try {
    setZoneDifferences(
      new Map([[zone, [{ from: new Date(now - 3_600_000), until: new Date(now + 3_600_000), ...difference }]]]),
    )
    const after = await shown()
    const at = (text: string) => Date.parse(`${text.replace(' ', 'T').slice(0, 23)}Z`)
    assert.equal(at(after) - at(before), 30 * 60_000)
    const found = async (filter: unknown[]) =>
      (await resourceClient.get(`/api/resource/Gender?filters=${JSON.stringify([filter, ['name', '=', 'Shown']])}`))
        .body.data.length
    assert.equal(await found(['creation', '=', after]), 1)
    assert.equal(await found(['creation', 'in', [after]]), 1)
    assert.equal(await found(['creation', '=', before]), 0)
    assert.equal(await found(['creation', 'like', `${after.slice(0, 19)}%`]), 1)
    // Outside of the span the database goes on as it did.
    setZoneDifferences(
      new Map([[zone, [{ from: new Date(now - 7_200_000), until: new Date(now - 3_600_000), ...difference }]]]),
    )
    assert.equal(await shown(), before)
  } finally {
    setZoneDifferences(new Map())
  }
})

test('the time zone of a user is one that both know, and is kept as the database writes it', async () => {
  const resourceClient = await aRecordCaller(service, await service.tenant())
  const user = (email: string, time_zone: string) =>
    resourceClient.post('/api/resource/User', { email, first_name: 'U', time_zone })
  const taken = await user('a@example.org', 'america/bogota')
  assert.deepEqual([taken.status, taken.body.data.time_zone], [200, 'America/Bogota'])
  assert.equal((await user('b@example.org', '+03:00')).status, 417)
})
