import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { jobsOver } from '../../../app/composition.ts'
import { clientOptions, loadServer } from '../../../database/index.ts'
import { Mailer } from '../../../mail/index.ts'
import { getHeader, getText, startTestMailServer } from '../../../mail/smtp-server.fixture.ts'
import { altered } from '../../../testing/fixtures/altered.ts'
import { aQuestion, aStudent, aTemplate } from '../../../testing/fixtures/factories.ts'
import { until } from '../../../testing/fixtures/service-process.ts'
import { startTestService, type TestTenant } from '../../../testing/fixtures/test-service.ts'
import { afterFile } from '../../../testing/runner/file-end.ts'
import { studentFormUrl } from '../index.ts'

const server = await startTestMailServer()
const mail = { smtpUrl: server.url, mailFrom: 'Matricula <office@matricula.example>' }
const service = await startTestService({ mail })
const mailer = new Mailer(mail)
afterFile(async () => {
  mailer.close()
  await server.close()
})
/** The smallest picture in PNG. */
const photo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function aForm(settings: Parameters<typeof aTemplate>[2], owner?: TestTenant) {
  const tenant = owner ?? (await service.tenant())
  const template = await aTemplate(service, tenant, settings)
  const url = (template.publicUrl as string).replace('https://matricula.example', service.address)
  const submissions = async () => (await tenant.api.get(`/forms/submissions?templateId=${template.id}`)).body.data
  return { tenant, template, url, submissions }
}

const config = {
  secretKey: service.secretKey,
  publicUrl: 'https://matricula.example',
  cardGatewayUrl: 'http://127.0.0.1:9',
  mailKeepDays: 90,
}
const silent = { info: () => {}, warn: () => {} } as unknown as Parameters<typeof jobsOver>[3]

async function runJob(tenant: TestTenant, name: string): Promise<void> {
  const job = jobsOver(service.files, mailer, config, silent).find((one) => one.name === name)
  await job?.run(service.data, tenant)
}

const mailsTo = (email: string) => server.taken.filter(({ to }) => to.includes(email)).map(({ message }) => message)
const getReference = (id: string) =>
  id
    .slice(-10)
    .toUpperCase()
    .replace(/^(.{5})/, '$1-')

const get = (url: string) => fetch(url, { redirect: 'manual' })

function post(url: string, fields: Record<string, string | string[] | Blob>): Promise<Response> {
  const body = new FormData()
  body.append('submission', randomUUID())
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.set(name, value)
    else if (Array.isArray(value)) for (const text of value) body.append(name, text)
    else body.append(name, value, 'paper.png')
  }
  return fetch(url, { method: 'POST', redirect: 'manual', body })
}

function next(response: Response, from: string): string {
  return new URL(response.headers.get('location') as string, from).href
}

const admission = {
  entityType: 'application',
  sections: [{ key: 'about', title: 'About you' }],
  fields: [
    aQuestion('name', { label: 'Full name', isRequired: true, section: 'about', validation: { maxLength: 20 } }),
    aQuestion('tongues', {
      type: 'multiselect',
      section: 'about',
      options: ['en', 'es', 'fr'].map((value) => ({ value, label: value })),
    }),
    aQuestion('proof', { label: 'Proof', type: 'file', isRequired: true, validation: { documentTypeKey: 'photo' } }),
  ],
  mapping: { name: 'fullName' },
} as const

