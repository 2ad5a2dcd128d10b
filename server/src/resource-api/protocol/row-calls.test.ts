import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const api = await aRecordCaller(service, tenant)
const resourceClient = new ResourceClient(service, tenant)
const client = (method: string, body: object) => api.post(`/api/method/frappe.client.${method}`, body)
for (const name of ['Art', 'Maths', 'Music']) await resourceClient.make('Course', { course_name: name })

const courses = [
  { course: 'Art', required: 1 },
  { course: 'Maths', required: 1 },
]
const aProgram = (name: string) => resourceClient.make('Program', { program_name: name, courses })
// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
const getRows = (program: Record<string, unknown>) => program.courses as any[]

test('rows that a write made are marked in its answer, and in no other', async () => {
  const made = await aProgram('Marked')
  assert.deepEqual(
    getRows(made).map(({ __unsaved }) => __unsaved),
    [1, 1],
  )
  assert.equal(Object.keys(getRows(made)[0]).at(-1), '__unsaved')
  const rows = [...getRows(made), { course: 'Music' }]
  const changed = await resourceClient.update('Program', 'Marked', { courses: rows })
  assert.deepEqual(
    getRows(changed.data).map(({ course, __unsaved }) => [course, __unsaved ?? 0]),
    [
      ['Art', 0],
      ['Maths', 0],
      ['Music', 1],
    ],
  )
  const read = await resourceClient.read('Program', 'Marked')
  assert.ok(getRows(read.data).every((row) => !Object.hasOwn(row, '__unsaved')))
})

test('a row is read by its name, and by frappe.client.get with the type that it belongs to', async () => {
  const [row] = getRows(await aProgram('Read'))
  const read = await api.get(`/api/resource/Program Course/${row.name}`)
  const { course, parent, parenttype, doctype } = read.body.data
  assert.deepEqual([course, parent, parenttype, doctype], ['Art', 'Read', 'Program', 'Program Course'])
  const asked = { doctype: 'Program Course', filters: { parent: 'Read', course: 'Maths' } }
  const got = await client('get', { ...asked, parent: 'Program' })
  assert.deepEqual([got.body.message.course, got.body.message.idx], ['Maths', 2])
  const unnamed = await client('get', asked)
  assert.deepEqual([unnamed.status, unnamed.body.exc_type], [403, 'PermissionError'])
  const none = await client('get', { ...asked, parent: 'Program', filters: { course: 'None' } })
  assert.deepEqual([none.status, none.body.exc_type], [404, 'DoesNotExistError'])
  assert.equal((await api.get('/api/resource/Program Course/none')).status, 404)
  const otherTenant = await aRecordCaller(service, tenant, ['Blogger'])
  const ann = await resourceClient.make('Student', { first_name: 'Ann', siblings: [{ full_name: 'Ben' }] })
  const [sibling] = ann.siblings as { name: string }[]
  assert.equal((await api.get(`/api/resource/Student Sibling/${sibling?.name}`)).body.data.full_name, 'Ben')
  assert.equal((await otherTenant.get(`/api/resource/Student Sibling/${sibling?.name}`)).status, 403)
})

test('a change of a row saves its record, with its audit row and event; PUT gives the row, set_value the record', async () => {
  const made = await aProgram('Changed')
  const [first, second] = getRows(made)
  const put = await api.put(`/api/resource/Program Course/${first.name}`, { required: 0 })
  assert.deepEqual([put.body.data.name, put.body.data.required, put.body.data.course], [first.name, 0, 'Art'])
  const asked = { doctype: 'Program Course', name: second.name, fieldname: 'required', value: 0 }
  const set = (await client('set_value', asked)).body.message
  assert.deepEqual(
    [set.doctype, set.name, set.courses.map(({ required }: { required: number }) => required)],
    ['Program', 'Changed', [0, 0]],
  )
  assert.ok(set.modified > (made.modified as string))
  assert.deepEqual(await resourceClient.traces('Program', 'Changed'), [
    'program.created',
    'program.updated',
    'program.updated',
  ])
  const stale = await api.put(`/api/resource/Program Course/${first.name}`, { required: 1, modified: first.modified })
  assert.deepEqual([stale.status, stale.body.exc_type], [417, 'TimestampMismatchError'])
  const standard = await client('set_value', { ...asked, fieldname: 'parent', value: 'Read' })
  assert.deepEqual([standard.status, standard.body.exc_type], [417, 'ValidationError'])
})

