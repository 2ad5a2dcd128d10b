import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementsLike } from '../../testing/fixtures/database/count-statements.ts'
import { aRecordCaller, aStudent } from '../../testing/fixtures/factories.ts'
import { seedTenant } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { ask, refusal, someone, told } from './notes.fixture.ts'

const service = await startTestService()
const { tenant, resourceClient, students, courses } = await seedTenant(service)
const [ada, alan] = students
const manager = await aRecordCaller(service, tenant)
const clerk = await someone(service, tenant, 'clerk@school.example', 'Academics User')
const teacher = await someone(service, tenant, 'grace@school.example', 'Admissions Officer')
const accountant = await someone(service, tenant, 'money@school.example', 'Accounts User')
const on = (dn: string, tag: string, dt = 'Student') => ({ tag, dt, dn })
const loadNames = async (filters: unknown[], type = 'Student') =>
  (await resourceClient.list(type, { filters: JSON.stringify(filters) })).data.map(({ name }: { name: string }) => name)
const loadTags = async (name: string, type = 'Student') => {
  const filters = JSON.stringify({ name })
  return (await resourceClient.list(type, { fields: '["_user_tags"]', filters })).data[0]._user_tags
}

test('tags are added once in any case, listed, filtered by and taken away, with audit and event', async () => {
  assert.equal(await told(clerk, 'add_tag', on(ada, ' Choir ')), 'Choir')
  assert.equal(await told(clerk, 'add_tag', on(ada, 'CHOIR')), 'Choir')
  assert.equal(await told(clerk, 'add_tag', on(ada, 'Needs a "quiet" room')), 'Needs a "quiet" room')
  assert.equal(
    await told(clerk, 'add_tag', on(alan, "O'Hara’s; drop table students --%_")),
    "O'Hara’s; drop table students --%_",
  )
  assert.equal(await loadTags(ada), ',Choir,Needs a "quiet" room')
  assert.deepEqual(await loadNames([['_user_tags', 'like', '%choir%']]), [ada])
  assert.deepEqual(await loadNames([['_user_tags', 'like', "%O'Hara’s; drop%"]]), [alan])
  assert.deepEqual((await loadNames([['_user_tags', 'not like', '%choir%']])).includes(ada), false)
  assert.deepEqual((await loadNames([['_user_tags', 'not like', '%choir%']])).includes(alan), true)
  const other = (await resourceClient.make('Student', { first_name: 'Untagged' })).name
  assert.deepEqual(await loadNames([['_user_tags', 'is', 'not set']]), [other])
  assert.deepEqual((await loadNames([['_user_tags', 'is', 'set']])).length, 2)
  assert.equal(await loadTags(other), null)
  const [link] = (await resourceClient.list('Tag Link', { filters: JSON.stringify({ tag: 'Choir' }), fields: '["*"]' }))
    .data
  assert.deepEqual([link.document_type, link.document_name], ['Student', ada])
  await told(clerk, 'remove_tag', on(ada, 'choir'))
  await told(clerk, 'remove_tag', on(ada, 'never there'))
  assert.equal(await loadTags(ada), ',Needs a "quiet" room')
  assert.deepEqual(await resourceClient.traces('Tag Link', link.name), ['tag_link.created', 'tag_link.deleted'])
})

