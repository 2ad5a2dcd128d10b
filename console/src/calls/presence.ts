import { institutionPath } from './place.ts'

/** A call so many milliseconds after a key, a press, a touch or the like is that person's doing; what comes later follows a clock or a feed. */
const doingLasts = 10_000

/** How often a person who works without a call is told of, in milliseconds: the service need not know of each key. */
const toldEvery = 60_000

let actedAt = Date.now()
let countedAt = Date.now()

// All windows of a browser have one session.
const channel =
  typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`matricula-presence ${institutionPath}`)
channel?.addEventListener('message', ({ data }: MessageEvent<number>) => {
  countedAt = Math.max(countedAt, data)
})
// Dictation tells of `input` alone, and who reads by a screen reader of `click`.
for (const name of ['keydown', 'pointerdown', 'wheel', 'input', 'click', 'touchstart', 'scroll']) {
  globalThis.addEventListener?.(name, () => (actedAt = Date.now()), { capture: true, passive: true })
}

/** Whether what happens now is somebody's doing. */
export function isSomebodyThere(): boolean {
  return Date.now() - actedAt < doingLasts
}

/** Notes that the service answered a call that prolongs the session. */
export function recordCounted(): void {
  countedAt = Date.now()
  channel?.postMessage(countedAt)
}

/** When the session was prolonged last, in milliseconds since 1970, as far as this browser knows. */
export function lastCounted(): number {
  return countedAt
}

/** Whether somebody did something since the session was prolonged, which the service does not know of yet. */
export function isDoingUntold(): boolean {
  return actedAt > countedAt && Date.now() - countedAt > toldEvery
}
