/**
 * Does something once all that has just happened is handled, with whatever waited for it, and before anything else happens: what one turn
 * of the event loop asks for can then be done at once, and nothing that comes in meanwhile holds it up.
 */
export function atEndOfTick(work: () => void): void {
  // A tick by itself would come before the promises that are settled.
  queueMicrotask(() => process.nextTick(work))
}
