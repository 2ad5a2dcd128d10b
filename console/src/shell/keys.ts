import { useEffect, useRef } from 'react'

const typingIn = 'input:not([type=checkbox]), textarea, select, [contenteditable]'
const switchedOff = 'matricula-single-keys'

/** Whether keys without Ctrl or ⌘ do something; people who dictate switch them off (WCAG 2.1.4). */
export const singleKeys = {
  areOn: () => localStorage.getItem(switchedOff) !== 'off',
  switch: (areOn: boolean) => localStorage.setItem(switchedOff, areOn ? 'on' : 'off'),
}

/** Does something at a key while this is shown: `mod+k` is Ctrl or ⌘. Single keys do nothing while somebody types or a dialog is open. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const withMod = event.ctrlKey || event.metaKey
      const act = latest.current[withMod ? `mod+${event.key.toLowerCase()}` : event.key]
      if (act === undefined || event.altKey) return
      const target = event.target as Element
      const isTyping = target.closest(typingIn) !== null || document.querySelector('dialog[open]') !== null
      if (!withMod && (isTyping || !singleKeys.areOn())) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])
}
