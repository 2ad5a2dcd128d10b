import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPlan, aResult, aScale } from '../../testing/fixtures/seeded-tenant.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { aRoster, assertObject, assertRosterError, type Roster } from './roster.fixture.ts'

const service = await startTestService()
const roster = await aRoster(service)
const { call, tenant } = roster
const base = '/gradebook/v1p2'

const put = (path: string, body: unknown, own: Roster = roster) =>
  own.call(`${base}${path}`, {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
const get = (path: string) => call(`${base}${path}`)

const [anatomy] = await roster.list("/classes?filter=title='Anatomy 1'")
const [student] = await roster.list(`/classes/${anatomy.sourcedId}/students`)
const ref = (sourcedId: string) => ({ sourcedId })

async function aLineItem(id: string, fields: object = {}) {
  const [category] = (await get(`/classes/${anatomy.sourcedId}/categories`)).body.categories
  return {
    lineItem: {
      sourcedId: id,
      title: 'Essay',
      description: '',
      assignDate: '2026-09-01T08:00:00.000Z',
      dueDate: '2026-09-08T08:00:00.000Z',
      class: ref(anatomy.sourcedId),
      school: ref(tenant.id),
      category: ref(category.sourcedId),
      resultValueMin: 0,
      resultValueMax: 100,
      ...fields,
    },
  }
}

const aScore = (id: string, lineItem: string, fields: object = {}) => ({
  result: {
    sourcedId: id,
    lineItem: ref(lineItem),
    student: ref(student.sourcedId),
    score: 300,
    comment: '',
    scoreStatus: 'fully graded',
    scoreDate: '2026-09-09T10:00:00.000Z',
    ...fields,
  },
})

test('a line item and its result are put, changed, read in each list, and deleted, with audit and events', async () => {
  const created = await put('/lineItems/essay-1', await aLineItem('essay-1'))
  assert.deepEqual([created.status, created.text], [201, ''], created.text)
  const { body } = await get('/lineItems/essay-1')
  assertObject('lineItem', body.lineItem)
  assert.deepEqual(
    [body.lineItem.title, body.lineItem.assignDate, body.lineItem.class.sourcedId, 'description' in body.lineItem],
    ['Essay', '2026-09-01T08:00:00.000Z', anatomy.sourcedId, false],
  )
  assert.equal((await put('/results/score-1', aScore('score-1', 'essay-1'))).status, 201)
  assert.equal((await put('/results/score-1', aScore('score-1', 'essay-1', { score: 80, late: true }))).status, 201)
  for (const path of [
    '/results',
    `/classes/${anatomy.sourcedId}/results`,
    `/classes/${anatomy.sourcedId}/lineItems/essay-1/results`,
    `/classes/${anatomy.sourcedId}/students/${student.sourcedId}/results`,
  ]) {
    const { status, body: listed, text } = await get(path)
    assert.equal(status, 200, text)
    assert.equal(listed.results.length, 1, path)
    assertObject('result', listed.results[0])
    const { score, scoreDate, late } = listed.results[0]
    assert.deepEqual([score, scoreDate, late], [80, '2026-09-09', 'true'])
  }
  const [entry] = await service.database.inspect<{ id: string }>(
    `select id from gradebook_entries where tenant_id = $1 and sourced_id = 'score-1'`,
    [tenant.id],
  )
  const traces = await tenant.traces(entry?.id as string)
  assert.deepEqual(traces.events, ['line_item_result.created', 'line_item_result.updated'])
  assert.deepEqual(traces.audit, traces.events)
  await put('/results/score-1', aScore('score-1', 'essay-1', { score: 80, late: true }))
  assert.equal((await tenant.traces(entry?.id as string)).events.length, 2, 'the same again changes nothing')
  const gone = await call(`${base}/results/score-1`, { method: 'DELETE' })
  assert.deepEqual([gone.status, gone.text], [204, ''])
  assertRosterError(await get('/results/score-1'), 404, 'unknownobject')
  assertRosterError(await call(`${base}/results/score-1`, { method: 'DELETE' }), 404, 'unknownobject')
  assert.equal((await get('/results')).body.results.length, 0)
})

test('a line item that is put as tobedeleted is gone', async () => {
  await put('/lineItems/gone', await aLineItem('gone'))
  for (let times = 0; times < 2; times += 1) {
    const { status, text } = await put('/lineItems/gone', await aLineItem('gone', { status: 'tobedeleted' }))
    assert.deepEqual([status, text], [201, ''])
    assertRosterError(await get('/lineItems/gone'), 404, 'unknownobject')
  }
})

test('what is put wrongly is refused and stores nothing', async () => {
  const refused = async (path: string, body: unknown, status = 422, code = 'invaliddata') =>
    assertRosterError(await put(path, body), status, code)
  await refused('/lineItems/x1', await aLineItem('x2'))
  await refused('/lineItems/x1', await aLineItem('x1', { class: ref('nothing') }))
  await refused('/lineItems/x1', await aLineItem('x1', { category: ref('nothing') }))
  await refused('/lineItems/x1', await aLineItem('x1', { title: undefined }))
  await refused('/lineItems/x1', await aLineItem('x1', { title: 'a\u0000b' }))
  await refused('/lineItems/x1', await aLineItem('x1', { color: 'red' }))
  await refused('/lineItems/x1', await aLineItem('x1', { dueDate: 'soon' }))
  await refused('/lineItems/a%20b', await aLineItem('a b'))
  await refused('/lineItems/x1', { result: {} })
  await refused('/results/x1', aScore('x1', 'nothing'))
  const [teacher] = await roster.list('/teachers')
  await put('/lineItems/essay-2', await aLineItem('essay-2'))
  await refused('/results/x1', aScore('x1', 'essay-2', { student: ref(teacher.sourcedId) }))
  await refused('/results/x1', aScore('x1', 'essay-2', { scoreStatus: 'done' }))
  const raw = await call(`${base}/lineItems/x1`, { method: 'PUT', body: '{' })
  assertRosterError(raw, 422, 'invaliddata')
  assertRosterError(await get('/lineItems/x1'), 404, 'unknownobject')
  assertRosterError(await get('/classes/nothing/lineItems'), 404, 'unknownobject')
  assertRosterError(
    await put('/categories/x', { category: { title: 'A' } }, { ...roster, call: withoutWriting }),
    403,
    'forbidden',
  )
})

const reading = await tenant.token({ scopes: ['gradebook:read'] })
const withoutWriting: Roster['call'] = (path, init) =>
  call(path, { ...init, headers: { ...init?.headers, authorization: `Bearer ${reading.secret}` } })

test('categories, score scales and assessments are put and read', async () => {
  const objects = {
    '/categories/homework': { category: { title: 'Homework', weight: 0.5 } },
    '/scoreScales/pass': {
      scoreScale: {
        title: 'Pass',
        type: 'ordinal',
        class: ref(anatomy.sourcedId),
        scoreScaleValue: [{ itemValueLHS: 'P', itemValueRHS: '50' }],
      },
    },
    '/assessmentLineItems/exam': { assessmentLineItem: { title: 'Exam', class: ref(anatomy.sourcedId) } },
    '/assessmentResults/exam-1': {
      assessmentResult: {
        assessmentLineItem: ref('exam'),
        student: ref(student.sourcedId),
        scoreStatus: 'submitted',
        scoreDate: '2026-09-09',
        score: 1.25,
      },
    },
  }
  for (const [path, body] of Object.entries(objects)) {
    assert.equal((await put(path, body)).status, 201, path)
    const { body: found, status, text } = await get(path)
    assert.equal(status, 200, text)
    const [name, object] = Object.entries(found)[0] as ['category', object]
    assertObject(name, object)
  }
  assert.equal((await get(`/classes/${anatomy.sourcedId}/scoreScales`)).body.scoreScales.length, 1)
  assert.equal((await get(`/schools/${tenant.id}/scoreScales`)).body.scoreScales.length, 1)
})

test('posted line items and results get sourcedIds', async () => {
  const { lineItem } = await aLineItem('mine')
  const post = (path: string, body: object) => call(`${base}${path}`, { method: 'POST', body: JSON.stringify(body) })
  const { status, body } = await post(`/classes/${anatomy.sourcedId}/lineItems`, { lineItems: [lineItem] })
  assert.equal(status, 201)
  const [{ suppliedSourcedId, allocatedSourcedId }] = body.sourcedIdPairs
  assert.equal(suppliedSourcedId, 'mine')
  assert.equal((await get(`/lineItems/${allocatedSourcedId}`)).status, 200)
  const { result } = aScore('s', allocatedSourcedId)
  const results = await post(`/lineItems/${allocatedSourcedId}/results`, {
    results: [{ ...result, lineItem: undefined }],
  })
  assert.equal(results.status, 201, results.text)
  assertRosterError(
    await post('/lineItems/nothing/results', { results: [{ ...result, lineItem: undefined }] }),
    404,
    'unknownobject',
  )
  assertRosterError(await post(`/classes/${anatomy.sourcedId}/lineItems`, { lineItems: [] }), 422, 'invaliddata')
})

test('two at once that put the same make one object', async () => {
  const body = await aLineItem('twice')
  const answers = await Promise.all(Array.from({ length: 8 }, () => put('/lineItems/twice', body)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  const { body: found } = await get("/lineItems?filter=sourcedId='twice'")
  assert.equal(found.lineItems.length, 1)
})

test('our plans and submitted results are read, and never written', async () => {
  const own = await aRoster(service)
  await aScale(own)
  const plan = await aPlan({ ...own, group: own.courseGroup })
  const result = await aResult({ ...own, group: own.courseGroup }, plan, { Written: 50, Oral: 30 }, { docstatus: 1 })
  assert.equal(result.error, null, result.told)
  const read = async (path: string) => (await own.call(`${base}${path}`)).body
  const [item] = (await read('/lineItems')).lineItems
  assertObject('lineItem', item)
  assert.equal(item.resultValueMax, 100)
  const [score] = (await read(`/classes/${item.class.sourcedId}/results`)).results
  assertObject('result', score)
  assert.deepEqual([score.score, score.textScore, score.lineItem.sourcedId], [80, 'A', item.sourcedId])
  const [scale] = (await read('/scoreScales')).scoreScales
  assertObject('scoreScale', scale)
  const [first] = (await read('/categories')).categories
  assertObject('category', first)
  for (const href of [
    item.category.href,
    item.class.href,
    item.school.href,
    item.scoreScale.href,
    score.student.href,
  ]) {
    const { status } = await fetch(href, { headers: { authorization: `Bearer ${own.secret}` } })
    assert.equal(status, 200, href)
  }
  const { lineItem } = await aLineItem(item.sourcedId)
  const body = { lineItem: { ...lineItem, class: item.class, school: item.school, category: item.category } }
  assertRosterError(await put(`/lineItems/${item.sourcedId}`, body, own), 403, 'forbidden')
  assertRosterError(await own.call(`${base}/lineItems/${item.sourcedId}`, { method: 'DELETE' }), 403, 'forbidden')
  assertRosterError(
    await put('/results/x', { result: { ...aScore('x', item.sourcedId).result, student: score.student } }, own),
    403,
    'forbidden',
  )
  assert.equal((await own.call('/v1p1/lineItems')).body.lineItems.length, 1)
  assert.deepEqual((await own.call('/resources/v1p2/resources')).body, { resources: [] })
  const known = "/resources/v1p2/resources?filter=title='Atlas'&fields=sourcedId,title"
  assert.deepEqual((await own.call(known)).body, { resources: [] })
  const filtered = await own.call("/resources/v1p2/resources?filter=noSuchField='x'")
  assertRosterError(filtered, 400, 'invalid_filter_field')
  assertRosterError(await own.call('/resources/v1p2/resources?fields=noSuchField'), 400, 'invalid_selection_field')
})