test('a row that is deleted is taken out of its record, by who may delete that', async () => {
  const [row] = getRows(await aProgram('Deleted'))
  const otherTenant = await aRecordCaller(service, tenant, ['Student'])
  assert.equal((await otherTenant.delete(`/api/resource/Program Course/${row.name}`)).status, 403)
  const removed = await api.delete(`/api/resource/Program Course/${row.name}`)
  assert.deepEqual([removed.status, removed.body], [202, { data: 'ok' }])
  const left = getRows((await resourceClient.read('Program', 'Deleted')).data)
  assert.deepEqual(
    left.map(({ course, idx }) => [course, idx]),
    [['Maths', 1]],
  )
})

test('a row that is inserted alone becomes the last one of its record', async () => {
  const made = await aProgram('Longer')
  const row = { doctype: 'Program Course', parent: 'Longer', parenttype: 'Program', parentfield: 'courses' }
  const inserted = await client('insert', { doc: { ...row, course: 'Music', name: getRows(made)[0].name, idx: 1 } })
  assert.deepEqual(
    inserted.body.message.courses.map(({ course, idx }: { course: string; idx: number }) => [course, idx]),
    [
      ['Art', 1],
      ['Maths', 2],
      ['Music', 3],
    ],
  )
})

test('rows that several make, change and take away at once are all made, changed and taken away', async () => {
  const { name } = await resourceClient.make('Student', { first_name: 'Ann', siblings: [] })
  const context = { doctype: 'Student Sibling', parent: name, parenttype: 'Student', parentfield: 'siblings' }
  const names = ['Ben', 'Cleo', 'Dan', 'Eve', 'Fay', 'Gus']
  const add = (full_name: string) => client('insert', { doc: { ...context, full_name } })
  for (const { status, text } of await Promise.all(names.map(add))) assert.equal(status, 200, text)
  const siblings = async () => {
    const { data } = await resourceClient.read('Student', name)
    return data.siblings as { name: string; full_name: string; gender: string | null }[]
  }
  const made = await siblings()
  assert.deepEqual(made.map(({ full_name }) => full_name).sort(), names)
  const answers = await Promise.all(
    made.map((row, index) => {
      const named = { doctype: 'Student Sibling', name: row.name }
      if (index % 3 === 0) return client('delete', named)
      if (index % 3 === 1) return client('set_value', { ...named, fieldname: 'full_name', value: `${row.full_name}!` })
      return client('bulk_update', { docs: [{ ...named, docname: row.name, full_name: `${row.full_name}?` }] })
    }),
  )
  for (const { status, text } of answers) assert.ok(status < 300 && !/exc"/.test(text), text)
  const expected = made.flatMap(({ full_name }, index) => (index % 3 === 0 ? [] : [`${full_name}${' !?'[index % 3]}`]))
  assert.deepEqual((await siblings()).map(({ full_name }) => full_name).sort(), expected.sort())
})

test('of rows that are sent with the name of one stored row the first is that row, and the others are new', async () => {
  const [row] = getRows(await aProgram('Doubled'))
  const rows = ['Music', 'Maths', 'Art'].map((course) => ({ name: row.name, course }))
  const { data, told: reported } = await resourceClient.update('Program', 'Doubled', { courses: rows })
  const stored = getRows(data)
  assert.deepEqual(
    stored.map(({ name, course, __unsaved }) => [name === row.name, course, __unsaved ?? 0]),
    [
      [true, 'Music', 0],
      [false, 'Maths', 1],
      [false, 'Art', 1],
    ],
    reported,
  )
  assert.equal(new Set(stored.map(({ name }) => name)).size, 3)
})
