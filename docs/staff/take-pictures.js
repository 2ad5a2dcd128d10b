// Takes the pictures of the guides of the staff, in each language of theirs, from a demo that runs:
//
//   npm run build
//   npm run demo | tee demo.log                     in one terminal, until it has printed its log-ins, and in another one
//   node docs/staff/take-pictures.js demo.log       or with the names of some alone: … demo.log bursar-desk teacher-roll
//
// The log-ins and the address are read from what the demo printed. Nothing is saved in it, so that it can be repeated.
// CHROMIUM_PATH names the browser where it is in no usual place.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const [printedFile, ...wantedNames] = process.argv.slice(2)
const printed = readFileSync(printedFile ?? 'demo.log', 'utf8')
const consoleUrl = /^Console\s+(\S+)\/$/m.exec(printed)[1]
const institutionUrl = consoleUrl.replace(/\/console$/, '')
const logIns = new Map(
  [...printed.matchAll(/^\s*(\w+)\s+(\S+@\S+)\s+password (\S+)$/gm)].map(([, who, user, password]) => [
    who,
    { user, password },
  ]),
)
const locales = { en: 'en-US', es: 'es-MX', pt: 'pt-BR' }
const desk = { viewport: { width: 1100, height: 700 } }
// Where a table would be cut off.
const wide = { viewport: { width: 1240, height: 740 } }
const widest = { viewport: { width: 1440, height: 760 } }
const phone = { viewport: { width: 390, height: 780 }, hasTouch: true }
const folder = new URL('pictures/', import.meta.url)

const { CHROMIUM_PATH = '/usr/bin/chromium' } = process.env
const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: ['--no-sandbox'] })

/** A person of the staff: who is logged in, and how what the console reads is read. */
async function openStaffMember(who) {
  const { user, password } = logIns.get(who)
  const context = await browser.newContext({ locale: locales.en })
  const page = await context.newPage()
  await page.goto(`${consoleUrl}/`)
  await page.locator('input[name=user]').fill(user)
  await page.locator('input[name=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.locator('main#main').waitFor({ timeout: 120_000 })
  await page.close()
  const read = async (path, query = {}) => {
    const given = Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    const answer = await context.request.get(`${institutionUrl}${path}?${new URLSearchParams(given)}`)
    if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()).data
  }
  const list = (type, query) => read(`/api/resource/${encodeURIComponent(type)}`, query)
  return { storageState: await context.storageState(), read, list, close: () => context.close() }
}

/** The first of some that a question about it is answered with yes for. */
async function findFirst(all, isWanted) {
  for (const each of all) if (await isWanted(each)) return each
  throw new Error('the demo has nothing that could be shown')
}

const dayOf = (date) => date.toISOString().slice(0, 10)
const addDays = (date, days) => new Date(date.getTime() + days * 86_400_000)

/** The last lesson of the teacher with students, whose roll nobody has called yet. */
async function findRoll({ read }) {
  for (let back = 0; back < 60; back += 1) {
    const date = dayOf(addDays(new Date(), -back))
    const { rolls, isHoliday } = await read('/console/v1/roll-calls', { date })
    const found = rolls.find((roll) => roll.isMine && roll.kind === 'lesson' && roll.students > 8 && roll.marked === 0)
    if (!isHoliday && found !== undefined) return `/attendance/rolls/${date}/${encodeURIComponent(found.of)}`
  }
  throw new Error('the demo has no roll that could be shown')
}

/** A grade sheet that is filled in part. */
async function findGradeSheet({ read, list }) {
  const query = { fields: ['name'], filters: [['docstatus', '=', 1]], order_by: 'schedule_date desc' }
  const plans = await list('Assessment Plan', { ...query, limit_page_length: '100' })
  const { name } = await findFirst(plans, async (plan) => {
    const { students, mayEnter } = await read(`/console/v1/grade-sheets/${encodeURIComponent(plan.name)}`)
    const open = students.filter(({ status }) => status === 'open').length
    return mayEnter && open > 4 && open < students.length / 2
  })
  return `/grades/${encodeURIComponent(name)}`
}

/** A family with several children and several open items. */
async function findFamily({ read }) {
  const found = await Promise.all(
    ['an', 'ma', 'sa', 'lo', 'ga', 'ro'].map((q) => read('/console/v1/fee-desk/families', { q })),
  )
  const { of, id } = await findFirst(found.flat(), async (hit) => {
    const { students, obligations } = await read('/console/v1/fee-desk/family', { of: hit.of, id: hit.id })
    return students.length > 1 && obligations.length > 2
  })
  return `/fees/desk?of=${of}&id=${id}`
}

/** A student who lacks documents and has two guardians. */
async function findStudent({ read, list }) {
  const students = await list('Student', { fields: ['name'], limit_page_length: '200' })
  const { name } = await findFirst(students, async ({ name: student }) => {
    const { groups, documents, contacts } = await read('/console/v1/student-profile', { student })
    const guardians = new Set(contacts.map((contact) => contact.name))
    return groups.length > 0 && documents.missing.length > 0 && guardians.size === 2
  })
  return `/students/${encodeURIComponent(name)}`
}

