import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller, aStudent } from '../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { withinASecond } from '../../testing/fixtures/waiting.ts'
import { define, definitionsReadWhile, refused, untilKnown } from './custom-fields.fixture.ts'

const service = await startTestService()
const anInstitution = async () => {
  const tenant = await service.tenant()
  return { tenant, resourceClient: new ResourceClient(service, tenant) }
}

const kinds = {
  motto: { fieldtype: 'Data' },
  notes_on_diet: { fieldtype: 'Small Text' },
  story: { fieldtype: 'Text' },
  bus: { fieldtype: 'Select', options: '\nNorth\nSouth' },
  tutor_program: { fieldtype: 'Link', options: 'Program' },
  vaccinated_on: { fieldtype: 'Date' },
  seen_at: { fieldtype: 'Datetime' },
  wakes_at: { fieldtype: 'Time' },
  boarder: { fieldtype: 'Check' },
  siblings_here: { fieldtype: 'Int' },
  height: { fieldtype: 'Float' },
  deposit: { fieldtype: 'Currency', precision: '2' },
  scholarship: { fieldtype: 'Percent' },
  way_to_school: { fieldtype: 'Duration' },
}
const values = {
  motto: 'per aspera',
  notes_on_diet: 'no nuts',
  story: 'long',
  bus: 'North',
  tutor_program: 'Nursing',
  vaccinated_on: '2025-03-04',
  seen_at: '2025-03-04 08:15:00',
  wakes_at: '7:05:00',
  boarder: 1,
  siblings_here: 2,
  height: 1.62,
  deposit: 120.5,
  scholarship: 12.5,
  way_to_school: 900,
}

for (const [dt, first] of [
  ['Student', { first_name: 'Ada' }],
  ['Room', { room_name: 'R1' }],
  ['Program', { program_name: 'Arts' }],
  ['Student Applicant', { first_name: 'Ada', program: 'Nursing', academic_year: '2026-2027' }],
] as const) {
  test(`a ${dt} has the fields of the institution as its own, of every type, in records, lists, meta and traces`, async () => {
    const { resourceClient } = await anInstitution()
    await resourceClient.make('Program', { program_name: 'Nursing' })
    const days = { year_start_date: '2026-09-01', year_end_date: '2027-06-30' }
    await resourceClient.make('Academic Year', { academic_year_name: '2026-2027', ...days })
    await define(resourceClient, dt, kinds)
    const { name } = await resourceClient.make(dt, { ...first, ...values })
    const { data } = await resourceClient.read(dt, name)
    for (const [field, value] of Object.entries(values)) assert.deepEqual([field, data[field]], [field, value])
    const listed = await resourceClient.list(dt, { fields: '["*"]', filters: JSON.stringify({ name }) })
    for (const [field, value] of Object.entries(values))
      assert.deepEqual([field, listed.data[0][field]], [field, value])
    const empty = await resourceClient.make(dt, {
      ...first,
      ...('room_name' in first ? { room_name: 'R2' } : {}),
      ...('program_name' in first ? { program_name: 'Law' } : {}),
    })
    const unset = await resourceClient.list(dt, {
      fields: '["motto","boarder","height","seen_at"]',
      filters: JSON.stringify({ name: empty.name }),
    })
    assert.deepEqual(unset.data, [{ motto: null, boarder: 0, height: 0, seen_at: null }])
    const changed = await resourceClient.update(dt, name, { motto: null, height: '1.7', bus: 'South' })
    assert.deepEqual([changed.data.motto ?? null, changed.data.height, changed.data.bus], [null, 1.7, 'South'])
    const same = await resourceClient.update(dt, name, { bus: 'South', motto: '' })
    assert.equal(same.data.modified, changed.data.modified)
    const meta = (await resourceClient.read('DocType', dt)).data
    const bus = meta.fields.find(({ fieldname }: { fieldname: string }) => fieldname === 'bus')
    assert.deepEqual([bus.fieldtype, bus.options, bus.is_custom_field], ['Select', '\nNorth\nSouth', 1])
  })
}

