import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { getUrl } from '../../testing/fixtures/database/test-database.ts'
import {
  aDocumentTypeId,
  anApplication,
  aPerson,
  aProfile,
  aRequest,
  aStudent,
  aUser,
  copiesOfApplication,
} from '../../testing/fixtures/factories.ts'
import { aFolder, launchService, until, untilReady } from '../../testing/fixtures/service-process.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const { api } = tenant
const officer = await aPerson(service, tenant, ['Admissions Officer'])
const v1 = '/console/v1'
const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key })

test('previewing requests: recipient, documents, language and missing address of each; sends nothing', async () => {
  await aProfile(service, tenant, 'application', [{ key: 'birth_certificate' }])
  const reached = await anApplication(api, { fullName: 'Zoë Reached', email: 'zoe@example.org' })
  const unreached = await anApplication(api, { fullName: 'Ugo Unreached' })
  const preview = (body: object, by = officer) => by.caller.send('POST', `${v1}/request-previews`, body)
  const entityIds = [reached.id, unreached.id]
  const { status, body, text } = await preview({ entityType: 'application', entityIds, fromRequirements: true })
  assert.equal(status, 200, text)
  const label = body.data.asked[0].asks[0]
  assert.ok(label)
  assert.deepEqual(body.data, {
    locale: 'en',
    asked: [[reached, 'zoe@example.org'] as const, [unreached, null] as const].map(
      ([{ id, fullName }, recipientEmail]) => ({
        entityId: id,
        entityLabel: fullName,
        recipientName: fullName,
        recipientEmail,
        locale: 'en',
        asks: [label],
        isAsked: false,
      }),
    ),
  })
  const names = [reached.applicationCode, unreached.applicationCode]
  const named = await preview({ entityType: 'application', names, fromRequirements: true })
  assert.deepEqual(named.body.data, body.data)
  const student = await aStudent(api)
  const complete = await preview({
    entityType: 'student',
    entityIds: [student.id],
    fromRequirements: true,
    locale: 'pt',
  })
  assert.deepEqual([complete.body.data.locale, complete.body.data.asked[0].asks], ['pt', []])
  const otherTenant = await anApplication((await service.tenant()).api)
  const typeId = await aDocumentTypeId(api, 'birth_certificate')
  for (const [sent, code] of [
    [{ entityType: 'application', entityIds: [otherTenant.id], fromRequirements: true }, 'reference_not_found'],
    [{ entityType: 'application', entityIds: [randomUUID()], documentTypeIds: [typeId] }, 'reference_not_found'],
    [{ entityType: 'application', entityIds }, 'validation_failed'],
    [{ entityType: 'application', entityIds: [], fromRequirements: true }, 'validation_failed'],
    [{ entityType: 'application', entityIds, documentTypeIds: [typeId], fromRequirements: true }, 'validation_failed'],
    [{ entityType: 'application', names: ['none'], fromRequirements: true }, 'reference_not_found'],
    [{ entityType: 'application', entityIds, names, fromRequirements: true }, 'validation_failed'],
    [{ entityType: 'application', fromRequirements: true }, 'validation_failed'],
  ] as const) {
    assert.equal((await preview(sent)).body.code, code, JSON.stringify(sent))
  }
  const bursar = await aPerson(service, tenant, ['Accounts User'])
  assert.equal((await preview({ entityType: 'application', entityIds, fromRequirements: true }, bursar)).status, 403)
  const manager = await aPerson(service, tenant)
  const rules = `${v1}/access-rules/Admissions%20Officer`
  assert.equal((await manager.caller.send('PATCH', rules, { takenScopes: ['students:read'] })).status, 200)
  await until(
    async () => (await officer.caller.get(`${v1}/students`)).status === 403,
    () => 'the scope to be taken',
  )
  const untold = await preview({ entityType: 'student', names: [student.studentCode], fromRequirements: true })
  assert.deepEqual([untold.status, untold.body.requiredScope], [403, 'students:read'])
  assert.equal((await manager.caller.send('PATCH', rules, { takenScopes: [] })).status, 200)
  assert.equal((await api.get('/vault/requests')).body.pagination.total, 0)
  const { id: requestId } = await aRequest(api, {
    entityType: 'application',
    entityId: reached.id,
    documentTypeIds: [typeId],
  })
  const marked = async () =>
    (await preview({ entityType: 'application', names, fromRequirements: true })).body.data.asked.map(
      ({ isAsked }: { isAsked: boolean }) => isAsked,
    )
  assert.deepEqual(await marked(), [true, false])
  assert.equal((await api.patch(`/vault/requests/${requestId}`, { status: 'revoked' })).status, 200)
  assert.deepEqual(await marked(), [false, false])
})

