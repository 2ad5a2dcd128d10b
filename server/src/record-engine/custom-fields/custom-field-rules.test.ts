import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aStudent } from '../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { clearRemoved, define, refused, untilKnown } from './custom-fields.fixture.ts'

const service = await startTestService()
const anInstitution = async () => {
  const tenant = await service.tenant()
  return { tenant, resourceClient: new ResourceClient(service, tenant) }
}

test('names that mean something else, SQL, prototypes and what no field can be are refused', async () => {
  const { resourceClient } = await anInstitution()
  const names = ['name', 'owner', 'docstatus', 'first_name', 'student_code', 'tenant_id', 'custom_fields', 'full_name']
  for (const fieldname of [...names, 'constructor', 'doctype', 'cmd', 'parent', 'idx', 'version', 'search_text']) {
    refused(
      await resourceClient.create('Custom Field', { dt: 'Student', fieldname, fieldtype: 'Data' }),
      'ValidationError',
      /already/,
    )
  }
  for (const fieldname of [
    '__proto__',
    'x; drop table students',
    "a'b",
    'Ä',
    'A',
    '1a',
    'a-b',
    'a'.repeat(65),
    'a"b',
    'x y',
  ]) {
    refused(
      await resourceClient.create('Custom Field', { dt: 'Student', fieldname, fieldtype: 'Data' }),
      'ValidationError',
      /cannot name a field/,
    )
  }
  for (const dt of [
    'None',
    'DocType',
    'Student Guardian',
    'GL Entry',
    'Custom Field',
    '',
    'constructor',
    '__proto__',
  ]) {
    refused(
      await resourceClient.create('Custom Field', { dt, fieldname: 'x', fieldtype: 'Data' }),
      'ValidationError',
      /takes no custom fields/,
    )
  }
  const faulty: [object, RegExp][] = [
    [{ fieldtype: 'Table', options: 'Student Guardian' }, /no type of custom fields/],
    [{ fieldtype: 'Password' }, /no type of custom fields/],
    [{ fieldtype: 'constructor' }, /no type of custom fields/],
    [{ fieldtype: 'Select' }, /needs its options/],
    [{ fieldtype: 'Select', options: 'A\nA' }, /twice/],
    [{ fieldtype: 'Select', options: 'x'.repeat(200) }, /at most 140/],
    [{ fieldtype: 'Link' }, /no type that can be linked/],
    [{ fieldtype: 'Link', options: 'Nothing' }, /no type that can be linked/],
    [{ fieldtype: 'Link', options: 'Education Settings' }, /no type that can be linked/],
    [{ fieldtype: 'Text', unique: 1 }, /can be unique/],
    [{ fieldtype: 'Int', default: 'many' }, /is not a number/],
    [{ fieldtype: 'Select', options: 'A\nB', default: 'C' }, /by default/],
    [{ fieldtype: 'Date', default: 'soon' }, /not a date/],
  ]
  for (const [field, text] of faulty) {
    refused(
      await resourceClient.create('Custom Field', { dt: 'Student', fieldname: 'x', ...field }),
      'ValidationError',
      text,
    )
  }
  assert.equal((await resourceClient.list('Custom Field', {})).data.length, 0)
})

test('a type has at most a hundred fields, of each institution its own', async () => {
  const { resourceClient } = await anInstitution()
  const other = await anInstitution()
  for (let index = 0; index < 100; index += 1) {
    await resourceClient.make('Custom Field', { dt: 'Room', fieldname: `f${index}`, fieldtype: 'Data' })
  }
  const more = { dt: 'Room', fieldname: 'more', fieldtype: 'Data' }
  refused(await resourceClient.create('Custom Field', more), 'ValidationError', /100 custom fields/)
  assert.equal((await resourceClient.create('Custom Field', { ...more, dt: 'Student' })).status, 200)
  await untilKnown(resourceClient, 'Room', { f99: { fieldtype: 'Data' } })
  const { name } = await resourceClient.make('Room', { room_name: 'A', f99: 'last' })
  assert.equal((await resourceClient.read('Room', name)).data.f99, 'last')
  const meta = (await other.resourceClient.read('DocType', 'Room')).data
  assert.ok(!meta.fields.some(({ fieldname }: { fieldname: string }) => fieldname === 'f1'))
  const filtered = await other.resourceClient.list('Room', { filters: '{"f1":"x"}' })
  assert.deepEqual([filtered.status, filtered.error], [417, 'DataError'])
})