test('filters, orders, groups and aggregates take custom fields of every type, and what is not set as upstream counts it', async () => {
  const { resourceClient } = await anInstitution()
  await resourceClient.make('Program', { program_name: 'Nursing' })
  await define(resourceClient, 'Room', kinds)
  await resourceClient.make('Room', { room_name: 'A', ...values })
  await resourceClient.make('Room', {
    room_name: 'B',
    bus: 'South',
    height: -2,
    vaccinated_on: '2024-01-01',
    seen_at: '2024-01-01 00:00:00.5',
    wakes_at: '12:00',
    way_to_school: 5,
    motto: 'Zeal',
  })
  await resourceClient.make('Room', { room_name: 'C', wakes_at: '' })
  const cases: [string, unknown][] = [
    ['A', ['bus', '=', 'North']],
    ['AB', ['bus', 'in', 'North,South']],
    ['C', ['bus', '=', '']],
    ['BC', ['bus', '!=', 'North']],
    ['BC', ['bus', 'in', ',South']],
    ['C', ['bus', 'not in', 'North,South']],
    ['AB', ['bus', 'is', 'set']],
    ['C', ['bus', 'is', 'not set']],
    ['A', ['motto', 'like', 'PER%']],
    ['BC', ['motto', 'not like', 'per%']],
    ['A', ['story', '=', 'long']],
    ['A', ['notes_on_diet', 'like', '%nuts']],
    ['A', ['tutor_program', '=', 'Nursing']],
    ['AB', ['vaccinated_on', '>', '2023-12-31']],
    ['BC', ['vaccinated_on', '<', '2025-01-01']],
    ['B', ['vaccinated_on', 'between', ['2024-01-01', '2024-12-31']]],
    ['A', ['seen_at', 'between', ['2025-03-04', '2025-03-04']]],
    ['B', ['seen_at', '=', '2024-01-01 00:00:00.500000']],
    ['A', ['seen_at', 'like', '2025-03%']],
    ['B', ['wakes_at', '>=', '8:00:00']],
    ['A', ['boarder', '=', 1]],
    ['BC', ['boarder', '=', 0]],
    ['AC', ['height', '>=', 0]],
    ['AC', ['height', 'between', [-1, 5]]],
    ['B', ['height', 'between', [-5, -1]]],
    ['C', ['height', 'in', '0,7']],
    ['ABC', ['height', 'not in', '9']],
    ['AB', ['height', 'is', 'set']],
    ['C', ['height', 'is', 'not set']],
    ['C', ['height', 'like', '0']],
    ['A', ['deposit', '=', '120.50']],
    ['A', ['siblings_here', '>', 1]],
    ['A', ['way_to_school', '>', 60]],
    ['BC', ['way_to_school', '<', 60]],
  ]
  for (const [wanted, filter] of cases) {
    const { data, told: reported } = await resourceClient.list('Room', {
      filters: JSON.stringify([filter]),
      order_by: 'name asc',
    })
    const names = (data as { name: string }[]).map(({ name }) => name)
    const rooms = await resourceClient.list('Room', {
      fields: '["room_name"]',
      filters: JSON.stringify([['name', 'in', names]]),
      order_by: 'room_name asc',
    })
    assert.deepEqual(
      [filter, (rooms.data as { room_name: string }[]).map(({ room_name }) => room_name).join('')],
      [filter, wanted],
      reported,
    )
  }
  const ordered = async (order_by: string) =>
    ((await resourceClient.list('Room', { fields: '["room_name"]', order_by })).data as { room_name: string }[])
      .map(({ room_name }) => room_name)
      .join('')
  assert.equal(await ordered('height asc'), 'BCA')
  assert.equal(await ordered('vaccinated_on desc'), 'ABC')
  assert.equal(await ordered('seen_at asc'), 'CBA')
  assert.equal(await ordered('way_to_school desc'), 'ABC')
  const grouped = await resourceClient.list('Room', {
    fields: '["bus","count(name) as n","sum(height) as total","max(seen_at) as last"]',
    group_by: 'bus',
    order_by: 'bus asc',
  })
  assert.deepEqual(grouped.data, [
    { bus: null, n: 1, total: 0, last: null },
    { bus: 'North', n: 1, total: 1.62, last: '2025-03-04 08:15:00' },
    { bus: 'South', n: 1, total: -2, last: '2024-01-01 00:00:00.500000' },
  ])
})

test('a student that both surfaces show keeps one value, and its traces say what changed', async () => {
  const { tenant, resourceClient } = await anInstitution()
  const student = await aStudent(tenant.api, {})
  await define(resourceClient, 'Student', { house: { fieldtype: 'Data' } })
  const changed = await resourceClient.update('Student', student.studentCode, { house: 'Red' })
  assert.equal(changed.data.house, 'Red', changed.told)
  const { events, audit } = await tenant.traces(student.id)
  assert.deepEqual([events.at(-1), audit.at(-1)], ['student.updated', 'student.updated'])
  assert.deepEqual((await tenant.traces(student.id)).changed.at(-1), ['customFields'])
  const read = (await tenant.api.get(`/students/${student.id}`)).body.data
  assert.deepEqual(read.customFields, { house: 'Red' })
  assert.ok(read.updatedAt > student.updatedAt)
})

