import { anApplication, aPayment, aRequest, aStudent } from '../../fixtures/factories.ts'
import { aLesson, aPlan, aScale, seedTenant } from '../../fixtures/seeded-tenant.ts'
import type { TestService, TestTenant } from '../../fixtures/test-service.ts'
import type { StaffMember } from '../console-staff.ts'

/** An institution with something on every screen of the console, and the paths of these. */
export async function aSchoolOnScreens(
  service: TestService,
): Promise<{ readonly tenant: TestTenant; readonly screens: readonly string[] }> {
  const seeded = await seedTenant(service)
  const { tenant, resourceClient, students, group } = seeded
  const { id: studentId } = await aStudent(tenant.api, { fullName: 'Zoë Touched', email: 'zoe@example.org' })
  await aRequest(tenant.api, { entityType: 'student', entityId: studentId })
  await aPayment(tenant.api, { studentId })
  const application = await anApplication(tenant.api, { fullName: 'Tyrone Touched' })
  const { data: lesson } = await aLesson(seeded)
  await aScale(seeded)
  const plan = await aPlan(seeded)
  const [account] = (await tenant.api.get('/billing/accounts')).body.data
  await resourceClient.make('Academic Year', {
    academic_year_name: '2027-28',
    year_start_date: '2027-08-01',
    year_end_date: '2028-06-30',
  })
  const promotion = await resourceClient.make('Student Promotion', {
    program: seeded.program,
    academic_year: seeded.year,
    new_program: seeded.program,
    new_academic_year: '2027-28',
  })
  const screens = [
    '/',
    '/admissions/board',
    `/admissions/applications/${application.id}`,
    '/admissions/review',
    '/admissions/requests',
    '/admissions/requests/new',
    '/imports',
    `/students/${students[0]}`,
    '/fees/desk',
    `/fees/desk?of=student&id=${studentId}`,
    '/fees/payments',
    `/fees/accounts/${account.id}`,
    '/fees/outstanding',
    '/fees/reminders',
    '/fees/bank',
    '/fees/direct-debits',
    '/teaching/timetable',
    `/groups?selected=${encodeURIComponent(JSON.stringify({ names: students }))}`,
    `/groups/${encodeURIComponent(group)}`,
    `/promotions/${encodeURIComponent(promotion.name)}`,
    '/administration/users',
    '/administration/tokens',
    '/administration/webhooks',
    '/administration/audit',
    '/administration/state',
    '/administration/settings',
    '/administration/rollover',
    '/timetable/mine',
    '/attendance',
    '/attendance/day?date=2026-09-01',
    `/attendance/rolls/2026-09-01/${encodeURIComponent(lesson.name)}`,
    `/report-cards/${encodeURIComponent(group)}`,
    `/grades/${encodeURIComponent(plan)}`,
    '/records/student?by=_student_group',
    '/records/student/new',
    `/records/student/named/${students[0]}`,
  ]
  return { tenant, screens }
}

/** The least side of a target on a phone, in CSS pixels (WCAG 2.5.5), but for a hair of rounding. */
const minSide = 43.5

/** What can be pressed and is smaller, with its size; links in the middle of a text are as high as the text (WCAG 2.5.5, inline). */
const smallTargets = `[...document.querySelectorAll('button, a[href], input, select, textarea, summary, [role=option], [role=menuitem]')]
  .filter((shown) => shown.checkVisibility({ visibilityProperty: true }) && !shown.closest('.unseen, .skip'))
  .filter((shown) => !(shown.tagName === 'A' && getComputedStyle(shown).display === 'inline'))
  .map((shown) => [shown, shown.matches('input') && shown.closest('label') || shown])
  .map(([shown, target]) => [shown, target.getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 0 && (width < ${minSide} || height < ${minSide}))
  .map(([shown, { width, height }]) => Math.round(width) + '×' + Math.round(height) + ' ' + shown.outerHTML.slice(0, 160))`

/** What the tree that screen readers read says can be used, without a name. */
async function unnamed({ page }: StaffMember): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const used =
    /^(?:button|link|checkbox|radio|textbox|searchbox|combobox|listbox|spinbutton|menuitem|option|tab|slider|dialog|img|table)$/
  return nodes
    .filter(({ ignored, role }) => !ignored && used.test(String(role?.value)))
    .filter(({ name }) => String(name?.value ?? '').trim() === '')
    .map(({ role, backendDOMNodeId }) => `${role?.value} ${backendDOMNodeId}`)
}

/** What is wrong with what can be used on the screen that is shown, below its path. */
export async function faultsOf(staff: StaffMember, path: string): Promise<string[]> {
  const small = (await staff.page.evaluate(smallTargets)) as string[]
  return [...small, ...(await unnamed(staff)).map((name) => `no name: ${name}`)].map((fault) => `${path}: ${fault}`)
}

/** Opens a screen with everything that is folded in it. */
export async function unfold({ root, page }: StaffMember, path: string): Promise<void> {
  await page.goto(root + path)
  await page.locator('main :is(h1, [role=alert])').first().waitFor()
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true")
}