/** The next week in which there are lessons, of the group that has the most. */
async function findWeek({ list }) {
  for (let weeks = 0; weeks < 30; weeks += 1) {
    // On a weekend the week that comes.
    const day = addDays(new Date(), 2 + weeks * 7)
    const monday = addDays(day, -((day.getUTCDay() + 6) % 7))
    const lessons = await list('Course Schedule', {
      fields: ['student_group'],
      filters: [['schedule_date', 'between', [dayOf(monday), dayOf(addDays(monday, 6))]]],
      limit_page_length: '2000',
    })
    const counts = new Map()
    for (const { student_group: group } of lessons) counts.set(group, (counts.get(group) ?? 0) + 1)
    const [most] = [...counts].sort(([, one], [, other]) => other - one)
    if (most?.[1] > 4) return `/teaching/timetable?of=group&name=${encodeURIComponent(most[0])}&day=${dayOf(monday)}`
  }
  throw new Error('the demo has no week that could be shown')
}

/** Marks one student absent and one late, and saves nothing. */
async function callRoll(page) {
  await page.locator('.roll > li').nth(1).locator('button.name').tap()
  await page.locator('.roll > li').nth(3).locator('button[aria-pressed]').first().tap()
  // So far that the button that saves stands above the navigation of a phone.
  await page.locator('main h1').evaluate((heading) => {
    const top = document.querySelector('header').getBoundingClientRect().bottom + 4
    scrollBy(0, heading.getBoundingClientRect().top - top)
  })
}

/** Changes settings in the draft, and shows each difference. */
async function reviewChanges(page) {
  await page.locator('#documentTypes-0-maxSizeBytes').fill('10485760')
  await page.locator('#documentTypes-0-validityDays').fill('365')
  await page.locator('.saving button.main').click()
  await page.locator('dialog .differences').waitFor()
}

/** Every picture: whose it is, where it is taken, what has to be there, and what is done before. */
const pictures = [
  { name: 'teacher-roll', who: 'Teacher', find: findRoll, shown: '.roll > li', screen: phone, prepare: callRoll },
  { name: 'teacher-marks', who: 'Teacher', find: findGradeSheet, shown: '.grades tbody tr' },
  { name: 'bursar-desk', who: 'Bursar', find: findFamily, shown: '.family', screen: wide },
  {
    name: 'bursar-open',
    who: 'Bursar',
    find: () => '/fees/outstanding?by=program',
    shown: 'main tbody tr',
    screen: widest,
  },
  { name: 'registrar-student', who: 'Registrar', find: findStudent, shown: '.facts' },
  { name: 'registrar-timetable', who: 'Registrar', find: findWeek, shown: '.lesson' },
  { name: 'admissions-board', who: 'Admissions', find: () => '/admissions/board', shown: '.board .column .card' },
  { name: 'admissions-review', who: 'Admissions', find: () => '/admissions/review', shown: '.preview .paper' },
  {
    name: 'administrator-settings',
    who: 'Administrator',
    find: () => '/administration/settings?section=documentTypes',
    shown: '.settings',
    prepare: reviewChanges,
  },
  { name: 'administrator-users', who: 'Administrator', find: () => '/administration/users', shown: '.entries li' },
]

/** Waits until nothing is read any more and the screen stays as it is. */
async function untilSteady(page) {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  let before = null
  for (let tries = 0; tries < 40; tries += 1) {
    await page.waitForTimeout(400)
    const picture = await page.screenshot()
    if (before?.equals(picture)) return
    before = picture
  }
  throw new Error(`${page.url()} does not come to rest`)
}

mkdirSync(folder, { recursive: true })
const wanted = pictures.filter(({ name }) => wantedNames.length === 0 || wantedNames.includes(name))
for (const who of new Set(wanted.map((picture) => picture.who))) {
  const person = await openStaffMember(who)
  for (const { name, find, shown, screen = desk, prepare } of wanted.filter((picture) => picture.who === who)) {
    const path = await find(person)
    for (const [language, locale] of Object.entries(locales)) {
      const look = { locale, colorScheme: 'light', reducedMotion: 'reduce', deviceScaleFactor: 1, ...screen }
      const context = await browser.newContext({ ...look, storageState: person.storageState })
      context.setDefaultTimeout(120_000)
      const page = await context.newPage()
      await page.goto(consoleUrl + path)
      await page.locator(shown).first().waitFor()
      await prepare?.(page)
      await untilSteady(page)
      const suffix = language === 'en' ? '' : `.${language}`
      writeFileSync(new URL(`${name}${suffix}.png`, folder), await page.screenshot())
      await context.close()
    }
    process.stdout.write(`${name}\n`)
  }
  await person.close()
}
await browser.close()