test('what is required, one of some options, unique, or a link is looked after as in fields that are declared', async () => {
  const { resourceClient } = await anInstitution()
  await resourceClient.make('Program', { program_name: 'Nursing' })
  await define(resourceClient, 'Room', {
    wing: { fieldtype: 'Select', options: 'East\nWest', reqd: 1, default: 'West' },
    key_number: { fieldtype: 'Data', unique: 1 },
    used_by: { fieldtype: 'Link', options: 'Program' },
  })
  const made = await resourceClient.make('Room', { room_name: 'A', key_number: 'K1', used_by: 'nursing' })
  assert.deepEqual([made.wing, made.used_by], ['West', 'Nursing'])
  const cases: [object, string, RegExp][] = [
    [{ wing: 'North' }, 'ValidationError', /should be one of "East", "West"/],
    [{ wing: null }, 'MandatoryError', /wing/],
    [{ used_by: 'Law' }, 'LinkValidationError', /Could not find/],
    [{ key_number: 'x'.repeat(141) }, 'CharacterLengthExceededError', /too long/],
    [{ key_number: ['x'] }, 'ValidationError', /list or an object/],
  ]
  for (const [fields, error, text] of cases)
    refused(await resourceClient.update('Room', made.name, fields), error, text)
  const twice = await resourceClient.create('Room', { room_name: 'B', key_number: 'K1' })
  refused(twice, 'UniqueValidationError', /must be unique/)
  const many = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      resourceClient.create('Room', { room_name: `C${index}`, key_number: 'K2' }),
    ),
  )
  assert.equal(many.filter(({ status }) => status === 200).length, 1)
})

test('a custom link follows the record that it names when that is renamed, and keeps it from being deleted', async () => {
  const { resourceClient } = await anInstitution()
  await resourceClient.make('Program', { program_name: 'Nursing' })
  await define(resourceClient, 'Room', { used_by: { fieldtype: 'Link', options: 'Program' } })
  await define(resourceClient, 'Student', { wish: { fieldtype: 'Link', options: 'Program' } })
  const room = await resourceClient.make('Room', { room_name: 'A', used_by: 'Nursing' })
  const student = await resourceClient.make('Student', { first_name: 'Ada', wish: 'Nursing' })
  refused(await resourceClient.remove('Program', 'Nursing'), 'LinkExistsError', /linked with (Room|Student)/)
  assert.equal((await resourceClient.rename('Program', 'Nursing', 'Care')).status, 200)
  assert.equal((await resourceClient.read('Room', room.name)).data.used_by, 'Care')
  const read = (await resourceClient.read('Student', student.name)).data
  assert.equal(read.wish, 'Care')
  assert.notEqual(read.modified, student.modified)
  assert.equal((await resourceClient.list('Student', { filters: '{"wish":"Care"}' })).data.length, 1)
  await resourceClient.update('Room', room.name, { used_by: '' })
  await resourceClient.update('Student', student.name, { wish: null })
  assert.equal((await resourceClient.remove('Program', 'Care')).status, 202)
})

test('single fields are read and set by frappe.client, a copy has them, and lists read them over links', async () => {
  const { tenant, resourceClient } = await anInstitution()
  const api = await aRecordCaller(service, tenant)
  await define(resourceClient, 'Student', { house: { fieldtype: 'Data' } })
  const { name } = await resourceClient.make('Student', { first_name: 'Ada', house: 'Red' })
  const asked = { doctype: 'Student', name, fieldname: 'house', value: 'Blue' }
  assert.equal((await api.post('/api/method/frappe.client.set_value', asked)).body.message.house, 'Blue')
  const value = { doctype: 'Student', filters: { house: 'Blue' }, fieldname: '["name","house"]' }
  assert.deepEqual((await api.post('/api/method/frappe.client.get_value', value)).body.message, { name, house: 'Blue' })
  const counted = { doctype: 'Student', filters: { house: 'Blue' } }
  assert.equal((await api.post('/api/method/frappe.client.get_count', counted)).body.message, 1)
  assert.equal((await api.get(`/api/v2/document/Student/${name}/copy`)).body.data.house, 'Blue')
  await resourceClient.make('Student Log', { student: name, log: 'late' })
  await resourceClient.make('Student Log', {
    student: (await resourceClient.make('Student', { first_name: 'Bea' })).name,
    log: 'early',
  })
  const listed = await resourceClient.list('Student Log', {
    fields: '["log","student.house"]',
    filters: '[["student.house","=","Blue"]]',
    order_by: 'student.house asc',
  })
  assert.deepEqual(listed.data, [{ log: 'late', house: 'Blue' }], listed.told)
  const meta = await api.post('/api/method/frappe.desk.form.load.getdoctype', { doctype: 'Student' })
  const [type, ...rows] = meta.body.docs
  assert.ok(type.fields.some(({ fieldname }: { fieldname: string }) => fieldname === 'house'))
  assert.deepEqual(
    rows.map((row: { name: string }) => row.name),
    ['Student Guardian', 'Student Sibling'],
  )
})