test('only a System Manager defines fields, and a name is taken once', async () => {
  const { resourceClient } = await anInstitution()
  const field = { dt: 'Room', fieldname: 'floor', fieldtype: 'Int' }
  for (const role of ['Education Manager', 'Academics User', 'Student']) {
    assert.deepEqual([role, (await resourceClient.as(role).create('Custom Field', field)).status], [role, 403])
    assert.deepEqual([role, (await resourceClient.as(role).list('Custom Field', {})).status], [role, 403])
  }
  const both = await Promise.all([
    resourceClient.create('Custom Field', field),
    resourceClient.create('Custom Field', field),
  ])
  assert.deepEqual(both.map(({ status }) => status === 200).sort(), [false, true])
  assert.deepEqual(await resourceClient.traces('Custom Field', 'Room-floor'), ['custom_field.created'])
  const derived = await resourceClient.make('Custom Field', { dt: 'Room', label: 'Fire Exit?', fieldtype: 'Check' })
  assert.deepEqual([derived.name, derived.fieldname], ['Room-custom_fire_exit', 'custom_fire_exit'])
})

test('a field keeps its type while it has values, and its values go with it for good', async () => {
  const { tenant, resourceClient } = await anInstitution()
  await define(resourceClient, 'Room', {
    floor: { fieldtype: 'Int' },
    hue: { fieldtype: 'Select', options: 'Red\nBlue' },
  })
  const room = await resourceClient.make('Room', { room_name: 'A', floor: 3, hue: 'Red' })
  refused(
    await resourceClient.update('Custom Field', 'Room-floor', { fieldtype: 'Date' }),
    'ValidationError',
    /1 records have a value/,
  )
  refused(
    await resourceClient.update('Custom Field', 'Room-hue', { options: 'Green\nBlue' }),
    'ValidationError',
    /such as "Red"/,
  )
  refused(
    await resourceClient.update('Custom Field', 'Room-floor', { fieldname: 'storey' }),
    'CannotChangeConstantError',
    /changed/,
  )
  assert.equal((await resourceClient.update('Custom Field', 'Room-floor', { fieldtype: 'Float' })).status, 200)
  assert.equal((await resourceClient.update('Custom Field', 'Room-hue', { options: 'Red\nGreen' })).status, 200)
  const gone = await resourceClient.remove('Custom Field', 'Room-floor')
  assert.equal(gone.status, 202, gone.told)
  assert.match(gone.told, /1 records had a value/)
  assert.deepEqual(await resourceClient.traces('Custom Field', 'Room-floor'), [
    'custom_field.created',
    'custom_field.updated',
    'custom_field.deleted',
  ])
  await clearRemoved(service, tenant)
  await define(resourceClient, 'Room', { floor: { fieldtype: 'Date' } })
  const again = (await resourceClient.read('Room', room.name)).data
  assert.deepEqual([again.floor ?? null, again.hue], [null, 'Red'])
  assert.notEqual(again.modified, room.modified)
})

test('values that a student has already are taken up by a field of that name, or refuse it', async () => {
  const { tenant, resourceClient } = await anInstitution()
  const student = await aStudent(tenant.api, { customFields: { line: 7, house: 'Red', nested: { a: 1 } } })
  refused(
    await resourceClient.create('Custom Field', { dt: 'Student', fieldname: 'line', fieldtype: 'Data' }),
    'ValidationError',
    /such as 7/,
  )
  await define(resourceClient, 'Student', { line: { fieldtype: 'Int' }, house: { fieldtype: 'Data' } })
  const read = (await resourceClient.read('Student', student.studentCode)).data
  assert.deepEqual([read.line, read.house], [7, 'Red'])
  assert.equal((await resourceClient.list('Student', { filters: '{"line":7}' })).data.length, 1)
  await resourceClient.update('Student', student.studentCode, { house: 'Blue' })
  const { customFields } = (await tenant.api.get(`/students/${student.id}`)).body.data
  assert.deepEqual(customFields, { line: 7, house: 'Blue', nested: { a: 1 } })
})

test('a field that is deleted while others write into it leaves each write done or refused, and no value behind', async () => {
  const { tenant, resourceClient } = await anInstitution()
  await define(resourceClient, 'Room', { floor: { fieldtype: 'Int' } })
  const names = []
  for (let index = 0; index < 6; index += 1)
    names.push((await resourceClient.make('Room', { room_name: `R${index}` })).name)
  const writes = names.map((name, index) => resourceClient.update('Room', name, { floor: index + 1 }))
  const outcomes = await Promise.all([...writes, resourceClient.remove('Custom Field', 'Room-floor')])
  for (const { status } of outcomes) assert.ok([200, 202, 409, 417].includes(status), String(status))
  await clearRemoved(service, tenant)
  const query = 'select count(*) from custom_field_values where tenant_id = $1'
  assert.deepEqual(await service.database.inspect(query, [tenant.id]), [{ count: 0 }])
  assert.equal((await resourceClient.list('Room', { fields: '["*"]' })).status, 200)
})
