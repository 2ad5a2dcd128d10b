import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../../server/dist/testing/fixtures/chromium.js'
import { RecordCaller } from '../../../server/dist/testing/fixtures/record-caller.js'
import { keepCounts } from '../kept-counts.ts'
import { asOwner } from '../services/bench-database.ts'
import type { BenchService } from '../services/bench-service.ts'
import { median } from '../services/load.ts'
import { cookieOfSomebody, insertApplications, insertStudents, listOfStudents } from './console.ts'

const students = 10_000
const applications = 176
const repetitions = 7

/** A phone: 1.6 Mbit/s, answers after 150 ms, a processor four times slower. */
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const slowdown = 4

interface Screen {
  readonly address: string
  /** What somebody must see to work with it. */
  readonly usable: string
  readonly ms: number[]
  bytes: number
}

/**
 * Prints how long screens of the console take on a slow phone until they can be used, with an empty cache, and their ratio to the same list
 * as HTML without any script. Wanted: lists below 2.0 s, the board below 2.5 s, at most 2.7 times the HTML.
 */
export async function printFirstLoad(bench: BenchService): Promise<void> {
  const executablePath = findChromium()
  if (executablePath === null) throw new Error('there is no Chromium here: install it, or name it in CHROMIUM_PATH')
  const { tenantId } = await bench.make('console')
  await asOwner(bench, async (client) => {
    await client.query(insertStudents, [tenantId, 0, students])
    await client.query(keepCounts('student', 'students'), [tenantId])
    await client.query(insertApplications, [tenantId, 0, applications])
    await client.query(keepCounts('admission_application', 'admission_applications'), [tenantId])
    await client.query('vacuum (analyze)')
  })
  const cookie = await cookieOfSomebody(bench, 'console')
  const root = `${bench.address}/t/console`
  const plain = await servePlainList(new RecordCaller(root, { cookie }))
  const { port } = plain.address() as AddressInfo
  const screens: Readonly<Record<string, Screen>> = {
    'list as HTML': { address: `http://127.0.0.1:${port}/`, usable: 'tbody tr:last-child', ms: [], bytes: 0 },
    list: { address: `${root}/console/records/student`, usable: '[data-row]', ms: [], bytes: 0 },
    board: { address: `${root}/console/admissions/board`, usable: '.column li', ms: [], bytes: 0 },
    home: { address: `${root}/console/`, usable: 'main#main h1', ms: [], bytes: 0 },
  }
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      for (const screen of Object.values(screens)) await load(browser, screen, cookie)
    }
  } finally {
    await browser.close()
    plain.close()
  }
  const floor = median(screens['list as HTML']?.ms ?? [])
  process.stdout.write(`${'slow phone, empty cache'.padEnd(24)}        ms     ratio       KiB\n`)
  for (const [name, { ms, bytes }] of Object.entries(screens)) {
    const columns = [median(ms).toFixed(0), (median(ms) / floor).toFixed(2), (bytes / 1024).toFixed(0)]
    process.stdout.write(`${name.padEnd(24)}${columns.map((column) => column.padStart(10)).join('')}\n`)
  }
}

async function load(browser: Browser, screen: Screen, cookie: string): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true })
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: new URL('/', screen.address).href }])
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  let bytes = 0
  await session.send('Network.enable')
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await session.send('Network.emulateNetworkConditions', network)
  const begun = performance.now()
  await page.goto(screen.address, { waitUntil: 'commit' })
  await page.locator(screen.usable).first().waitFor()
  screen.ms.push(performance.now() - begun)
  screen.bytes = bytes
  await context.close()
}

/** Serves the rows of the console's list as a page without script, as plainly as a server can: what no console can be faster than. */
async function servePlainList(caller: RecordCaller): Promise<Server> {
  const server = createServer(async (_, response) => {
    const { body } = await caller.get(listOfStudents)
    const rows = (body.data as Readonly<Record<string, unknown>>[]).map(
      (row) =>
        `<tr>${Object.values(row)
          .map((value) => `<td>${escaped(String(value ?? ''))}</td>`)
          .join('')}</tr>`,
    )
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>Students</title><table><tbody>${rows.join('')}</tbody></table>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
