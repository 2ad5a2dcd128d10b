import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { aUser } from '../fixtures/factories.ts'
import { openPageClient, type PageClient, type PageClientOptions } from '../fixtures/page-client.ts'
import { until } from '../fixtures/service-process.ts'
import type { TestService, TestTenant } from '../fixtures/test-service.ts'

/** Somebody of the staff at the console, for whom no call may be refused but those that a test expects. */
export interface StaffMember extends PageClient {
  readonly email: string
  readonly password: string
  /** The console's address, below the service's. */
  readonly root: string
  /** Goes to a screen of the console. */
  open(path: string): Promise<void>
  /** Waits until the screen has read what it shows and hears of changes, so that it asks for nothing by itself. */
  untilRead(): Promise<void>
  /** Lets no page hear of changes from its next loading on, until the function that it answers is called. */
  deafen(): Promise<() => void>
  /** Calls that were refused since this was asked last, as `403 GET /api/…`. */
  refusedCalls(): string[]
}

let made = 0

/** Somebody with roles who has logged in at the console of an institution, by its own form. */
export async function aStaffMember(
  service: TestService,
  tenant: TestTenant,
  { roles = ['System Manager'], ...options }: PageClientOptions & { readonly roles?: readonly string[] } = {},
): Promise<StaffMember> {
  made += 1
  const { email, password } = await aUser(service, tenant, { email: `staff-${made}@school.example`, roles })
  const pageClient = await openPageClient(service.address, { screen: 'desktop', ...options })
  const { page } = pageClient
  const rejected: string[] = []
  page.on('response', (response) => {
    const path = response.url().slice(service.address.length)
    if (response.status() >= 400) rejected.push(`${response.status()} ${response.request().method()} ${path}`)
  })
  const calls = new Set<Request>()
  let hears = false
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) hears = false
    if (!isLive(request)) calls.add(request)
  })
  page.on('requestfinished', (request) => calls.delete(request))
  page.on('requestfailed', (request) => calls.delete(request))
  page.on('response', (response) => {
    if (isLive(response.request())) hears = true
  })
  const untilRead = () =>
    until(
      async () => {
        // What it asks because of what came is under way once it has nothing else to do.
        await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))')
        return hears && calls.size === 0
      },
      () => [...calls].map((request) => request.url()).join(', '),
    )
  const deafen = async () => {
    let hear = () => {}
    const isToHear = new Promise<void>((resolve) => {
      hear = resolve
    })
    await page.route(live, async (route) => {
      await isToHear
      await route.continue()
    })
    return hear
  }
  const root = `${service.address}/t/${tenant.slug}/console`
  const refusedCalls = () => rejected.splice(0)
  await page.goto(`${root}/`)
  await logIn(page, email, password)
  await page.locator('main#main').waitFor()
  // Who is not logged in is told so, by the first call alone.
  assert.deepEqual(refusedCalls(), [`401 GET /t/${tenant.slug}/console/v1/boot`])
  const open = async (path: string) => {
    await page.goto(root + path)
    await page.locator('main h1').first().waitFor()
  }
  const leave = async () => {
    await pageClient.leave()
    assert.deepEqual(refusedCalls(), [])
  }
  return { ...pageClient, email, password, root, open, untilRead, deafen, refusedCalls, leave }
}

/** Fills in the form to log in. */
export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.locator('input[name=user]').fill(email)
  await page.locator('input[name=password]').fill(password)
  await page.keyboard.press('Enter')
}

/** The stream of changes, which does not end. */
const live = /\/console\/v1\/live$/

const isLive = (request: Request) => live.test(request.url())