test('reminding: one mail per Idempotency-Key, with audit, and only for open requests', async () => {
  const { id } = await aRequest(api, { recipient: { name: 'Carmen', email: 'carmen@example.org' } })
  const remind = (key: string, request = id) =>
    officer.caller.send('POST', `${v1}/vault/requests/${request}/reminders`, undefined, keyed(key))
  const traces = async () => {
    const mails = await service.database.inspect(
      'select 1 from outgoing_mails where tenant_id = $1 and entity_id = $2',
      [tenant.id, id],
    )
    const audit = await service.database.inspect(
      `select actor_id from audit_entries where tenant_id = $1 and entity_id = $2 and action = 'vault_request.reminded'`,
      [tenant.id, id],
    )
    return [mails.length, audit]
  }
  const key = randomUUID()
  for (let time = 0; time < 2; time += 1) {
    const { status, text } = await remind(key)
    assert.equal(status, 200, text)
    assert.deepEqual(await traces(), [1, [{ actor_id: officer.id }]])
  }
  const nowhere = await aRequest(api)
  assert.equal((await remind(randomUUID(), nowhere.id)).body.code, 'rule_violated')
  const strange = await aRequest((await service.tenant()).api)
  assert.equal((await remind(randomUUID(), strange.id)).body.code, 'resource_not_found')
  assert.equal((await api.patch(`/vault/requests/${id}`, { status: 'revoked' })).status, 200)
  assert.equal((await remind(randomUUID())).body.code, 'state_conflict')
})

test('restoring: a revoked request opens its link again, once, with audit and event, and only in its own tenant', async () => {
  const { id, publicUrl } = await aRequest(api)
  const page = async () =>
    (await fetch((publicUrl as string).replace('https://matricula.example', service.address))).status
  const restore = (request = id) => officer.caller.send('POST', `${v1}/vault/requests/${request}/restore`)
  assert.equal((await api.patch(`/vault/requests/${id}`, { status: 'revoked', reason: 'A mistake' })).status, 200)
  assert.equal(await page(), 410)
  for (let time = 0; time < 2; time += 1) {
    const { status, body, text } = await restore()
    assert.equal(status, 200, text)
    assert.deepEqual([body.data.status, body.data.revokedAt, body.data.revokedReason], ['open', null, null])
  }
  const { data: audit } = (await api.get(`/audit?entityId=${id}&action=vault_request.updated`)).body
  assert.deepEqual(
    audit.map(({ actor }: { actor: { id: string } }) => actor.id),
    [officer.id],
  )
  const { data: events } = (await api.get('/events?types=vault_request.updated&limit=100')).body
  assert.equal(events.filter(({ entityId }: { entityId: string }) => entityId === id).length, 1)
  assert.equal(await page(), 200)
  const strange = await aRequest((await service.tenant()).api)
  assert.equal((await restore(strange.id)).body.code, 'resource_not_found')
})

