import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CalendarDate,
  CreatedAt,
  count,
  decimal,
  freeObject,
  label,
  nullable,
  record,
  type Static,
  UpdatedAt,
  Uuid,
} from '@matricula/contract'
import { identifier, sql } from '../database/index.ts'
import { type RecordRow, type StoredRow, storedFields, storedTable } from './stored-fields.ts'

const Room = record('Room', 'A room.', {
  id: Uuid,
  code: label('Code.'),
  floor: nullable(label('Floor.')),
  building: label('Name of the building.'),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
})
const columns = { floor: 'floor_name', code: 'code', building: 'building', searchText: 'search_text' } as const
const fields = storedFields(Room, 'r', columns)

interface RoomRow extends StoredRow<Static<typeof Room>, typeof columns> {
  readonly building_name: string | null
}

const stored: RecordRow = { id: 'a', total: 7, version: 3, created_at: 'then', updated_at: 'now' }
const row: RoomRow = { ...stored, code: 'A-1', floor_name: null, building: 'Main', building_name: null }

test('the fields of a row are selected under its alias, without columns that are no fields of the record', () => {
  assert.equal(fields.selected.text, 'r.id,r.code,r.floor_name,r.building,r.version,r.created_at')
})

test('a row reads as the record of the contract, in its order and with nothing else', () => {
  const read = fields.reader<RoomRow>({ building: (of) => of.building_name ?? of.building })
  const expected = { id: 'a', code: 'A-1', floor: null, building: 'Main', createdAt: 'then', updatedAt: 'now' }
  assert.equal(JSON.stringify(read(row)), JSON.stringify(expected))
  assert.equal(read({ ...row, building_name: 'Annex' }).building, 'Annex')
})

test('of nothing every field that may be null is null, and no other', () => {
  assert.deepEqual(fields.nothing, { floor: null })
})

test('what is no plain name reads no row', () => {
  const odd = { code: 'code', floor: 'floor', building: 'building || process.exit()' } as const
  assert.throws(() => storedFields(Room, 'r', odd), TypeError)
})

const Visit = record('Visit', 'A visit.', {
  id: Uuid,
  roomId: Uuid,
  visitors: count('How many came.'),
  price: nullable(decimal('Price.')),
  day: nullable(CalendarDate),
  beganAt: nullable(CreatedAt),
  facts: nullable(freeObject('Facts.')),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
})
const visits = storedTable(Visit, {
  table: 'visits',
  alias: 'v',
  stored: { roomId: 'room_id', visitors: 'visitors', price: 'price', day: 'day', beganAt: 'began_at', facts: 'facts' },
  further: { searchText: 'search_text' },
})

test('the column types of a table follow from the contract, and are text for what is no field of the record', () => {
  assert.equal(
    visits.recordset.text,
    '"roomId" uuid,"visitors" integer,"price" numeric,"day" date,"beganAt" timestamptz,"facts" jsonb,"searchText" text',
  )
})

test('an insert gives its values in the order of its columns, the computed ones in their places', () => {
  const values = visits.values((field, type) => sql`${field}::${identifier(type)}`, { day: sql`today` })
  assert.equal(visits.inserted.text, 'room_id,visitors,price,day,began_at,facts,search_text')
  assert.equal(values.text, '$1::uuid,$2::integer,$3::numeric,today,$4::timestamptz,$5::jsonb,$6::text')
})

test('an update of many rows writes the kept fields that change, with their types', () => {
  const before = { roomId: 'a', visitors: 1, price: null, day: null, beganAt: null, facts: null }
  const { text } = visits.updateMany('t', [{ id: 'b', before, after: { ...before, price: 2 }, stamp: 'now' }])
  assert.match(text, /set price = \$\d::numeric,version/)
  assert.doesNotMatch(text, /room_id|search_text/)
})
