import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CreatedAt, label, nullable, record, type Static, UpdatedAt, Uuid } from '@matricula/contract'
import { type RecordRow, type StoredRow, storedFields } from './stored-fields.ts'

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