test('request languages: the recipient’s own, else the institution’s, and the same for reminders', async () => {
  const own = await service.tenant()
  const typeId = await aDocumentTypeId(own.api, 'birth_certificate')
  for (const [user, language] of [
    ['carmen', 'es-MX'],
    ['joana', 'pt'],
  ] as const) {
    await aUser(service, own, { email: `${user}@example.org`, roles: [] })
    await service.database.inspect('update users set language = $3 where tenant_id = $1 and name = $2', [
      own.id,
      `${user}@example.org`,
      language,
    ])
  }
  const contact = { displayName: 'Carmen', email: 'carmen@example.org', role: 'family', isPrimary: true }
  const child = await anApplication(own.api, { contacts: [contact] })
  const joana = await aStudent(own.api, { email: 'joana@example.org' })
  const unknown = await aStudent(own.api, { email: 'unknown@example.org' })
  await service.database.inspect(
    `update contacts set user_name = 'carmen@example.org' where tenant_id = $1 and display_name = 'Carmen'`,
    [own.id],
  )
  await service.database.inspect(
    `update students set user_name = 'joana@example.org' where tenant_id = $1 and id = $2`,
    [own.id, joana.id],
  )
  const { caller } = await aPerson(service, own)
  const students = [joana.id, unknown.id]
  const preview = async (entityType: string, entityIds: string[], locale?: string) => {
    const body = { entityType, entityIds, documentTypeIds: [typeId], ...(locale && { locale }) }
    const { data } = (await caller.send('POST', `${v1}/request-previews`, body)).body
    return data.asked.map((each: { locale: string }) => each.locale)
  }
  assert.deepEqual(await preview('application', [child.id]), ['es'])
  assert.deepEqual(await preview('student', students), ['pt', 'en'])
  assert.deepEqual(await preview('student', students, 'fr'), ['fr', 'fr'])
  for (const [entityType, entityId] of [
    ['application', child.id],
    ['student', joana.id],
    ['student', unknown.id],
  ]) {
    const asked = { entityType, entityId, documentTypeIds: [typeId], notify: true }
    const { status, body, text } = await caller.send('POST', `${v1}/vault/requests`, asked, keyed())
    assert.equal(status, 201, text)
    const reminders = `${v1}/vault/requests/${body.data.id}/reminders`
    assert.equal((await caller.send('POST', reminders, undefined, keyed())).status, 200)
  }
  const mails = await service.database.inspect<{ recipient: string; locale: string }>(
    'select distinct recipient, locale from outgoing_mails where tenant_id = $1 order by recipient, locale',
    [own.id],
  )
  assert.deepEqual(
    mails.map(({ recipient, locale }) => `${recipient} ${locale}`),
    ['carmen@example.org es', 'joana@example.org pt', 'unknown@example.org en'],
  )
})

