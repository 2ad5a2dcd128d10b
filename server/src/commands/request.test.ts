import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadCommandLine } from '../testing/fixtures/command-line.ts'
import { anApplication, aStudent, aSubmission, aTemplate } from '../testing/fixtures/factories.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'

const service = await startTestService()
const { run, json } = await loadCommandLine(service)

const loadMails = (tenantId: string) =>
  service.database.inspect<{ kind: string; recipient: string; locale: string }>(
    'select kind, recipient, locale from outgoing_mails where tenant_id = $1 order by created_at, id',
    [tenantId],
  )

test('a family is asked on the command line: the link opens its page, a reminder is mailed, and a revoked request is closed', async () => {
  const tenant = await service.tenant()
  const { slug } = tenant
  const student = await aStudent(tenant.api)
  const environment = { SECRET_KEY: service.secretKey, PUBLIC_URL: service.address }
  const args = ['request', 'create', '--tenant', slug, '--student', student.studentCode]
  const asked = ['--types', 'birth_certificate', '--email', 'carmen@example.org', '--name', 'Carmen', '--locale', 'fr']
  const { request, url } = await json([...args, ...asked, '--days', '7', '--notify'], { environment })
  assert.deepEqual([request.status, request.items.length, request.recipient.email], ['open', 1, 'carmen@example.org'])
  const page = await fetch(url)
  assert.deepEqual([page.status, /<html lang="fr">/.test(await page.text())], [200, true])
  const listed = await json(['request', 'list', '--tenant', slug])
  assert.deepEqual([listed.total, listed.requests.map(({ id }: { id: string }) => id)], [1, [request.id]])
  await json(['request', 'remind', request.id, '--tenant', slug])
  assert.deepEqual(
    (await loadMails(tenant.id)).map(({ kind, recipient, locale }) => [kind, recipient, locale]),
    [
      ['document_request', 'carmen@example.org', 'fr'],
      ['document_request', 'carmen@example.org', 'fr'],
    ],
  )
  const revoked = await json(['request', 'revoke', request.id, '--tenant', slug, '--reason', 'Sent twice'])
  assert.deepEqual([revoked.request.status, revoked.request.revokedReason], ['revoked', 'Sent twice'])
  assert.equal((await fetch(url)).status, 410)
  const { audit, events } = await tenant.traces(request.id)
  // Updated by the visit of its page.
  assert.deepEqual(audit, [
    'vault_request.created',
    'vault_request.updated',
    'vault_request.reminded',
    'vault_request.revoked',
  ])
  assert.deepEqual(events, ['vault_request.created', 'vault_request.updated', 'vault_request.revoked'])
})

test('what cannot be asked is refused with what would be right', async () => {
  const tenant = await service.tenant()
  const on = ['--tenant', tenant.slug]
  const { applicationCode } = await anApplication(tenant.api)
  const made = await json(['request', 'create', ...on, '--application', applicationCode, '--types', 'transcript'])
  await json(['request', 'revoke', made.request.id, ...on])
  for (const [argv, code, said] of [
    [['create', ...on], 'wrong_usage', '--student or --application'],
    [['create', ...on, '--student', 'nobody'], 'not_found', 'There is no student nobody'],
    [
      ['create', ...on, '--application', applicationCode, '--types', 'diploma_of_nobody'],
      'not_found',
      'birth_certificate',
    ],
    [['create', ...on, '--application', applicationCode, '--locale', 'xx'], 'invalid_value', 'en, es, fr, pt'],
    [['create', ...on, '--application', applicationCode, '--days', '900'], 'invalid_value', '90'],
    [['list', ...on, '--status', 'lost'], 'invalid_value', 'open'],
    [['remind', made.request.id, ...on], 'state_conflict', 'revoked'],
    [['remind', 'x', ...on], 'invalid_value', 'request list'],
    [['revoke', '01985b2e-5a00-7000-8000-00000000000a', ...on], 'resource_not_found', 'no document request'],
  ] as const) {
    const { stdout, code: exit } = await run(['request', ...argv, '--json'])
    const { error } = JSON.parse(stdout)
    assert.deepEqual([error.code, error.message.includes(said) || error.message], [code, true])
    assert.ok(exit === 1 || exit === 2)
  }
})

test('stats tell how many records each tenant has', async () => {
  const tenant = await service.tenant()
  await aStudent(tenant.api)
  await aStudent(tenant.api)
  const { tenants, databaseBytes } = await json(['stats'])
  const mine = tenants.find(({ slug }: { slug: string }) => slug === tenant.slug)
  assert.deepEqual([mine.records.student, mine.users, mine.status], [2, 0, 'active'])
  assert.ok(databaseBytes > 1_000_000)
})

test('the reference of a receipt leads to what was received, however it is typed, in its own institution alone', async () => {
  const tenant = await service.tenant()
  const template = await aTemplate(service, tenant, { name: 'Leave' })
  const student = await aStudent(tenant.api)
  const { id } = await aSubmission(service, tenant, template, { studentId: student.id })
  const digits = id.slice(-10).toUpperCase()
  const argv = (reference: string, { slug } = tenant) => ['receipt', reference, '--tenant', slug]
  const found = { kind: 'form submission', id, title: 'Leave', fullName: student.fullName, code: student.studentCode }
  for (const reference of [digits, `${digits.slice(0, 5)}-${digits.slice(5)}`, digits.toLowerCase()]) {
    const { received } = await json(argv(reference))
    assert.deepEqual(
      received.map(({ receivedAt: _, ...rest }: Record<string, string>) => rest),
      [found],
    )
  }
  const rejections = [
    [await run(argv(digits, await service.tenant())), 1, /Nothing was received under/],
    [await run(argv('none')), 2, /none is not a reference/],
  ] as const
  for (const [{ code, stderr }, expected, reported] of rejections) {
    assert.equal(code, expected)
    assert.match(stderr, reported)
  }
})
