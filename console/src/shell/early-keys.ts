/** Keeps what is typed while a field is on its way to the page. */
export interface EarlyKeys {
  /** Ends it, and gives what was typed. */
  take(): string
}

/**
 * Keeps the characters that are typed from now on, with Backspace, until they are taken by the field that they are meant for. Keys with
 * Ctrl, ⌘ or Alt stay what they are.
 */
export function keepEarlyKeys(target: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>): EarlyKeys {
  let typed = ''
  const keep = (event: Event) => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event as KeyboardEvent
    if (ctrlKey || metaKey || altKey || isComposing) return
    if (key === 'Backspace') typed = [...typed].slice(0, -1).join('')
    else if ([...key].length === 1) typed += key
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  target.addEventListener('keydown', keep, { capture: true })
  return {
    take: () => {
      target.removeEventListener('keydown', keep, { capture: true })
      const taken = typed
      typed = ''
      return taken
    },
  }
}