test('request jobs: each match is mailed once; those without address or already requested are counted', async () => {
  const typeId = await aDocumentTypeId(api, 'birth_certificate')
  const first = await anApplication(api, { fullName: 'Copied Child', email: 'copied@example.org' })
  const unreached = await anApplication(api, { fullName: 'Unreached Child' })
  // More than a preview by hand allows.
  await copiesOfApplication(service, tenant, first.id, 309)
  const asking = { entityType: 'application', status: 'new', documentTypeIds: [typeId] }
  const all = (await api.get('/admissions/applications?status=new&limit=1')).body.pagination.total
  const preview = (body: object = asking, by = officer) => by.caller.send('POST', `${v1}/request-jobs/preview`, body)
  const begin = (body: object, key: string = randomUUID()) =>
    officer.caller.send('POST', `${v1}/request-jobs`, body, keyed(key))
  const over = async (id: string) => {
    const read = async () => (await officer.caller.get(`${v1}/bulk-jobs/${id}`)).body.data
    await until(
      async () => (await read()).finishedAt !== null,
      () => `the job ${id} to be over`,
    )
    return read()
  }
  const seen = (await preview()).body.data
  assert.deepEqual(
    [seen.matched, seen.total + seen.unreached + seen.complete + seen.alreadyAsked, seen.first.length],
    [all, all, 10],
  )
  assert.ok(seen.total >= 310 && seen.unreachedIds.includes(unreached.id), JSON.stringify(seen))
  const filters = [['application_status', '=', 'Applied']]
  const byFilter = await preview({ entityType: 'application', filters, documentTypeIds: [typeId] })
  assert.equal(byFilter.body.data?.total, seen.total, byFilter.text)
  assert.equal((await begin({ ...asking, expectedTotal: seen.total - 1 })).body.code, 'state_conflict')
  const key = randomUUID()
  const made = await begin({ ...asking, message: 'By Friday.', expectedTotal: seen.total }, key)
  assert.deepEqual([made.status, made.body.data?.action, made.body.data?.total], [201, 'ask', seen.total], made.text)
  const again = await begin({ ...asking, message: 'By Friday.', expectedTotal: seen.total }, key)
  assert.equal(again.body.data.id, made.body.data.id)
  const job = await over(made.body.data.id)
  assert.deepEqual([job.status, job.done, job.refused, job.canUndo], ['done', seen.total, 0, false])
  const [traces] = await service.database.inspect<object>(
    `select count(*)::int as requests, count(distinct r.application_id)::int as families, count(m.id)::int as mails,
            (select count(*)::int from audit_entries a
              where a.tenant_id = $1 and a.request_id = $2 and a.action = 'vault_request.created' and a.actor_id = $3) as audits
       from document_requests r
       left join outgoing_mails m on m.tenant_id = $1 and m.entity_id = r.id
      where r.tenant_id = $1 and r.message = 'By Friday.'`,
    [tenant.id, job.id, officer.id],
  )
  const { total } = seen
  assert.deepEqual(traces, { requests: total, families: total, mails: total, audits: total })
  const left = (await preview()).body.data
  assert.deepEqual([left.matched, left.total, left.unreached], [all, 0, seen.unreached])
  // A job created before other requests finds them and requests nothing twice.
  const late = randomUUID()
  await service.database.inspect(
    `with made as (
       insert into bulk_jobs (tenant_id, id, type, action, changes, user_id, user_name, total)
       values ($1, $2, 'Student Applicant', 'ask', jsonb_build_object('documentTypeIds', jsonb_build_array($5::text)), $3, $4, 1))
     select 1`,
    [tenant.id, late, officer.id, officer.email, typeId],
  )
  await service.database.inspect(
    `insert into bulk_job_items (tenant_id, job_id, place, type, name) values ($1, $2, 1, 'Student Applicant', $3)`,
    [tenant.id, late, first.applicationCode],
  )
  const ids = [unreached.id]
  const nobody = await begin({ entityType: 'application', entityIds: ids, documentTypeIds: [typeId] })
  assert.equal(nobody.body.data.total, 0, nobody.text)
  const found = await over(late)
  assert.deepEqual([found.done, found.refused], [0, 1])
  const validationErrors = await officer.caller.get(`${v1}/bulk-jobs/${late}/faults`)
  assert.deepEqual(
    validationErrors.body.data.map(({ name, detail }: { name: string; detail: string }) => [name, detail]),
    [[first.applicationCode, 'Every missing document is requested already.']],
  )
  const otherTenant = await anApplication((await service.tenant()).api, { email: 'other@example.org' })
  for (const [sent, code] of [
    [{ entityType: 'application', entityIds: [otherTenant.id], documentTypeIds: [typeId] }, 'reference_not_found'],
    [{ entityType: 'application', names: ['none'], documentTypeIds: [typeId] }, 'reference_not_found'],
    [{ ...asking, fromRequirements: true }, 'validation_failed'],
    [{ ...asking, filters }, 'validation_failed'],
    [{ ...asking, entityType: 'student' }, 'validation_failed'],
    [{ entityType: 'application', documentTypeIds: [typeId] }, 'validation_failed'],
    [{ entityType: 'application', filters: [['nothing', '=', 1]], documentTypeIds: [typeId] }, 'validation_failed'],
  ] as const) {
    assert.equal((await preview(sent)).body.code, code, JSON.stringify(sent))
  }
  const bursar = await aPerson(service, tenant, ['Accounts User'])
  assert.equal((await preview(asking, bursar)).status, 403)
})