test('tags are read by lists, counts, reports and searches in every place that takes a field', async () => {
  const student = (await resourceClient.make('Student', { first_name: 'Rosa' })).name
  await told(clerk, 'add_tag', on(student, 'Sports'))
  const filters = [['Student', '_user_tags', 'like', '%sports%']]
  const asked = { doctype: 'Student', filters, fields: ['`tabStudent`.`name`', '`tabStudent`.`_user_tags`'] }
  const view = await clerk.post('/api/method/frappe.desk.reportview.get', asked)
  assert.deepEqual(view.body.message.values, [[student, ',Sports']])
  const count = await clerk.post('/api/method/frappe.client.get_count', asked)
  assert.equal(count.body.message, 1)
  const found = await clerk.post('/api/method/frappe.desk.search.search_link', { ...asked, txt: 'rosa' })
  assert.equal(found.body.message[0].value, student)
  const value = await clerk.post('/api/method/frappe.client.get_value', { ...asked, fieldname: '_user_tags' })
  assert.deepEqual(value.body.message, { _user_tags: ',Sports' })
  const ordered = await resourceClient.list('Student', {
    fields: '["name","_user_tags as t","count(name) as n"]',
    filters: JSON.stringify(filters),
    group_by: 'name',
    order_by: '_user_tags desc',
  })
  assert.deepEqual(ordered.data, [{ name: student, t: ',Sports', n: 1 }])
  const either = await resourceClient.list('Student', {
    or_filters: JSON.stringify([
      ['_user_tags', 'like', '%sports%'],
      ['name', '=', 'none'],
    ]),
  })
  assert.deepEqual(either.data, [{ name: student }])
  for (const group_by of ['_user_tags', 't', '_assign']) {
    const grouped = await resourceClient.list('Student', { fields: '["_user_tags as t","count(name) as n"]', group_by })
    assert.deepEqual([grouped.status, grouped.error], [417, 'DataError'], group_by)
  }
  for (const field of ['_seen']) {
    assert.deepEqual(
      (await resourceClient.list('Student', { fields: JSON.stringify(['name', field]), limit: '1' })).data.length,
      1,
    )
    assert.equal(
      (await resourceClient.list('Student', { filters: JSON.stringify([[field, '=', 'x']]) })).error,
      'DataError',
    )
  }
  const meta = await resourceClient.read('DocType', 'Student')
  assert.ok(!meta.data.fields.some(({ fieldname }: { fieldname: string }) => fieldname.startsWith('_')))
})

test('a tag is a word without commas and control characters, and a record has a hundred at most', async () => {
  const student = (await resourceClient.make('Student', { first_name: 'Max' })).name
  for (const tag of ['a,b', '', '  ', 'a\nb', ',']) {
    assert.deepEqual(
      await refusal(ask(clerk, 'add_tag', on(student, tag))),
      [417, 'ValidationError'],
      JSON.stringify(tag),
    )
  }
  assert.deepEqual(await refusal(ask(clerk, 'add_tag', on(student, 'a\0b'))), [417, 'DataError'])
  const long = await refusal(ask(clerk, 'add_tag', on(student, 'x'.repeat(141))))
  assert.deepEqual(long, [417, 'CharacterLengthExceededError'])
  const markup = await told(clerk, 'add_tag', on(student, '<script>x</script>'))
  assert.equal(markup, '&lt;script&gt;x&lt;/script&gt;')
  await told(clerk, 'remove_tag', on(student, '<script>x</script>'))
  assert.equal(await loadTags(student), null)
  const answers = []
  for (let number = 0; number < 1000; number += 50) {
    const several = Array.from({ length: 50 }, (_, index) =>
      ask(clerk, 'add_tag', on(student, `tag ${number + index}`)),
    )
    answers.push(...(await Promise.all(several)))
    if (answers.filter(({ status }) => status === 417).length >= 50) break
  }
  assert.equal(answers.filter(({ status }) => status === 200).length, 100)
  assert.ok(answers.every(({ status, body }) => status === 200 || body.exc_type === 'ValidationError'))
  assert.equal((await loadTags(student)).split(',').length, 101)
})

test('the same tag sent many times at once is kept once', async () => {
  const student = (await resourceClient.make('Student', { first_name: 'Twice' })).name
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(clerk, 'add_tag', on(student, 'Once'))))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(await loadTags(student), ',Once')
})

