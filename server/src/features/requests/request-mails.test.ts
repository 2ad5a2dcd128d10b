import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobsOver } from '../../app/composition.ts'
import { Mailer } from '../../mail/index.ts'
import { getHeader, getText, startTestMailServer } from '../../mail/smtp-server.fixture.ts'
import { aDocumentTypeId, aRequest, aStudent, pdf } from '../../testing/fixtures/factories.ts'
import { until } from '../../testing/fixtures/service-process.ts'
import { startTestService, type TestTenant } from '../../testing/fixtures/test-service.ts'
import { afterFile } from '../../testing/runner/file-end.ts'

const server = await startTestMailServer()
const mail = { smtpUrl: server.url, mailFrom: 'Matricula <office@matricula.example>' }
const service = await startTestService({ mail })
const mailer = new Mailer(mail)
afterFile(async () => {
  mailer.close()
  await server.close()
})

const config = {
  mailKeepDays: 90,
  secretKey: service.secretKey,
  publicUrl: 'https://matricula.example',
  cardGatewayUrl: 'http://127.0.0.1:9',
}
const lines: string[] = []
const keep = (facts: object, message: string) => void lines.push(JSON.stringify({ ...facts, message }))
const log = { info: keep, warn: keep } as unknown as Parameters<typeof jobsOver>[3]

async function sendMails(tenant: TestTenant, by: Mailer | null = mailer): Promise<void> {
  const job = jobsOver(service.files, by, config, log).find(({ name }) => name === 'outgoing-mails')
  await job?.run(service.data, tenant)
}

interface MailRow {
  attempts: number
  is_sent: boolean
  is_given_up: boolean
  last_error: string | null
  waits: number
}

async function loadMails({ id }: TestTenant): Promise<MailRow[]> {
  return service.database.inspect<MailRow>(
    `select attempts, sent_at is not null as is_sent, failed_at is not null as is_given_up, last_error,
            round(extract(epoch from next_attempt_at - now()) / 60)::int as waits
       from outgoing_mails where tenant_id = $1 order by created_at, id`,
    [id],
  )
}

/** One second ago: timestamps are stored in whole milliseconds and may be rounded up. */
async function makeDue({ id }: TestTenant): Promise<void> {
  await service.database.inspect(
    `update outgoing_mails set next_attempt_at = now() - interval '1 second' where tenant_id = $1`,
    [id],
  )
}

function asked(email: string, body: object = {}): object {
  return { recipient: { name: 'Carmen', email }, notify: true, ...body }
}

function takenBy(email: string): string[] {
  return server.taken.filter(({ to }) => to.includes(email)).map(({ message }) => message)
}

test('request mails: link, institution, documents and deadline, in the request’s language', async () => {
  const tenant = await service.tenant({ name: 'Colegio Ñandú', timeZone: 'America/Bogota' })
  for (const [locale, subject, phrases] of [
    ['en', 'Document request', ['Hello Carmen,', 'requests these documents from you:', '- Birth certificate', 'by ']],
    [
      'es',
      'Solicitud de documentos',
      ['Hola, Carmen:', 'le solicita estos documentos:', '- Acta de nacimiento', 'a más tardar el '],
    ],
    [
      'pt',
      'Solicitação de documentos',
      ['Olá, Carmen,', 'solicita estes documentos:', '- Certidão de nascimento', 'até '],
    ],
    [
      'fr',
      'Demande de documents',
      ['Bonjour Carmen,', 'vous demande ces documents :', '- Acte de naissance', 'au plus tard le '],
    ],
  ] as const) {
    const email = `carmen.${locale}@example.org`
    const request = await aRequest(tenant.api, asked(email, { locale, message: '¡Gracias!', expiresInDays: 7 }))
    await sendMails(tenant)
    const [message, ...others] = takenBy(email)
    assert.ok(message !== undefined && others.length === 0)
    const text = getText(message)
    assert.equal(getHeader(message, 'subject'), `Colegio Ñandú: ${subject}`)
    assert.equal(getHeader(message, 'from'), 'Matricula <office@matricula.example>')
    assert.equal(getHeader(message, 'auto-submitted'), 'auto-generated')
    const day = new Date(request.expiresAt).toLocaleDateString(locale, { day: 'numeric', timeZone: 'America/Bogota' })
    const facts = [request.publicUrl as string, 'Colegio Ñandú', '¡Gracias!', day]
    for (const part of [...phrases, ...facts]) assert.ok(text.includes(part), `${part} in ${text}`)
  }
})

