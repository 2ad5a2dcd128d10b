import type { Locator, Page } from 'playwright-core'
import { aDocumentTypeId, aRequest, aStudent, pdf } from '../../testing/fixtures/factories.ts'
import type { TestTenant } from '../../testing/fixtures/test-service.ts'

export const certificate = { name: 'certificate.pdf', mimeType: 'application/pdf', buffer: pdf }

/** A request for a birth certificate and, optionally, a transcript, with the address of its page. */
export async function aLink(address: string, tenant: TestTenant, body: object = {}) {
  const student = await aStudent(tenant.api, { givenNames: 'Ada', familyNames: 'Byron' })
  const items = [
    {
      documentTypeId: await aDocumentTypeId(tenant.api, 'birth_certificate'),
      label: 'Birth certificate',
      instructions: 'Both sides.',
    },
    { documentTypeId: await aDocumentTypeId(tenant.api, 'transcript'), label: 'Transcript', isRequired: false },
  ]
  const request = await aRequest(tenant.api, { entityId: student.id, items, title: 'Enrolment', ...body })
  const url = (request.publicUrl as string).replace('https://matricula.example', address)
  return { request, url, api: tenant.api }
}

/** The card of an item. */
export function item(page: Page, label: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: label, exact: true }) })
}

export async function choose(page: Page, label: string, file: typeof certificate): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    item(page, label).getByText('Choose file', { exact: true }).click(),
  ])
  await chooser.setFiles(file)
}

export function received(page: Page, label: string): Promise<void> {
  return item(page, label).getByText('Received', { exact: true }).waitFor()
}
