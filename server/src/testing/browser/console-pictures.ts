import assert from 'node:assert/strict'
import pixelmatch from 'pixelmatch'
import type { Page, Route } from 'playwright-core'
import { PNG } from 'pngjs'
import type { ConsoleBuild, ConsoleFile } from '../../http/pages/console/console-build.ts'

/** From so much of a picture on it differs: one dot of a thousand. */
export const maxDifference = 0.001

/** How far two pictures differ, as a part of the larger one, and a picture of where. */
export interface Difference {
  readonly share: number
  readonly picture: Buffer
}

/** Compares two PNG files dot by dot; how edges are smoothed does not count. What only one of them has room for differs where it is not blank. */
export function getDifference(one: Buffer, other: Buffer): Difference {
  const [first, second] = [PNG.sync.read(one), PNG.sync.read(other)]
  const width = Math.max(first.width, second.width)
  const height = Math.max(first.height, second.height)
  const marked = new PNG({ width, height })
  const [before, after] = [first, second].map((picture) => onGround(picture, width, height).data)
  const dots = pixelmatch(before as Buffer, after as Buffer, marked.data, width, height, { threshold: 0.1 })
  return { share: dots / (width * height), picture: PNG.sync.write(marked) }
}

function onGround(picture: PNG, width: number, height: number): PNG {
  const ground = new PNG({ width, height })
  PNG.bitblt(picture, ground, 0, 0, picture.width, picture.height, 0, 0)
  return ground
}

/** Makes the screen as high as the page, because a picture of more than the screen makes the page fit itself anew for each. */
export async function showWhole(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() as { width: number; height: number }
  const whole = (await page.evaluate('document.documentElement.scrollHeight')) as number
  await page.setViewportSize({ width, height: Math.max(height, whole) })
}

/** A picture of what is on the screen once it stays as it is. */
export async function steadyPicture(page: Page): Promise<Buffer> {
  let before: Buffer | null = null
  for (let tries = 0; tries < 40; tries += 1) {
    const picture: Buffer = await page.screenshot({ animations: 'disabled' })
    if (before?.equals(picture)) return picture
    before = picture
  }
  throw new assert.AssertionError({ message: `${page.url()} does not come to rest` })
}

/** Shows another build of the console in place of that of the service, until the function that it answers is called. */
export async function showBuild(page: Page, { page: first, assets }: ConsoleBuild): Promise<() => Promise<void>> {
  const give = async (route: Route, file: ConsoleFile | undefined, headers: Readonly<Record<string, string>> = {}) => {
    if (file === undefined) return route.fulfill({ status: 404 })
    const body = file.bytes.identity()
    return route.fulfill({ headers: { ...headers, 'content-type': file.mediaType }, body })
  }
  const file = /\/console\/assets\/([^?]+)/
  const giveFile = (route: Route) => give(route, assets.get(file.exec(route.request().url())?.[1] as string))
  const isPage = /\/console\/(?!assets\/|v1\/)/
  const givePage = async (route: Route) => {
    if (!route.request().isNavigationRequest()) return route.continue()
    const { 'content-encoding': _encoding, 'content-length': _length, ...headers } = (await route.fetch()).headers()
    return give(route, first, headers)
  }
  await page.route(file, giveFile)
  await page.route(isPage, givePage)
  return async () => {
    await page.unroute(file, giveFile)
    await page.unroute(isPage, givePage)
  }
}
