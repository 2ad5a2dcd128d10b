import assert from 'node:assert/strict'
import { accessSync, constants, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Frame, type Page } from 'playwright-core'
import { afterFile } from './file-end.ts'

// The one without windows first: it does what nobody looks at with half of the work.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]
const elsewhere = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The Chromium of this machine: the one that `CHROMIUM_PATH` names, or the first in the usual places. */
function findChromium(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const candidates = [process.env.CHROMIUM_PATH ?? '', ...places, ...elsewhere]
  return candidates.find((path) => path !== '' && isExecutable(path)) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const executablePath = findChromium()

/** Why tests in a browser cannot run here, or false: the `skip` of a test. */
export const withoutBrowser: string | false =
  executablePath === null && 'there is no Chromium here: install it, or name it in CHROMIUM_PATH'

/** Blink's numbers for a screen that is touched and one that has a mouse, which emulation alone does not tell the page. */
const pointers = { touch: [2, 1], mouse: [4, 2] } as const

/** How long something is waited for in a page, in milliseconds: a busy machine takes several times as long as a quiet one. */
const patience = 120_000

const browsers = new Map<keyof typeof pointers, Promise<Browser>>()

function browserWith(pointer: keyof typeof pointers): Promise<Browser> {
  const known = browsers.get(pointer)
  if (known !== undefined) return known
  const [type, hover] = pointers[pointer]
  const settings = {
    availablePointerTypes: type,
    primaryPointerType: type,
    availableHoverTypes: hover,
    primaryHoverType: hover,
  }
  const blinkSettings = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  const launched = chromium.launch({
    executablePath: executablePath as string,
    args: ['--no-sandbox', `--blink-settings=${blinkSettings.join(',')}`],
  })
  browsers.set(pointer, launched)
  afterFile(async () => {
    browsers.delete(pointer)
    await (await launched).close()
  })
  return launched
}

export interface VisitorOptions {
  readonly screen?: 'phone' | 'desktop'
  readonly locale?: string
  readonly dark?: boolean
  readonly javaScript?: boolean
}

/** Somebody with a browser of their own, who must never be led away from the service nor see a script fail. */
export interface Visitor {
  readonly page: Page
  /** Fails on a fault of accessibility by WCAG 2.2, level A or AA, as far as a program can tell; by some of its rules alone where they are named. */
  assertAccessible(state: string, only?: readonly string[]): Promise<void>
  /** Makes the phone four times slower, on a network of 400 kbit/s that answers after 0.4 s. */
  slowDown(): Promise<void>
  /** Keeps a picture of the page in `artefacts/`. */
  picture(name: string): Promise<void>
  /** Fails when a request went anywhere else, or a script failed. */
  leave(): Promise<void>
}

/** Opens a browser window at the service. */
export async function aVisitor(origin: string, options: VisitorOptions = {}): Promise<Visitor> {
  const { screen = 'phone', locale = 'en-US', dark = false, javaScript = true } = options
  const isPhone = screen === 'phone'
  const browser = await browserWith(isPhone ? 'touch' : 'mouse')
  const settings: BrowserContextOptions = {
    viewport: isPhone ? { width: 360, height: 740 } : { width: 1280, height: 800 },
    hasTouch: isPhone,
    isMobile: isPhone,
    locale,
    colorScheme: dark ? 'dark' : 'light',
    javaScriptEnabled: javaScript,
    reducedMotion: 'reduce',
  }
  const context = await browser.newContext(settings)
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  const elsewhere: string[] = []
  const failures: string[] = []
  page.on('request', (request) => {
    const isHere = [`${origin}/`, 'data:', 'blob:'].some((begin) => request.url().startsWith(begin))
    if (!isHere) elsewhere.push(request.url())
  })
  page.on('pageerror', (error) => failures.push(error.message))
  page.on('console', (message) => {
    // The policy's violations are told here; answers that refuse something are not failures of a script.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      failures.push(message.text())
  })
  return {
    page,
    assertAccessible: (state, only) => assertAccessible(page, state, only),
    slowDown: async () => {
      const session = await context.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
      const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
      await session.send('Network.emulateNetworkConditions', slow)
    },
    picture: async (name) => {
      await mkdir(pictures, { recursive: true })
      await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
    },
    leave: async () => {
      await context.close()
      assert.deepEqual(elsewhere, [])
      assert.deepEqual(failures, [])
    },
  }
}

const pictures = fileURLToPath(new URL('../../../artefacts/', import.meta.url))
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'],
  rules: { 'target-size': { enabled: true } },
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Fails on what a program finds in a page or a frame. */
export async function assertAccessible(page: Page | Frame, state: string, only?: readonly string[]): Promise<void> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(`${axe};0`)
  const asked = only === undefined ? rules : { runOnly: only }
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(asked)}).then(({ violations }) => violations)`,
  )) as Violation[]
  const faults = violations.map(({ id, nodes }) => [
    id,
    ...nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  ])
  assert.deepEqual(faults, [], state)
  const width = (await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )) as number
  assert.ok(width <= 0, `${state}: the page is ${width} px wider than the screen`)
}
