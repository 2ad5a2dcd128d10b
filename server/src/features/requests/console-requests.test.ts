import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  aDocumentTypeId,
  anApplication,
  aPerson,
  aProfile,
  aRequest,
  aStudent,
  aUser,
} from '../../testing/factories.ts'
import { until } from '../../testing/service-process.ts'
import { startTestService } from '../../testing/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const { api } = tenant
const officer = await aPerson(service, tenant, ['Admissions Officer'])
const v1 = '/console/v1'
const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key })

test('a preview tells of each who would be asked for what, in which language and without which address, and asks nobody', async () => {
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
  const stranger = await anApplication((await service.tenant()).api)
  const typeId = await aDocumentTypeId(api, 'birth_certificate')
  for (const [sent, code] of [
    [{ entityType: 'application', entityIds: [stranger.id], fromRequirements: true }, 'reference_not_found'],
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

test('a reminder puts the mail out once for a key, with audit, and not of a request that takes nothing any more', async () => {
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

test('each family is written to in the language of its own user, of the institution where none is known, and reminded in the same', async () => {
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
