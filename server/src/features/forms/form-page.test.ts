import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { aQuestion, aStudent, aTemplate } from '../../testing/factories.ts'
import { startTestService, type TestTenant } from '../../testing/test-service.ts'
import { studentFormUrl } from './index.ts'

const service = await startTestService()
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

function next(answer: Response, from: string): string {
  return new URL(answer.headers.get('location') as string, from).href
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

test('a form that is sent makes a submission and an application, with its file, and leads to a receipt', async () => {
  const { url, submissions, tenant } = await aForm(admission as never)
  const answer = await post(`${url}?lang=es`, {
    'answer.name': 'Ada Byron',
    'answer.tongues': ['fr', 'en'],
    'answer.proof': new Blob([photo]),
  })
  assert.equal(answer.status, 303)
  const [submission, ...others] = await submissions()
  assert.deepEqual(others, [])
  assert.deepEqual([submission.values.name, submission.values.tongues], ['Ada Byron', ['en', 'fr']])
  assert.equal(
    (await tenant.api.get(`/admissions/applications/${submission.entityId}`)).body.data.fullName,
    'Ada Byron',
  )
  assert.equal(submission.files.length, 1)
  assert.deepEqual((await tenant.traces(submission.id)).events, ['form_submission.created'])
  const receipt = await get(next(answer, url))
  assert.equal(receipt.status, 200)
  const html = await receipt.text()
  assert.ok(html.includes('Su formulario fue enviado') && html.includes(submission.id) && !html.includes('Ada'))
})

test('what is wrong is told at its question and at the top; what was typed stands there again', async () => {
  const { url, submissions } = await aForm(admission as never)
  const answer = await post(url, { 'answer.name': 'Ada <Byron> of a long house', 'answer.proof': new Blob(['no']) })
  assert.equal(answer.status, 400)
  const html = await answer.text()
  assert.match(html, /<a href="#field-name">Full name: Write at most 20 characters\.<\/a>/)
  assert.match(html, /<a href="#field-proof">Proof: This kind of file is not accepted\./)
  assert.match(html, /value="Ada &#60;Byron&#62; of a long house"/)
  assert.deepEqual(await submissions(), [])
})

test('the same page sent twice makes one submission', async () => {
  const { url, submissions } = await aForm({})
  const submission = /name="submission" value="([^"]+)"/.exec(await (await get(url)).text())?.[1] as string
  const answers = [
    await post(url, { submission, 'answer.reason': 'x' }),
    await post(url, { submission, 'answer.reason': 'x' }),
  ]
  assert.equal(next(answers[0] as Response, url), next(answers[1] as Response, url))
  assert.equal((await submissions()).length, 1)
})

test('an answer to a question that the form no longer has is told, with what was typed', async () => {
  const { url, tenant, template, submissions } = await aForm({ fields: [aQuestion('reason'), aQuestion('gone')] })
  await aTemplate(service, tenant, { key: template.key, fields: [aQuestion('reason'), aQuestion('days')] })
  const answer = await post(url, { 'answer.gone': 'x', 'answer.reason': 'A wedding' })
  const html = await answer.text()
  assert.equal(answer.status, 400)
  assert.ok(html.includes('value="A wedding"') && html.includes('This did not work.'))
  assert.deepEqual(await submissions(), [])
})

test('a student’s own link fills the form in for that student, by first name; no other link does', async () => {
  const { tenant, template, submissions } = await aForm({ entityType: 'student' })
  const student = await aStudent(tenant.api, { fullName: 'Ada Byron' })
  const link = studentFormUrl(
    { publicUrl: service.address, secretKey: service.secretKey },
    { tenantSlug: tenant.slug, key: template.key },
    { tenantId: tenant.id, templateId: template.id, studentId: student.id },
  )
  const html = await (await get(link)).text()
  assert.ok(html.includes('For Ada') && !html.includes('Byron'))
  assert.equal((await post(link, { 'answer.reason': 'A wedding' })).status, 303)
  assert.equal((await submissions())[0].entityId, student.id)
  assert.equal((await get(`${link.slice(0, -2)}AA`)).status, 404)
})

test('a form that is not there, and a receipt of nothing, are 404', async () => {
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
