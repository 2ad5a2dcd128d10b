import assert from 'node:assert/strict'
import { test } from 'node:test'
import { movedBack } from '../../testing/fixtures/database/test-database.ts'
import { aDocument, anApplication, aPerson, aProfile } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const officer = await aPerson(service, tenant, ['Admissions Officer'])

interface Column {
  status: string
  count: number
  cards: { id: string; entityTag: string; daysInStatus: number; documents: object; fullName: string }[]
}
const board = async (query = '') => {
  const { status, body, text } = await officer.caller.get(`/console/v1/board${query}`)
  assert.equal(status, 200, text)
  return body.data.columns as Column[]
}
const getColumn = (columns: Column[], status: string) => columns.find((column) => column.status === status) as Column

test('the admissions board: a column per status with its exact count and first cards', async () => {
  for (let number = 0; number < 3; number += 1) await anApplication(tenant.api, { fullName: `Applicant ${number}` })
  const columns = await board()
  assert.deepEqual(columns.map(({ status }) => status).slice(0, 2), ['new', 'in_review'])
  const fresh = getColumn(columns, 'new')
  assert.deepEqual(
    [fresh.count, fresh.cards.map(({ fullName }) => fullName)],
    [3, ['Applicant 0', 'Applicant 1', 'Applicant 2']],
  )
  const [few] = await board('?status=new&cards=1')
  assert.deepEqual([few?.count, few?.cards.length], [3, 1])
  const [last] = few?.cards ?? []
  const [rest] = await board(`?status=new&after=${last?.id}`)
  assert.deepEqual([rest?.count, rest?.cards.map(({ fullName }) => fullName)], [3, ['Applicant 1', 'Applicant 2']])
  const otherTenant = await anApplication((await service.tenant()).api)
  assert.deepEqual(
    (await board(`?after=${otherTenant.id}`)).flatMap(({ cards }) => cards),
    [],
  )
  const card = fresh.cards[0] as Column['cards'][number]
  assert.deepEqual([card.daysInStatus, card.documents], [0, { complete: 0, required: 0 }])
  const move = (tag: string) =>
    officer.caller.send(
      'PATCH',
      `/console/v1/admissions/applications/${card.id}`,
      { status: 'in_review' },
      { 'if-match': tag },
    )
  const moved = await move(card.entityTag)
  assert.equal(moved.status, 200, moved.text)
  assert.equal((await move(card.entityTag)).status, 412)
  const after = await board()
  assert.deepEqual([getColumn(after, 'new').count, getColumn(after, 'in_review').count], [2, 1])
  assert.equal(getColumn(after, 'in_review').cards[0]?.entityTag, moved.headers.get('etag'))
})

test('the admissions board: a card has its complete documents and days in status', async () => {
  const application = await anApplication(tenant.api, { fullName: 'With Papers' })
  await aProfile(service, tenant, 'application', [
    { key: 'birth_certificate' },
    { key: 'other', minFiles: 2 },
    { key: 'transcript', isRequired: false },
  ])
  const findCard = async () => getColumn(await board(), 'new').cards.find(({ id }) => id === application.id)
  assert.deepEqual((await findCard())?.documents, { complete: 0, required: 2 })
  const { id } = await aDocument(service, tenant.api, { entityType: 'application', entityId: application.id })
  assert.deepEqual((await findCard())?.documents, { complete: 0, required: 2 })
  assert.equal((await tenant.api.patch(`/vault/documents/${id}`, { status: 'approved' })).status, 200)
  assert.deepEqual((await findCard())?.documents, { complete: 1, required: 2 })
  const { summary } = (await tenant.api.get(`/vault/requirements?applicationId=${application.id}`)).body.data
  assert.deepEqual([summary.satisfied, summary.required], [1, 2])
  await service.database.inspect(
    `update admission_applications set ${movedBack('created_at', '50 hours')} where tenant_id = $1 and id = $2`,
    [tenant.id, application.id],
  )
  await service.database.inspect(
    `update application_moves set ${movedBack('moved_at', '50 hours')} where tenant_id = $1 and application_id = $2`,
    [tenant.id, application.id],
  )
  assert.equal((await findCard())?.daysInStatus, 2)
})

test('the admissions funnel: reached and median days per status, of this institution only', async () => {
  const own = await service.tenant()
  const { caller } = await aPerson(service, own, ['Admissions Officer'])
  const [moved, stays] = [await anApplication(own.api), await anApplication(own.api)]
  await service.database.inspect(
    `update application_moves set ${movedBack('moved_at', '60 hours')} where tenant_id = $1 and application_id = $2`,
    [own.id, moved.id],
  )
  assert.equal((await own.api.patch(`/admissions/applications/${moved.id}`, { status: 'in_review' })).status, 200)
  assert.ok(stays.id)
  const { status, body, text } = await caller.get('/console/v1/board/funnel')
  assert.equal(status, 200, text)
  const stages = body.data.stages as { status: string; count: number; reached: number; medianDays: number | null }[]
  const reported = stages.map(({ status: key, count, reached, medianDays }) => [key, count, reached, medianDays])
  assert.deepEqual(reported.slice(0, 2), [
    ['new', 1, 2, 2.5],
    ['in_review', 1, 1, null],
  ])
  const bursar = await aPerson(service, own, ['Accounts User'])
  assert.equal((await bursar.caller.get('/console/v1/board/funnel')).status, 403)
})

test('the admissions board: requires the right to read applications', async () => {
  const bursar = await aPerson(service, tenant, ['Accounts User'])
  const rejected = await bursar.caller.get('/console/v1/board')
  assert.deepEqual([rejected.status, rejected.body.code], [403, 'insufficient_scope'])
  const theirs = await service.tenant()
  const other = await aPerson(service, theirs)
  const columns = (await other.caller.get('/console/v1/board')).body.data.columns as Column[]
  assert.ok(columns.length > 0 && columns.every(({ count, cards }) => count === 0 && cards.length === 0))
})