test('the page of a form: submitting makes a submission and an application with its file, and redirects to the receipt', async () => {
  const { url, submissions, tenant } = await aForm(admission as never)
  const response = await post(`${url}?lang=es`, {
    'answer.name': 'Ada Byron',
    'answer.tongues': ['fr', 'en'],
    'answer.proof': new Blob([photo]),
  })
  assert.equal(response.status, 303)
  const [submission, ...others] = await submissions()
  assert.deepEqual(others, [])
  assert.deepEqual([submission.values.name, submission.values.tongues], ['Ada Byron', ['en', 'fr']])
  assert.equal(
    (await tenant.api.get(`/admissions/applications/${submission.entityId}`)).body.data.fullName,
    'Ada Byron',
  )
  assert.equal(submission.files.length, 1)
  assert.deepEqual((await tenant.traces(submission.id)).events, ['form_submission.created'])
  const receipt = await get(next(response, url))
  assert.equal(receipt.status, 200)
  const html = await receipt.text()
  assert.ok(html.includes('Su formulario fue enviado') && html.includes(getReference(submission.id)))
  const application = (await tenant.api.get(`/admissions/applications/${submission.entityId}`)).body.data
  assert.ok(
    html.includes(`Para Ada Byron (${application.applicationCode})`) &&
      html.includes('paper.png') &&
      !html.includes('fr,'),
  )
})

test('the page of a form: errors are shown at their question and at the top, with the entered answers', async () => {
  const { url, submissions } = await aForm(admission as never)
  const response = await post(url, { 'answer.name': 'Ada <Byron> of a long house', 'answer.proof': new Blob(['no']) })
  assert.equal(response.status, 400)
  const html = await response.text()
  assert.match(html, /<a href="#field-name">Full name: Write at most 20 characters\.<\/a>/)
  assert.match(html, /<a href="#field-proof">Proof: This kind of file is not accepted\./)
  assert.match(html, /value="Ada &#60;Byron&#62; of a long house"/)
  assert.deepEqual(await submissions(), [])
})

test('the page of a form: the same page sent twice makes one submission', async () => {
  const { url, submissions } = await aForm({})
  const submission = /name="submission" value="([^"]+)"/.exec(await (await get(url)).text())?.[1] as string
  const answers = [
    await post(url, { submission, 'answer.reason': 'x' }),
    await post(url, { submission, 'answer.reason': 'x' }),
  ]
  assert.equal(next(answers[0] as Response, url), next(answers[1] as Response, url))
  assert.equal((await submissions()).length, 1)
})

test('the page of a form: an answer to a removed question is reported, with the entered answers', async () => {
  const { url, tenant, template, submissions } = await aForm({ fields: [aQuestion('reason'), aQuestion('gone')] })
  await aTemplate(service, tenant, { key: template.key, fields: [aQuestion('reason'), aQuestion('days')] })
  const response = await post(url, { 'answer.gone': 'x', 'answer.reason': 'A wedding' })
  const html = await response.text()
  assert.equal(response.status, 400)
  assert.ok(html.includes('value="A wedding"') && html.includes('Something went wrong.'))
  assert.deepEqual(await submissions(), [])
})

test('the student link of a form: shows the student’s first name; no other link does', async () => {
  const { tenant, template, submissions } = await aForm({ entityType: 'student' })
  const student = await aStudent(tenant.api, { fullName: 'Ada Byron', email: 'ada.byron@school.example' })
  const link = studentFormUrl(
    { publicUrl: service.address, secretKey: service.secretKey },
    { tenantSlug: tenant.slug, key: template.key },
    { tenantId: tenant.id, templateId: template.id, studentId: student.id },
  )
  const html = await (await get(link)).text()
  assert.ok(html.includes('For Ada') && !html.includes('Byron'))
  assert.equal((await post(link, { 'answer.reason': 'A wedding' })).status, 303)
  assert.equal((await submissions())[0].entityId, student.id)
  const saved = next(await post(link, { 'answer.reason': 'Later', save: 'yes' }), link)
  const later = await (await get(saved)).text()
  assert.ok(later.includes('For Ada') && later.includes('Later') && !later.includes('Byron'))
  assert.equal((await post(saved, { 'answer.reason': 'Now' })).status, 303)
  assert.deepEqual(
    (await submissions()).map(({ entityId }: { entityId: string }) => entityId),
    [student.id, student.id],
  )
  await runJob(tenant, 'outgoing-mails')
  assert.equal(mailsTo('ada.byron@school.example').length, 2, 'a receipt of each')
  assert.equal((await get(altered(link))).status, 404)
})

