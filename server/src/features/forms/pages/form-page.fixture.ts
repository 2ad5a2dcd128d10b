import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { aQuestion, aTemplate, pdf } from '../../../testing/fixtures/factories.ts'
import type { TestService } from '../../../testing/fixtures/test-service.ts'

export const certificate = { name: 'certificate.pdf', mimeType: 'application/pdf', buffer: pdf }
const yesNo = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]

/** A published form with every kind of question, which makes an application. */
export async function aForm(service: TestService) {
  const tenant = await service.tenant()
  const about = { section: 'about', isRequired: true }
  const more = { section: 'more', isRequired: true }
  const template = await aTemplate(service, tenant, {
    name: 'Application for admission',
    description: 'For the school year 2026–2027.',
    entityType: 'application',
    sections: [
      { key: 'about', title: 'The applicant' },
      { key: 'more', title: 'More' },
    ],
    fields: [
      aQuestion('name', {
        ...about,
        label: 'Full name',
        helpText: 'As in the certificate.',
        validation: { maxLength: 40 },
      }),
      aQuestion('born', { ...about, label: 'Date of birth', type: 'date', validation: { maxDate: '2020-12-31' } }),
      aQuestion('mail', { ...about, label: 'E-mail', type: 'email' }),
      aQuestion('call', { ...about, label: 'Telephone', type: 'phone', isRequired: false }),
      aQuestion('bus', { ...about, label: 'School bus?', type: 'select', options: yesNo }),
      aQuestion('stop', { ...about, label: 'Bus stop', visibleWhen: { field: 'bus', equals: 'yes' } }),
      aQuestion('tongues', { ...about, label: 'Languages', type: 'multiselect', options: yesNo }),
      aQuestion('siblings', { ...more, label: 'Siblings', type: 'number', isRequired: false, validation: { min: 0 } }),
      aQuestion('story', { ...more, label: 'About you', type: 'textarea', isRequired: false }),
      aQuestion('proof', { ...more, label: 'Birth certificate', type: 'file' }),
      aQuestion('agrees', { ...more, label: 'I agree.', type: 'checkbox' }),
      aQuestion('signed', { ...more, label: 'Signature', type: 'signature' }),
    ],
    mapping: { name: 'fullName', mail: 'email' },
  })
  const url = (template.publicUrl as string).replace('https://matricula.example', service.address)
  const submissions = async () => (await tenant.api.get(`/forms/submissions?templateId=${template.id}`)).body.data
  return { tenant, url, submissions }
}

export async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Full name').fill('Ada Byron')
  await page.getByLabel('Date of birth').fill('2010-12-10')
  await page.getByLabel('E-mail').fill('ada@example.org')
  await page.getByLabel('School bus?').selectOption('no')
  await page.getByRole('group', { name: 'Languages' }).getByLabel('Yes').check()
  await page.getByLabel('Siblings').fill('2')
  await page.getByLabel('About you').fill('I like\nengines.')
  await page.getByLabel('I agree.').check()
  await page.getByLabel('Signature').fill('Anne Byron')
}

export async function assertSent(form: Awaited<ReturnType<typeof aForm>>): Promise<void> {
  const [submission, ...others] = await form.submissions()
  assert.deepEqual(others, [])
  const { proof, ...values } = submission.values
  assert.deepEqual(values, {
    name: 'Ada Byron',
    born: '2010-12-10',
    mail: 'ada@example.org',
    call: null,
    bus: 'no',
    tongues: ['yes'],
    siblings: 2,
    story: 'I like\nengines.',
    agrees: true,
    signed: 'Anne Byron',
  })
  assert.equal(proof.length, 1)
  const application = await form.tenant.api.get(`/admissions/applications/${submission.entityId}`)
  assert.deepEqual([application.body.data.fullName, application.body.data.email], ['Ada Byron', 'ada@example.org'])
}
