import type { Frame, Page } from 'playwright-core'
import { until } from '../fixtures/service-process.ts'

/** The frame of the paper that is looked at. */
export async function loadReader(page: Page): Promise<Frame> {
  const element = await page.locator(':is(.preview:not([hidden]), dialog) iframe').elementHandle()
  return (await element?.contentFrame()) as Frame
}

interface Picture {
  readonly width: number
  readonly height: number
  readonly dark: number
}

/** The picture of a sheet of a paper once it fits: its dots across and down, and how many of them are dark. */
export async function loadPicture(frame: Frame, sheet: number, fits: (picture: Picture) => boolean = () => true) {
  let seen: Picture | null = null
  await until(
    async () => {
      seen = await frame.evaluate(`(() => {
        const canvas = document.querySelectorAll('article')[${sheet - 1}]?.querySelector('canvas')
        if (!canvas) return null
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')
        copy.drawImage(canvas, 0, 0)
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
        let dark = 0
        for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 0 && data[at] < 128) dark += 1
        return { width: canvas.width, height: canvas.height, dark }
      })()`)
      return seen !== null && seen.dark > 1000 && fits(seen)
    },
    () => `sheet ${sheet}: ${JSON.stringify(seen)}`,
  )
  return seen as unknown as Picture
}