test('request mails: in the institution’s language by default; none without notify', async () => {
  const tenant = await service.tenant()
  await aRequest(tenant.api, asked('english@example.org'))
  await aRequest(tenant.api, asked('untold@example.org', { notify: false }))
  await sendMails(tenant)
  assert.match(getText(takenBy('english@example.org')[0] as string), /^Hello Carmen,/)
  assert.deepEqual(takenBy('untold@example.org'), [])
})

test('request mails: sent once; the link is neither stored nor logged', async () => {
  const tenant = await service.tenant()
  const { publicUrl } = await aRequest(tenant.api, asked('once@example.org'))
  await sendMails(tenant)
  await makeDue(tenant)
  await sendMails(tenant)
  assert.equal(takenBy('once@example.org').length, 1)
  assert.deepEqual(await loadMails(tenant), [
    { attempts: 1, is_sent: true, is_given_up: false, last_error: null, waits: 0 },
  ])
  const token = publicUrl?.split('/').at(-1) as string
  const stored = await service.database.inspect<{ row: string }>('select m::text as row from outgoing_mails m')
  const written = [...stored.map(({ row }) => row), ...lines, ...service.logged].join('\n')
  assert.ok(written.includes(tenant.id) && !written.includes(token) && !lines.join().includes('once@example.org'))
})

test('request mails: a temporary failure is retried at growing intervals for a day', async () => {
  const tenant = await service.tenant()
  await aRequest(tenant.api, asked('busy@example.org'))
  server.refused.set('busy@example.org', 451)
  const waits: number[] = []
  await until(async () => {
    await makeDue(tenant)
    await sendMails(tenant)
    const [mail] = await loadMails(tenant)
    assert.deepEqual([mail?.is_sent, mail?.last_error], [false, 'EENVELOPE 451'])
    if (mail?.is_given_up === true) return true
    waits.push(mail?.waits as number)
    return false
  }, 'giving the mail up')
  assert.deepEqual(waits.slice(0, 8), [1, 2, 4, 8, 16, 32, 64, 120])
  const minutes = waits.reduce((sum, wait) => sum + wait, 0)
  assert.ok(minutes >= 24 * 60 && minutes < 26 * 60, String(minutes))
  server.refused.clear()
  await makeDue(tenant)
  await sendMails(tenant)
  assert.deepEqual(takenBy('busy@example.org'), [])
})

test('request mails: a permanent rejection fails at once and does not delay others', async () => {
  const tenant = await service.tenant()
  server.refused.set('gone@example.org', 550)
  await aRequest(tenant.api, asked('gone@example.org'))
  await aRequest(tenant.api, asked('there@example.org'))
  await sendMails(tenant)
  assert.deepEqual(
    (await loadMails(tenant)).map(({ is_sent, is_given_up }) => [is_sent, is_given_up]),
    [
      [false, true],
      [true, false],
    ],
  )
})

test('request mails: wait while the server is unavailable', async () => {
  const tenant = await service.tenant()
  const away = await startTestMailServer()
  const port = Number(new URL(away.url).port)
  await away.close()
  const other = new Mailer({ smtpUrl: away.url, mailFrom: 'office@matricula.example' })
  await aRequest(tenant.api, asked('patient@example.org'))
  await sendMails(tenant, other)
  const [waiting] = await loadMails(tenant)
  assert.deepEqual([waiting?.is_sent, waiting?.is_given_up, waiting?.attempts], [false, false, 1])
  const back = await startTestMailServer(port)
  await makeDue(tenant)
  await sendMails(tenant, other)
  assert.equal(back.taken.length, 1)
  assert.equal((await loadMails(tenant))[0]?.is_sent, true)
  other.close()
  await back.close()
})