test('request jobs: after a kill another process continues and mails nobody twice', async (t) => {
  const institution = await service.tenant()
  const { id } = await anApplication(institution.api, { fullName: 'Kept Child', email: 'kept@example.org' })
  const typeId = await aDocumentTypeId(institution.api, 'birth_certificate')
  await copiesOfApplication(service, institution, id, 299)
  const { caller } = await aPerson(service, institution, ['Admissions Officer'])
  const other = await launchService({
    DATABASE_URL: getUrl(service.database.connection),
    SECRET_KEY: service.secretKey,
    DATA_DIR: await aFolder((remove) => t.after(remove)),
  })
  t.after(() => other.child.kill('SIGKILL'))
  await untilReady(other)
  const asking = { entityType: 'application', documentTypeIds: [typeId] }
  const made = await caller
    .at(`${other.address}/t/${institution.slug}`)
    .send('POST', `${v1}/request-jobs`, { ...asking, status: 'new', expectedTotal: 300 }, keyed())
  assert.equal(made.status, 201, made.text)
  const read = async (job: string) => (await caller.get(`${v1}/bulk-jobs/${job}`)).body.data
  await until(async () => (await read(made.body.data.id)).done > 10, 'some families are asked')
  other.child.kill('SIGKILL')
  await other.ended
  const left = await read(made.body.data.id)
  assert.ok(left.status === 'running' && left.done < 300, JSON.stringify(left))
  // Creating the next job wakes the waiting ones.
  assert.equal((await caller.send('POST', `${v1}/request-jobs`, { ...asking, entityIds: [id] }, keyed())).status, 201)
  await until(async () => (await read(made.body.data.id)).finishedAt !== null, 'the job is over')
  const job = await read(made.body.data.id)
  assert.deepEqual([job.status, job.done, job.refused], ['done', 300, 0])
  assert.deepEqual(await askedIn(institution), { requests: 300, families: 300, mails: 300, audits: 300, events: 300 })
})

test('request jobs: a cancelled one sends no more mails, and reports how many it sent', async () => {
  const institution = await service.tenant()
  const { id } = await anApplication(institution.api, { fullName: 'Cancelled Child', email: 'some@example.org' })
  const typeId = await aDocumentTypeId(institution.api, 'birth_certificate')
  await copiesOfApplication(service, institution, id, 299)
  const { caller } = await aPerson(service, institution, ['Admissions Officer'])
  const asking = { entityType: 'application', status: 'new', documentTypeIds: [typeId] }
  const made = await caller.send('POST', `${v1}/request-jobs`, asking, keyed())
  const job = `${v1}/bulk-jobs/${made.body.data.id}`
  await until(async () => (await caller.get(job)).body.data.done > 3, 'some families are asked')
  const cancelled = await caller.send('POST', `${job}/cancel`)
  assert.deepEqual([cancelled.status, cancelled.body.data.status], [200, 'cancelled'], cancelled.text)
  const { done } = cancelled.body.data
  assert.ok(done > 3 && done < 300, String(done))
  // The next job waits until this one has released its record.
  const next = await caller.send('POST', `${v1}/request-jobs`, { ...asking, expectedTotal: 300 - done }, keyed())
  assert.equal(next.status, 201, next.text)
  const rest = `${v1}/bulk-jobs/${next.body.data.id}`
  await until(async () => (await caller.get(rest)).body.data.finishedAt !== null, 'the others are asked')
  assert.deepEqual(
    [(await caller.get(job)).body.data.done, (await caller.get(rest)).body.data.done],
    [done, 300 - done],
  )
  assert.deepEqual(await askedIn(institution), { requests: 300, families: 300, mails: 300, audits: 300, events: 300 })
})

/** The requests of an institution. */
async function askedIn({ id }: { readonly id: string }): Promise<object | undefined> {
  const [counts] = await service.database.inspectAt<object>(
    id,
    `select count(*)::int as requests, count(distinct application_id)::int as families,
            (select count(*)::int from outgoing_mails where tenant_id = $1) as mails,
            (select count(*)::int from audit_entries where tenant_id = $1 and action = 'vault_request.created') as audits,
            (select count(*)::int from events where tenant_id = $1 and type = 'vault_request.created') as events
       from document_requests where tenant_id = $1`,
    [id],
  )
  return counts
}
