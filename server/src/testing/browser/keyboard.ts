import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** Somebody who has keys and no pointer. */
export interface Keyboard {
  press(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
  /** Goes on by Tab until the focus is at what is called so; fails where that cannot be reached. */
  tabTo(name: RegExp): Promise<void>
}

const nameOfActive = `(() => {
  const active = document.activeElement
  return active.getAttribute('aria-label') ?? active.labels?.[0]?.textContent ?? active.textContent
})()`

/** The most presses of Tab on the way to something. */
const maxPresses = 150

/** The keyboard of a page. */
export function getKeyboard(page: Page): Keyboard {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  return {
    press,
    type: (text) => page.keyboard.type(text),
    tabTo: async (name) => {
      for (let presses = 0; presses < maxPresses; presses += 1) {
        await press('Tab')
        if (name.test(String(await page.evaluate(nameOfActive)).trim())) return
      }
      assert.fail(`${name} cannot be reached by Tab`)
    },
  }
}