test('who may only read a record sets no tag, who may not read it sees none, and no tag of others is offered', async () => {
  const { studentCode } = await aStudent(tenant.api, { fullName: 'Kurt' })
  await told(clerk, 'add_tag', on(studentCode, 'Confidential matter'))
  for (const caller of [teacher, accountant]) {
    for (const method of ['add_tag', 'remove_tag'] as const) {
      assert.deepEqual(await refusal(ask(caller, method, on(studentCode, 'x'))), [403, 'PermissionError'])
    }
  }
  assert.deepEqual(await told(clerk, 'get_tags', { doctype: 'Student', txt: 'confid' }), ['Confidential matter'])
  assert.deepEqual(await told(teacher, 'get_tags', { doctype: 'Student', txt: 'confid' }), ['Confidential matter'])
  assert.deepEqual(await told(accountant, 'get_tags', { doctype: 'Student', txt: 'confid' }), [])
  const hidden = await accountant.get(
    `/api/resource/Tag Link?filters=${JSON.stringify({ document_name: studentCode })}`,
  )
  assert.deepEqual(hidden.body.data, [])
  const link = { document_type: 'Student', document_name: studentCode, tag: 'y' }
  assert.deepEqual(await refusal(manager.post('/api/resource/Tag Link', link)), [403, 'PermissionError'])
  const otherTenant = await aRecordCaller(service, await service.tenant())
  assert.deepEqual(await refusal(ask(otherTenant, 'add_tag', on(studentCode, 'x'))), [404, 'DoesNotExistError'])
  assert.deepEqual(await told(otherTenant, 'get_tags', { txt: '' }), [])
})

test('tags go with their record when that is renamed, merged or removed; what both records had stays once', async () => {
  await resourceClient.make('Course', { course_name: 'Latin' })
  for (const tag of ['Old', 'Shared']) await told(clerk, 'add_tag', on('Latin', tag, 'Course'))
  for (const tag of ['shared', 'New']) await told(clerk, 'add_tag', on(courses[1], tag, 'Course'))
  assert.equal((await resourceClient.rename('Course', 'Latin', 'Greek')).error, null)
  assert.equal(await loadTags('Greek', 'Course'), ',Old,Shared')
  assert.equal((await resourceClient.rename('Course', 'Greek', courses[1], 1)).error, null)
  assert.deepEqual((await loadTags(courses[1], 'Course')).split(',').sort(), ['', 'New', 'Old', 'shared'])
  await resourceClient.make('Course', { course_name: 'Music' })
  await told(clerk, 'add_tag', on('Music', 'Loud', 'Course'))
  assert.equal((await resourceClient.remove('Course', 'Music')).error, null)
  assert.deepEqual(await loadNames([['document_name', '=', 'Music']], 'Tag Link'), [])
})

test('a list that does not ask for notes reads none, and one that does sends no further statement', async () => {
  const list = (fields: string) => statementsLike(/^select r\."name"/, () => resourceClient.list('Student', { fields }))
  await list('["name"]')
  const plain = await list('["name","student_name"]')
  const recorded = await list('["name","_user_tags","_assign","_comments"]')
  assert.deepEqual([plain.length, recorded.length], [1, 1])
  assert.ok(!plain.some((statement) => /tag_links|todos|comments/.test(statement)), plain.join('\n'))
  assert.ok(recorded.some((statement) => /tag_links/.test(statement) && /todos/.test(statement)))
})

test('toggle_like likes a record once in the name of the caller, who may read it, and takes the like back', async () => {
  const student = (await resourceClient.make('Student', { first_name: 'Mary' })).name
  const liked = async () =>
    (
      await resourceClient.list('Student', {
        fields: '["name","_liked_by","_comments"]',
        filters: JSON.stringify({ name: student }),
      })
    ).data[0]
  const toggle = (add: string) => ask(clerk, 'toggle_like', { doctype: 'Student', name: student, add })
  for (const _ of [1, 2]) assert.equal((await toggle('Yes')).status, 200)
  const { _liked_by, _comments } = await liked()
  assert.deepEqual([JSON.parse(_liked_by).length, _comments ?? null], [1, null])
  const who = JSON.parse(_liked_by)[0]
  const found = await resourceClient.list('Student', { filters: JSON.stringify([['_liked_by', 'like', `%${who}%`]]) })
  assert.deepEqual(found.data, [{ name: student }])
  assert.equal((await toggle('No')).status, 200)
  assert.equal((await liked())._liked_by ?? null, null)
  assert.deepEqual(await refusal(toggle('Perhaps')), [417, 'ValidationError'])
})