test('the page of a form: an unknown form and an unknown receipt are 404', async () => {
  const { url } = await aForm({})
  const other = await aForm({})
  const sent = next(await post(other.url, { 'answer.reason': 'x' }), other.url)
  for (const address of [
    `${url}x`,
    `${url}/receipt/x`,
    sent.replace(other.url, url),
    url.replace(/\/f\/[^/]+/, '/f/nobody'),
  ]) {
    assert.equal((await get(address)).status, 404, address)
  }
  assert.equal((await get(sent)).status, 200)
})

const proof = () => new Blob([photo])
const saved = (address: string) => get(address).then((response) => response.text())

test('a draft of a form: saved with its files under a link of its own, changed there, and submitted once', async () => {
  const { url, tenant, submissions } = await aForm(admission as never)
  const submission = randomUUID()
  const typed = { submission, 'answer.name': 'Ada', 'answer.tongues': ['fr'] }
  const first = await post(`${url}?lang=es`, { ...typed, 'answer.proof': proof(), save: 'yes' })
  const link = next(first, url)
  assert.equal(first.status, 303)
  assert.match(link, new RegExp(`^${url}/draft/[\\w-]{54}\\?lang=es$`))
  assert.equal(
    next(await post(url, { ...typed, save: 'yes' }), url),
    link.replace('?lang=es', ''),
    'saved again is one',
  )
  assert.deepEqual(await submissions(), [])
  const page = await saved(link)
  assert.match(
    page,
    /Recibido: paper\.png[\s\S]*value="Ada"[\s\S]*value="fr" checked[\s\S]*Guardar y continuar después/,
  )
  assert.match(page, /Todavía no se han enviado\.[\s\S]*Se conservan hasta el/)
  const rejected = await post(link, { ...typed, 'answer.name': 'Ada Byron of a very long house' })
  assert.equal(rejected.status, 400)
  assert.match(await rejected.text(), /Recibido: paper\.png/)
  const [document] = (await tenant.api.get('/vault/documents')).body.data
  const answers = await Promise.all([1, 2].map(() => post(link, { ...typed, 'answer.name': 'Ada Byron' })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303],
  )
  const [sent, ...others] = await submissions()
  assert.deepEqual(others, [])
  assert.deepEqual([sent.values.name, sent.values.proof], ['Ada Byron', [document.id]])
  assert.equal(next(await get(link), link), `${url}/receipt/${sent.id}?lang=es`, 'the link leads to the receipt')
  const left = await service.database.inspect('select 1 from form_drafts where tenant_id = $1', [tenant.id])
  assert.deepEqual(left, [])
})

test('a draft of a form: the job keeps its files; the user removes or replaces them; they are archived on expiry', async () => {
  const { url, tenant } = await aForm(admission as never)
  const typed = { submission: randomUUID(), 'answer.name': 'Ada', save: 'yes' }
  const link = next(await post(url, { ...typed, 'answer.proof': proof() }), url)
  const statuses = async () =>
    (await tenant.api.get('/vault/documents')).body.data.map(({ status }: { status: string }) => status).sort()
  await service.database.inspect(`update documents set created_at = now() - interval '2 days' where tenant_id = $1`, [
    tenant.id,
  ])
  await runJob(tenant, 'form-files')
  assert.deepEqual(await statuses(), ['approved'])
  await post(link, { ...typed, 'answer.proof': proof() })
  assert.deepEqual(await statuses(), ['approved', 'archived'])
  const remove = /name="remove" value="([\w-]+)"/.exec(await saved(link))?.[1] as string
  await post(link, { ...typed, remove })
  assert.deepEqual(await statuses(), ['archived', 'archived'])
  assert.doesNotMatch(await saved(link), /paper\.png/)
  await post(link, { ...typed, 'answer.proof': proof() })
  await service.database.inspect(`update form_drafts set expires_at = now() - interval '1 s' where tenant_id = $1`, [
    tenant.id,
  ])
  assert.equal((await get(link)).status, 410)
  assert.equal((await post(link, { ...typed, 'answer.name': 'late' })).status, 410)
  await runJob(tenant, 'form-drafts')
  assert.deepEqual(await statuses(), ['archived', 'archived', 'archived'])
  const closed = await get(link)
  assert.deepEqual([closed.status, (await closed.text()).includes('Ada')], [410, false])
})