test('a list reads all fields of records with many long texts, each once, and none of them many times', async () => {
  const { resourceClient } = await anInstitution()
  const fields = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`story_${index}`, { fieldtype: 'Text' }]))
  await define(resourceClient, 'Room', fields)
  await resourceClient.make('Room', { room_name: 'A', story_20: 'long' })
  const all = await resourceClient.list('Room', { fields: '["*"]' })
  assert.deepEqual([all.status, all.data[0]?.story_20], [200, 'long'], all.told)
  const twice = Object.keys(fields).map((name) => `${name} as ${name}_again`)
  assert.equal((await resourceClient.list('Room', { fields: JSON.stringify(['*', ...twice.slice(1)]) })).status, 200)
  refused(
    await resourceClient.list('Room', { fields: JSON.stringify(['*', ...twice]) }),
    'DataError',
    /more than 20 long texts/,
  )
})

test('a submitted record keeps its custom fields but those that may change, and an applicant hands on what a student has too', async () => {
  const { resourceClient } = await anInstitution()
  const year = { academic_year_name: '2026-2027', year_start_date: '2026-09-01', year_end_date: '2027-06-30' }
  await resourceClient.make('Academic Year', year)
  await resourceClient.make('Program', { program_name: 'Nursing' })
  await define(resourceClient, 'Program Enrollment', {
    note: { fieldtype: 'Data' },
    mark: { fieldtype: 'Data', allow_on_submit: 1 },
  })
  for (const dt of ['Student', 'Student Applicant']) await define(resourceClient, dt, { house: { fieldtype: 'Data' } })
  const applied = { first_name: 'Ada', program: 'Nursing', academic_year: '2026-2027', house: 'Red' }
  const { name: applicant } = await resourceClient.make('Student Applicant', {
    ...applied,
    application_status: 'Approved',
  })
  const enrolled = await resourceClient.call('api.enroll_student', { source_name: applicant })
  assert.equal(enrolled.error, null, enrolled.told)
  assert.equal((await resourceClient.read('Student', enrolled.data.student)).data.house, 'Red')
  const { name } = enrolled.data
  await resourceClient.update('Program Enrollment', name, { note: 'a', mark: 'a' })
  assert.equal((await resourceClient.submit('Program Enrollment', name)).error, null)
  const final = await resourceClient.update('Program Enrollment', name, { note: 'b' })
  assert.deepEqual([final.status, final.error], [417, 'UpdateAfterSubmitError'])
  assert.equal((await resourceClient.update('Program Enrollment', name, { mark: 'b' })).data.mark, 'b')
})

test('fields cost no further statement where an institution has none, and one for each process after a change', async () => {
  const none = await anInstitution()
  const { tenant, resourceClient } = await anInstitution()
  await define(resourceClient, 'Room', { floor: { fieldtype: 'Int' } })
  const work = async (each: ResourceClient) => {
    const { name } = await each.make('Room', { room_name: 'A' })
    await each.list('Room', { fields: '["*"]' })
    await each.read('Room', name)
  }
  assert.deepEqual(await definitionsReadWhile(() => work(none.resourceClient)), [])
  assert.deepEqual(await definitionsReadWhile(() => work(resourceClient)), [])
  const beside = new ResourceClient({ ...service, address: await service.beside() }, tenant)
  assert.equal((await definitionsReadWhile(() => work(beside))).length, 1)
  await resourceClient.make('Custom Field', { dt: 'Room', fieldname: 'wing', fieldtype: 'Data' })
  const read = await definitionsReadWhile(() => untilKnown(beside, 'Room', { wing: { fieldtype: 'Data' } }))
  assert.equal(read.length, 1)
})

test('a change of fields is known to every process within a second', async () => {
  const { tenant, resourceClient } = await anInstitution()
  const beside = await aRecordCaller({ ...service, address: await service.beside() }, tenant)
  const known = async () => {
    const { body } = await beside.get('/api/resource/DocType/Room')
    return body.data.fields.some(({ fieldname }: { fieldname: string }) => fieldname === 'floor')
  }
  assert.equal(await known(), false)
  await resourceClient.make('Custom Field', { dt: 'Room', fieldname: 'floor', fieldtype: 'Int' })
  await withinASecond(known)
  const { name } = await resourceClient.make('Room', { room_name: 'A' })
  assert.equal((await beside.put(`/api/resource/Room/${name}`, { floor: 2 })).body.data.floor, 2)
})
