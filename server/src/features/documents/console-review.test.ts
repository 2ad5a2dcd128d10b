import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDocument, anApplication, aPerson, aProfile, aStudent } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const { api } = tenant
const officer = await aPerson(service, tenant, ['Admissions Officer'])
const colleague = await aPerson(service, tenant, ['Academics User'])
type Person = typeof officer

const queue = async ({ caller }: Person = officer, query = '') => caller.get(`/console/v1/review-queue${query}`)
const claim = ({ caller }: Person, { id, currentVersion }: { id: string; currentVersion: { id: string } | null }) =>
  caller.send('POST', '/console/v1/review-queue/claims', { documentId: id, versionId: currentVersion?.id })
const judge = ({ caller }: Person, id: string, body: object, headers = {}) =>
  caller.send('PATCH', `/console/v1/vault/documents/${id}`, body, headers)

const application = await anApplication(api, { fullName: 'Zoë Applicant' })
await aProfile(service, tenant, 'application', [{ key: 'birth_certificate' }])
const owner = { entityType: 'application', entityId: application.id }
const first = await aDocument(service, api, owner)
const second = await aDocument(service, api, { entityType: 'student', entityId: (await aStudent(api)).id })

test('the review queue: oldest first, with requirement, request and version', async () => {
  const { status, body, text } = await queue()
  assert.equal(status, 200, text)
  assert.deepEqual(
    body.data.map(({ document }: { document: { id: string } }) => document.id),
    [first.id, second.id],
  )
  const [item, other] = body.data
  assert.deepEqual(
    [item.requirement.instructions, item.document.links[0].entityLabel, item.claim, other.requirement],
    ['Both sides.', 'Zoë Applicant', null, null],
  )
  const one = await queue(officer, '?limit=1')
  const rest = await queue(officer, `?cursor=${one.headers.get('next-cursor')}`)
  assert.deepEqual([one.body.data[0].document.id, rest.body.data[0].document.id], [first.id, second.id])
  const none = await queue(officer, `?documentTypeId=${crypto.randomUUID()}`)
  assert.deepEqual(none.body.data, [])
})

test('review claims: one of two gets a version, and only that person reviews it until release, review or five minutes', async () => {
  const claims = await Promise.all([claim(officer, first), claim(colleague, first)])
  assert.deepEqual(claims.map(({ status }) => status).sort(), [200, 409])
  const [holder, other] = claims[0]?.status === 200 ? [officer, colleague] : [colleague, officer]
  assert.equal((await claim(holder, first)).status, 200)
  const seen = (await queue(other)).body.data[0].claim
  assert.deepEqual([seen.by, seen.isMine], [holder.email, false])
  const rejected = await judge(other, first.id, { status: 'approved' })
  assert.deepEqual([rejected.status, rejected.body.code], [409, 'state_conflict'])
  assert.ok(rejected.body.detail.includes(holder.email))
  assert.equal((await holder.caller.send('DELETE', `/console/v1/review-queue/claims/${first.id}`)).status, 204)
  assert.equal((await claim(other, first)).status, 200)
  await service.database.inspect(
    `update review_claims set expires_at = now() - interval '1 second' where tenant_id = $1`,
    [tenant.id],
  )
  assert.equal((await queue(holder)).body.data[0].claim, null)
  assert.equal((await claim(holder, first)).status, 200)
  const judged = await judge(
    holder,
    first.id,
    { status: 'approved' },
    { 'if-match': (await queue()).body.data[0].entityTag },
  )
  assert.equal(judged.status, 200, judged.text)
  const left = await service.database.inspect(`select 1 from review_claims where tenant_id = $1`, [tenant.id])
  assert.deepEqual([left.length, (await queue()).body.data.length], [0, 1])
})

test('review claims: an older version and one of another institution cannot be claimed', async () => {
  const stale = await claim(officer, { id: second.id, currentVersion: { id: crypto.randomUUID() } })
  assert.deepEqual([stale.status, stale.body.code], [409, 'state_conflict'])
  const theirs = await service.tenant()
  const foreign = await aDocument(service, theirs.api)
  assert.equal((await claim(officer, foreign)).status, 404)
  const bursar = await aPerson(service, tenant, ['Accounts User'])
  assert.equal((await queue(bursar)).status, 403)
  assert.equal((await claim(bursar, second)).status, 403)
})