test('receipts: mailed once after submission, with person, documents and local time', async () => {
  const tenant = await service.tenant({ name: 'Colegio Ñandú', timeZone: 'America/Bogota' })
  const documentTypeId = await aDocumentTypeId(tenant.api, 'birth_certificate')
  const student = await aStudent(tenant.api, { fullName: 'Ada Byron' })
  const request = await aRequest(tenant.api, {
    ...asked('receipt@example.org', { notify: false }),
    entityId: student.id,
    items: [{ documentTypeId }],
  })
  const url = (request.publicUrl as string).replace('https://matricula.example', service.address)
  const body = new FormData()
  body.append('file', new Blob([pdf as never], { type: 'application/pdf' }), 'acta.pdf')
  await fetch(`${url}/items/${request.items[0]?.id}`, { method: 'POST', body })
  for (let time = 0; time < 2; time += 1) await fetch(`${url}/submit?lang=es`, { method: 'POST' })
  await sendMails(tenant)
  const [message, ...others] = takenBy('receipt@example.org')
  assert.deepEqual(others, [])
  const text = getText(message as string)
  const digits = request.id.slice(-10).toUpperCase()
  const reference = `${digits.slice(0, 5)}-${digits.slice(5)}`
  assert.equal(getHeader(message as string, 'subject'), 'Colegio Ñandú: Comprobante')
  for (const part of [
    '- Acta de nacimiento: acta.pdf (',
    `Para Ada Byron (${student.studentCode})`,
    'GMT-5',
    reference,
  ]) {
    assert.ok(text.includes(part), `${part} in ${text}`)
  }
  const page = await (await fetch(`${url}/receipt?lang=en`)).text()
  for (const part of ['For Ada Byron', student.studentCode, 'acta.pdf', reference]) assert.ok(page.includes(part), page)
  assert.ok(!(await (await fetch(url)).text()).includes('Byron'))
})

test('request mails: none after the request is revoked', async () => {
  const tenant = await service.tenant()
  const { id } = await aRequest(tenant.api, asked('late@example.org'))
  await tenant.api.patch(`/vault/requests/${id}`, { status: 'revoked' })
  await sendMails(tenant)
  assert.deepEqual(takenBy('late@example.org'), [])
  assert.equal((await loadMails(tenant))[0]?.is_given_up, true)
})

test('request mails: without a mail server the response is the same, and the log says so', async () => {
  const tenant = await service.tenant()
  const request = await aRequest(tenant.api, asked('unsent@example.org'))
  assert.deepEqual([request.status, request.recipient.email], ['open', 'unsent@example.org'])
  await sendMails(tenant, null)
  const said = lines.filter((line) => line.includes(tenant.slug))
  assert.equal(said.length, 1)
  assert.match(said[0] as string, /no mail was sent: SMTP_URL is not set/)
  await makeDue(tenant)
  await sendMails(tenant)
  assert.deepEqual(takenBy('unsent@example.org'), [])
})

test('request mails: none for a rejected or repeated creation', async () => {
  const tenant = await service.tenant()
  const body = { entityType: 'student', entityId: (await aRequest(tenant.api)).entityId, fromRequirements: true }
  assert.equal((await tenant.api.post('/vault/requests', { ...body, ...asked('no@example.org') })).status, 422)
  assert.deepEqual(await loadMails(tenant), [])
  const types = await tenant.api.get('/vault/document-types')
  const { fromRequirements: _, ...owner } = body
  const valid = { ...owner, ...asked('yes@example.org'), documentTypeIds: [types.body.data[0].id] }
  const headers = { 'idempotency-key': 'mail-once' }
  const answers = [
    await tenant.api.post('/vault/requests', valid, headers),
    await tenant.api.post('/vault/requests', valid, headers),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  )
  assert.equal((await loadMails(tenant)).length, 1)
})
