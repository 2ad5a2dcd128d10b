import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { aTemplate } from '../fixtures/factories.ts'
import { withoutBrowser } from '../fixtures/page-client.ts'
import { seedTenant } from '../fixtures/seeded-tenant.ts'
import { startTestService } from '../fixtures/test-service.ts'
import { aStaffMember } from './console-staff.ts'

const service = await startTestService()
const inBrowser = { skip: withoutBrowser }

for (const screen of ['desktop', 'phone'] as const) {
  test(
    `a pipeline status and a document type are changed in a draft, compared and applied; another’s change is not overwritten, ${screen}`,
    inBrowser,
    async () => {
      const tenant = await service.tenant()
      const staff = await aStaffMember(service, tenant, { screen, dark: screen === 'phone' })
      const { page } = staff
      const dialog = page.getByRole('dialog')
      const labels = async () =>
        (await tenant.api.get('/admissions/pipeline/statuses')).body.data.map(({ label }: { label: string }) => label)
      await staff.open('/administration/settings?section=pipelineStatuses')
      await page.getByRole('button', { name: 'Interview', exact: true }).click()
      await page.getByLabel('Label', { exact: true }).fill('Meeting')
      await page.getByRole('button', { name: 'Add entry' }).click()
      await page.getByLabel('Key *').fill('waiting_list')
      await page.getByLabel('Label', { exact: true }).fill('Waiting list')
      await page.getByLabel('Category').selectOption('open')
      await page.getByRole('button', { name: /^Document types/ }).click()
      await page.getByRole('button', { name: 'Transcript' }).click()
      await page.getByLabel('Needs review').uncheck()
      await page.getByText('3 changes in the draft').waitFor()
      await staff.assertAccessible('a draft of settings')
      await staff.picture(`console-settings-${screen}`)
      await page.getByRole('button', { name: 'Review changes' }).click()
      await dialog.getByText('Interview', { exact: true }).waitFor()
      await dialog.getByText('New: Admission pipeline, waiting_list').waitFor()
      await staff.assertAccessible('a plan of settings')
      await staff.picture(`console-settings-plan-${screen}`)
      assert.equal((await labels()).includes('Meeting'), false)
      // Somebody else changes a setting while the plan is looked at.
      const other = await aStaffMember(service, tenant)
      await other.open('/administration/settings?section=sessions')
      await other.page.getByLabel('Log out after idle minutes').fill('45')
      await other.page.getByRole('button', { name: 'Review changes' }).click()
      await other.page.getByRole('dialog').getByRole('button', { name: 'Apply 1 change' }).click()
      await other.page.getByText('Settings applied').waitFor()
      await other.leave()
      await dialog.getByRole('button', { name: 'Apply 3 changes' }).click()
      await dialog.getByText(/^Someone else changed the settings/).waitFor()
      assert.equal((await labels()).includes('Meeting'), false)
      assert.deepEqual(staff.refusedCalls(), [`412 POST /t/${tenant.slug}/console/v1/settings/apply`])
      await dialog.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: 'Review changes' }).click()
      await dialog.getByRole('button', { name: 'Apply 3 changes' }).click()
      await page.getByText('Settings applied').waitFor()
      const now = await labels()
      assert.deepEqual([now.includes('Meeting'), now.includes('Waiting list')], [true, true])
      await page.getByText('No changes').waitFor()
      await staff.leave()
    },
  )
}

test(
  'a form is previewed as it is on a phone, with its conditions; what cannot be applied is told at its place',
  inBrowser,
  async () => {
    const tenant = await service.tenant()
    const condition = { field: 'bus', equals: 'yes' }
    const question = {
      isRequired: true,
      options: [],
      helpText: '',
      validation: {},
      visibleWhen: { all: [] },
      section: '',
    }
    await aTemplate(service, tenant, {
      key: 'trip',
      name: 'Trip',
      fields: [
        {
          ...question,
          key: 'bus',
          label: 'Do you take the bus?',
          type: 'select',
          options: [
            { value: 'yes', label: 'Yes' },
            { value: 'no', label: 'No' },
          ],
        },
        { ...question, key: 'stop', label: 'Which stop?', type: 'text', visibleWhen: condition },
      ],
    })
    const staff = await aStaffMember(service, tenant)
    const { page } = staff
    await staff.open('/administration/settings?section=formTemplates')
    const preview = page.getByRole('region', { name: 'Preview on a phone' })
    await preview.getByText('Do you take the bus?').waitFor()
    assert.equal(await preview.getByText('Which stop?').count(), 0)
    await preview.getByLabel('Do you take the bus?').selectOption('yes')
    await preview.getByText('Which stop?').waitFor()
    await staff.assertAccessible('the preview of a form')
    await staff.picture('console-settings-form-desktop')
    await page.getByRole('button', { name: 'Admission pipeline' }).click()
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByRole('button', { name: 'Take out of use' }).click()
    await page.getByRole('button', { name: 'Review changes' }).click()
    await page
      .getByRole('dialog')
      .getByText(/new is the initial status/)
      .waitFor()
    assert.equal(
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Apply/ })
        .count(),
      0,
    )
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as file' }).click()
    const file = JSON.parse(await readFile((await (await download).path()) as string, 'utf8'))
    assert.equal(file.formTemplates[0].key, 'trip')
    await staff.leave()
  },
)

test(
  'the year rollover says what exists for a year, in the person’s language; without the right there is no page',
  inBrowser,
  async () => {
    const { tenant, year } = await seedTenant(service)
    const staff = await aStaffMember(service, tenant, { roles: ['Academics User'], locale: 'es-MX', screen: 'phone' })
    const { page } = staff
    await staff.open('/administration/rollover')
    await page.getByLabel('Año académico').selectOption(year)
    await page.getByText('Matricular estudiantes').waitFor()
    await staff.assertAccessible('the year rollover')
    await staff.picture('console-rollover-phone')
    await staff.leave()
    const teacher = await aStaffMember(service, tenant, { roles: ['Instructor'] })
    for (const path of ['/administration/rollover', '/administration/settings']) {
      await teacher.open(path)
      await teacher.page.getByRole('heading', { name: 'Year rollover' }).waitFor({ state: 'detached' })
    }
    assert.deepEqual(teacher.refusedCalls(), [])
    await teacher.leave()
  },
)