test('a draft of a form: a file that is saved again after a lost response is stored once', async () => {
  const { url, tenant } = await aForm({
    fields: [aQuestion('proof', { type: 'file', validation: { documentTypeKey: 'photo', maxItems: 3 } })],
  })
  const typed = { submission: randomUUID(), save: 'yes' }
  const kept = async () => [...(await saved(link)).matchAll(/name="remove" value="([\w-]+)"/g)].map(([, id]) => id)
  const link = next(await post(url, { ...typed, 'answer.proof': proof() }), url)
  const first = await kept()
  await post(url, { ...typed, 'answer.proof': proof() })
  await post(link, { ...typed, 'answer.proof': proof() })
  assert.deepEqual([first.length, await kept()], [1, first])
  await post(link, { ...typed, 'answer.proof': new Blob([Buffer.concat([photo, Buffer.from('more')])]) })
  assert.equal((await kept()).length, 2)
  const living = (await tenant.api.get('/vault/documents')).body.data.filter(
    ({ status }: { status: string }) => status !== 'archived',
  )
  assert.equal(living.length, 2)
})

test('a draft of a form: of two files saved at once for a question that takes one, the other is archived', async () => {
  const { url, tenant } = await aForm(admission as never)
  const typed = { submission: randomUUID(), 'answer.name': 'Ada', save: 'yes' }
  const other = () => new Blob([Buffer.concat([photo, Buffer.from('more')])])
  const answers = await Promise.all([proof(), other()].map((file) => post(url, { ...typed, 'answer.proof': file })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303],
  )
  const page = await saved(next(answers[0] as Response, url))
  assert.equal([...page.matchAll(/name="remove"/g)].length, 1)
  const documents = (await tenant.api.get('/vault/documents')).body.data
  assert.deepEqual(documents.map(({ status }: { status: string }) => status).sort(), ['approved', 'archived'])
})

