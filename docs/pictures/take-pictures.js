// Takes the pictures of the README from a demo that runs:
//
//   npm run demo                                  in one terminal; paste the line that it prints into another one, and there
//   CONSOLE_LOG_IN='address password' node docs/pictures/take-pictures.js
//
// with the administrator's log-in, which it prints as well.
// CHROMIUM_PATH names the browser where it is in no usual place.
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const { MATRICULA_URL = 'http://127.0.0.1:8080', MATRICULA_TOKEN, CHROMIUM_PATH = '/usr/bin/chromium' } = process.env
const [user, password] = (process.env.CONSOLE_LOG_IN ?? '').split(' ')

async function api(method, path, body, headers = {}) {
  const answer = await fetch(`${MATRICULA_URL}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${MATRICULA_TOKEN}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const { data, detail } = await answer.json()
  if (!answer.ok) throw new Error(detail)
  return data
}

/** The page of a new request to a family, in Spanish. */
async function requestPage() {
  const student = await api('PUT', '/students/external/picture', { fullName: 'Lucía Fernández' })
  const types = await api('GET', '/vault/document-types')
  const wanted = {
    birth_certificate: 'Acta de nacimiento',
    identity_document: 'Documento de identidad',
    medical_record: 'Certificado médico',
  }
  const items = Object.entries(wanted).map(([wantedKey, label]) => ({
    documentTypeId: types.find(({ key }) => key === wantedKey).id,
    label,
  }))
  const request = await api(
    'POST',
    '/vault/requests',
    { entityType: 'student', entityId: student.id, items, expiresInDays: 30, locale: 'es' },
    { 'idempotency-key': crypto.randomUUID() },
  )
  return request.publicUrl
}

const browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: ['--no-sandbox'] })

async function picture(name, url, viewport, prepare = async () => {}, locale = 'es-MX') {
  const page = await browser.newPage({ viewport, colorScheme: 'light', locale, reducedMotion: 'reduce' })
  await page.goto(url)
  await prepare(page)
  await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, import.meta.url)) })
  await page.close()
}

await picture('request-page', await requestPage(), { width: 390, height: 780 })
await picture('reference', `${MATRICULA_URL}/docs/api/payments#createPayment`, { width: 1240, height: 780 }, (page) =>
  page.locator('#createPayment').locator('xpath=ancestor::article').getByRole('button', { name: 'Python' }).click(),
)

/** Logs in at the console, and goes to a screen of it. */
const inConsole = (path, shown) => async (page) => {
  await page.locator('input[name=user]').fill(user)
  await page.locator('input[name=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.locator('main#main').waitFor()
  await page.goto(`${consoleUrl}${path}`)
  await page.locator(shown).first().waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

const { tenant } = await api('GET', '/me')
const consoleUrl = `${MATRICULA_URL}/t/${tenant.slug}/console`
const desk = { width: 1240, height: 780 }
await picture('console-list', consoleUrl, desk, inConsole('/records/student?sort=student_name', '[data-row]'), 'en')
const [student] = await api('GET', '/students?limit=1')
const phone = { width: 390, height: 780 }
await picture('console-profile', consoleUrl, phone, inConsole(`/students/${student.studentCode}`, 'main h1'), 'en')
await browser.close()
