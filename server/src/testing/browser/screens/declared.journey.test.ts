import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pluralOf } from '@matricula/contract/navigation'
import { type Field, type RecordType, recordTypes } from '@matricula/contract/record-types'
import type { Page } from 'playwright-core'
import { flatten, readCatalogue } from '../../../app/generation/catalogues/catalogue.ts'
import { recordRegistry } from '../../../app/record-definitions.ts'
import { loadDemoRecords } from '../../../commands/demo-records.ts'
import { aRecordCaller } from '../../fixtures/factories.ts'
import { withoutBrowser } from '../../fixtures/page-client.ts'
import { ResourceClient } from '../../fixtures/resource-client.ts'
import { until } from '../../fixtures/service-process.ts'
import { startTestService } from '../../fixtures/test-service.ts'
import { aStaffMember } from '../console-staff.ts'

const typeNames = new Map(flatten(readCatalogue('console/messages/names', 'en')))
const typePlurals = new Map(flatten(readCatalogue('console/messages/plurals', 'en')))

const service = await startTestService()
const tenant = await service.tenant()
const resourceClient = new ResourceClient(service, tenant)
const size = { students: 12, payments: 10, seed: 1 }
const { fillDemoTenant } = await loadDemoRecords()
await fillDemoTenant(service.database.connection, tenant, size, service.files.store, () => {})
const caller = await aRecordCaller(service, tenant)

/** What people write: of the rest there is one, or the service makes it. */
const written = recordTypes.filter(
  ({ kind, name }) => kind !== 'single' && !recordRegistry.require(name).isWrittenByService,
)
const getSlug = (type: string) => type.toLowerCase().replaceAll(' ', '-')

/** A record of a type that may still be changed, or null. */
async function aDraft(type: RecordType): Promise<string | null> {
  const filters = type.kind === 'submittable' ? JSON.stringify([['docstatus', '=', 0]]) : '[]'
  const { data } = await resourceClient.list(type.name, { filters, limit_page_length: '1', order_by: 'creation desc' })
  return data[0]?.name ?? null
}

/** A text of a type that anybody may change, and that says nothing that a rule asks about. */
function aText(type: RecordType): string | null {
  const isFree = ([name, field]: [string, Field]) =>
    ['Data', 'Small Text', 'Text'].includes(field.type) &&
    !('format' in field && field.format) &&
    !(field.readOnly || field.hidden || field.fetchFrom || field.setOnlyOnce || field.unique || field.hiddenFrom) &&
    !('field' in type.naming && type.naming.field === name) &&
    (field.maxLength ?? 140) > 20 &&
    !/(?:name|type|doctype|language|time_zone|currency|url|options|default|signature|dt|status)$/.test(name)
  return Object.entries(type.fields).find(isFree)?.[0] ?? null
}

async function goTo(page: Page, path: string): Promise<void> {
  const address = JSON.stringify(`/t/${tenant.slug}/console${path}`)
  await page.evaluate(`history.pushState(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate'))`)
}

/** Fills in what a new record must have: texts, days, numbers, and links to what there is. Returns whether that is all it needs. */
async function fillIn(page: Page, type: RecordType): Promise<boolean> {
  for (const [name, field] of Object.entries(type.fields)) {
    const isNamed = 'field' in type.naming && type.naming.field === name
    if (field.hidden || field.fetchFrom || !(field.required || isNamed)) continue
    if (field.type === 'Table' || field.type === 'Dynamic Link') return false
    const control = page.locator(`#field-${name}`)
    if (field.type === 'Check') continue
    if (field.type === 'Select') {
      if ((await control.inputValue()) === '') await control.selectOption({ index: 1 })
      continue
    }
    if (field.type === 'Link') {
      const { data } = await resourceClient.list(field.target, { limit_page_length: '1' })
      if (data?.[0] === undefined) return false
      await control.fill(data[0].name)
      await control.blur()
    } else if (field.type === 'Date') await control.fill('2026-09-14')
    else if (field.type === 'Datetime') await control.fill('2026-09-14T10:00:00')
    else if (field.type === 'Time') await control.fill(name.startsWith('to') ? '11:00' : '10:00')
    else if (['Int', 'Float', 'Currency', 'Percent', 'Duration'].includes(field.type)) await control.fill('1')
    else await control.fill('format' in field && field.format === 'Email' ? 'made@here.example' : `Made ${type.name}`)
  }
  return true
}

test('every declared type is listed, made, saved, merged by decision and exported in the browser, or it is told why not', {
  skip: withoutBrowser,
}, async () => {
  const staff = await aStaffMember(service, tenant)
  const { page } = staff
  page.on('dialog', (dialog) => void dialog.accept())
  const outcomes = { listed: 0, made: 0, told: [] as string[], merged: 0, exported: 0 }
  for (const type of written) {
    await goTo(page, `/records/${getSlug(type.name)}`)
    await page
      .getByRole('heading', { level: 1, name: typePlurals.get(type.name) ?? pluralOf(type.name), exact: true })
      .waitFor()
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
    assert.deepEqual(staff.refusedCalls(), [], type.name)
    outcomes.listed += 1
    for (const file_format_type of ['CSV', 'Excel']) {
      const asked = { doctype: type.name, file_format_type, fields: ['name'] }
      const { status } = await caller.post('/api/method/frappe.desk.reportview.export_query', asked)
      assert.equal(status, 200, `${file_format_type} of ${type.name}`)
      outcomes.exported += 1
    }
    await goTo(page, `/records/${getSlug(type.name)}/new`)
    await page
      .getByRole('heading', { level: 1, name: `New ${typeNames.get(type.name) ?? type.name}`, exact: true })
      .waitFor()
    if (await fillIn(page, type)) {
      await page.getByRole('button', { name: 'Create' }).click()
      const reported = page.locator('main .told[role=alert]')
      const hasError = () => reported.count().then((count) => count > 0)
      await until(async () => page.url().includes('/named/') || (await hasError()), `the answer about ${type.name}`)
      if ((await reported.count()) === 0) outcomes.made += 1
      else outcomes.told.push(`${type.name}: ${(await reported.first().innerText()).replace(/\s+/g, ' ')}`)
      staff.refusedCalls()
    }
    const [name, field] = [await aDraft(type), aText(type)]
    if (name === null || field === null) continue
    await goTo(page, `/records/${getSlug(type.name)}/named/${encodeURIComponent(name)}`)
    const control = page.locator(`#field-${field}`)
    await control.waitFor()
    if (!(await control.isEditable())) continue
    const stored = async () => (await resourceClient.read(type.name, name)).data[field]
    await control.fill('Typed here')
    const { error } = await resourceClient.update(type.name, name, { [field]: 'Typed there' })
    if (error !== null) continue
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Save selected values' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'detached' })
    assert.equal(await stored(), 'Typed here', type.name)
    outcomes.merged += 1
    staff.refusedCalls()
  }
  process.stdout.write(`# ${JSON.stringify(outcomes)}\n`)
  assert.equal(outcomes.listed, written.length)
  assert.ok(outcomes.made >= 20, JSON.stringify(outcomes))
  assert.ok(outcomes.merged >= 15, JSON.stringify(outcomes))
  for (const reported of outcomes.told) assert.match(reported, /: .{20,}/)
  staff.refusedCalls()
  await staff.leave()
})