test('a draft of a form: one that is saved again while it expires stays, with its files', async () => {
  const { url, tenant, template } = await aForm(admission as never)
  const typed = { submission: randomUUID(), 'answer.name': 'Ada', save: 'yes' }
  const link = next(await post(url, { ...typed, 'answer.proof': proof() }), url)
  await service.database.inspect(`update form_drafts set expires_at = now() - interval '1 s' where tenant_id = $1`, [
    tenant.id,
  ])
  // The transaction that saves holds the advisory lock of the form session.
  const saving = new pg.Client(clientOptions(await loadServer(service.database.connection, tenant.id), 'owner'))
  await saving.connect()
  try {
    const turn = `${tenant.id} form ${template.id} ${typed.submission}`
    await saving.query('begin')
    await saving.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [turn])
    const job = runJob(tenant, 'form-drafts')
    await until(async () => {
      const { rowCount } = await saving.query(
        `select from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      )
      return rowCount === 1
    }, 'the job waits for the turn')
    await saving.query(`update form_drafts set expires_at = now() + interval '1 day' where tenant_id = $1`, [tenant.id])
    await saving.query('commit')
    await job
  } finally {
    await saving.end()
  }
  assert.match(await saved(link), /paper\.png/)
})

test('the link of a draft: opens its own form only, not when altered, and not by its key', async () => {
  const one = await aForm({})
  const other = await aForm({}, one.tenant)
  const foreign = await aForm({ key: one.template.key })
  const submission = randomUUID()
  const link = next(await post(one.url, { submission, 'answer.reason': 'A secret', save: 'yes' }), one.url)
  for (const address of [
    link.replace(one.url, other.url),
    link.replace(one.url, foreign.url),
    altered(link),
    `${one.url}/draft/${submission}`,
    `${one.url}/draft/x`,
  ]) {
    const response = await get(address)
    assert.deepEqual([response.status, (await response.text()).includes('A secret')], [404, false], address)
  }
  // Another form cannot overwrite the draft of a key.
  assert.equal((await post(other.url, { submission, 'answer.reason': 'Mine', save: 'yes' })).status, 404)
  assert.match(await saved(link), /A secret/)
  // Nor does submitting another form with this key.
  assert.equal((await post(other.url, { submission, 'answer.reason': 'Mine' })).status, 303)
  assert.match(await saved(link), /A secret/)
  assert.equal((await post(one.url, { submission: 'no key', save: 'yes' })).status, 400)
})

test('a draft of a form: too much text and too many drafts, in all or from one network, are rejected', async () => {
  const { url, tenant, template } = await aForm({
    fields: Array.from({ length: 6 }, (_, index) => aQuestion(`field_${index}`, { type: 'textarea' })),
  })
  const long = Object.fromEntries(
    Array.from({ length: 6 }, (_, index) => [`answer.field_${index}`, 'x'.repeat(60_000)]),
  )
  const tooLong = await post(url, { ...long, save: 'yes' })
  assert.equal(tooLong.status, 413)
  const saveMany = (count: number, network: string | null) =>
    service.database.inspect(
      `insert into form_drafts (tenant_id, id, template_id, answers, expires_at, saved_from)
       select $1, gen_random_uuid(), $2, '{}', now() + interval '1 day', $4 from generate_series(1, $3)`,
      [tenant.id, template.id, count, network],
    )
  const save = () => post(url, { 'answer.field_0': 'one more', save: 'yes' })
  await saveMany(200, '192.0.2.1')
  const link = next(await save(), url)
  await saveMany(99, '127.0.0.1')
  const full = await save()
  assert.equal(full.status, 429)
  const html = await full.text()
  assert.ok(
    html.includes('one more') && html.includes('Your answers could not be saved'),
    'what was typed stands there',
  )
  await service.database.inspect(
    `delete from form_drafts where tenant_id = $1 and saved_from = '127.0.0.1' and answers = '{}'`,
    [tenant.id],
  )
  await saveMany(4799, null)
  assert.equal((await save()).status, 429)
  assert.equal((await post(link, { 'answer.field_0': 'again', save: 'yes' })).status, 303, 'what has room keeps it')
  assert.equal((await post(url, { 'answer.field_0': 'sent all the same' })).status, 303)
})

test('the link of a draft: mailed in the language of the page, three times an hour, and stored nowhere', async () => {
  const { url, tenant } = await aForm({ name: 'Leave' })
  const link = next(await post(`${url}?lang=pt`, { 'answer.reason': 'x', save: 'yes' }), url)
  const ask = (email: string) => post(link.replace('?', '/mail?'), { email })
  const wrong = await ask('nobody')
  assert.equal(wrong.status, 400)
  for (let time = 0; time < 2; time += 1) assert.equal((await ask('Anne@Example.org')).status, 200)
  assert.match(await (await ask('anne@example.org')).text(), /O link está a caminho/)
  const rejected = await ask('Anne@Example.org')
  assert.deepEqual(
    [rejected.status, rejected.headers.get('retry-after')],
    [429, '3600'],
    'nothing that is not true is said',
  )
  const page = await rejected.text()
  assert.ok(
    page.includes('O link não foi enviado') && page.includes(link.replace(/\?.*/, '').replace(service.address, '')),
    page,
  )
  await runJob(tenant, 'outgoing-mails')
  const mails = mailsTo('anne@example.org')
  assert.equal(mails.length, 3)
  const text = getText(mails[0] as string)
  assert.equal(getHeader(mails[0] as string, 'subject'), `${tenant.name}: continue o seu formulário`)
  assert.ok(text.includes(link.replace(service.address, 'https://matricula.example')) && text.includes('“Leave”'))
  const token = /draft\/([\w-]+)/.exec(link)?.[1] as string
  const rows = await service.database.inspect<{ row: string }>('select m::text as row from outgoing_mails m')
  assert.ok(![...rows.map(({ row }) => row), ...service.logged].join().includes(token))
  for (let time = 0; time < 10; time += 1) await ask(`victim${time}@example.org`)
  assert.equal((await ask('victim@example.org')).status, 429)
})

test('the receipt of a form: mailed to the entered address, without any text that could be a link', async () => {
  const fields = [aQuestion('name', { isRequired: true }), aQuestion('mail', { type: 'email' })]
  const { url, tenant, submissions } = await aForm({
    name: 'Application',
    entityType: 'application',
    fields,
    mapping: { name: 'fullName', mail: 'email' },
  })
  await post(`${url}?lang=es`, { 'answer.name': 'Ada Byron', 'answer.mail': 'Ada@example.org' })
  await post(url, { 'answer.name': 'Win at evil.example now', 'answer.mail': 'other@example.org' })
  await runJob(tenant, 'outgoing-mails')
  const [ada, other] = await submissions()
  const [message, ...more] = mailsTo('ada@example.org')
  assert.deepEqual(more, [])
  const text = getText(message as string)
  const { applicationCode } = (await tenant.api.get(`/admissions/applications/${ada.entityId}`)).body.data
  for (const part of [
    'recibió el formulario «Application»',
    `Para Ada Byron, ${applicationCode}`,
    getReference(ada.id),
  ]) {
    assert.ok(text.includes(part), `${part} in ${text}`)
  }
  const plain = getText(mailsTo('other@example.org')[0] as string)
  assert.ok(plain.includes(getReference(other.id)) && !plain.includes('evil'), plain)
})

test('the page of a form: autofill is for the contact person, and for the applicant in a section apart', async () => {
  const { url } = await aForm({
    entityType: 'application',
    fields: [
      aQuestion('name', { isRequired: true }),
      aQuestion('street'),
      aQuestion('parent'),
      aQuestion('phone', { type: 'phone' }),
      aQuestion('signed', { type: 'signature' }),
    ],
    mapping: { name: 'fullName', street: 'address', parent: 'contact.displayName', phone: 'contact.phone' },
  })
  const html = await saved(url)
  const hints = [...html.matchAll(/name="answer\.(\w+)"[^>]* autocomplete="([^"]+)"/g)].map(([, key, hint]) => [
    key,
    hint,
  ])
  assert.deepEqual(Object.fromEntries(hints), {
    name: 'section-applicant name',
    street: 'section-applicant address-line1',
    parent: 'name',
    phone: 'tel',
    signed: 'name',
  })
})

test('a submitted form: saving and mailing its link redirect to the receipt', async () => {
  const { url, tenant, submissions } = await aForm({ name: 'Leave' })
  const typed = { submission: randomUUID(), 'answer.reason': 'x' }
  const link = next(await post(url, { ...typed, save: 'yes' }), url)
  assert.equal((await post(link, typed)).status, 303)
  const [sent] = await submissions()
  const receipt = `${url}/receipt/${sent.id}`
  assert.equal(next(await post(url, { ...typed, 'answer.reason': 'y', save: 'yes' }), url), receipt)
  assert.equal(next(await post(`${link}/mail`, { email: 'late@example.org' }), url), receipt)
  assert.deepEqual(await service.database.inspect('select 1 from form_drafts where tenant_id = $1', [tenant.id]), [])
  assert.deepEqual((await submissions())[0].values, { reason: 'x' })
})

test('the page of a form: keys may be names of Object.prototype, and text may hold characters that PostgreSQL cannot', async () => {
  const { url } = await aForm({ fields: [aQuestion('constructor'), aQuestion('reason')] })
  assert.equal((await get(url)).status, 200)
  const answers = { 'answer.constructor': 'a\0b\ud800', 'answer.reason': 'x', save: 'yes' }
  const saved = await post(url, { submission: randomUUID(), ...answers })
  assert.equal(saved.status, 303)
  assert.match(await (await get(next(saved, url))).text(), /value="ab\ufffd+"/)
})
