import { useContext, useEffect, useRef } from 'react'
import { DialogContext } from '../elements/dialog.tsx'

const typingIn = 'input:not([type=checkbox]), textarea, select, [contenteditable]'
const switchedOff = 'matricula-single-keys'

/** Whether keys without Ctrl or ⌘ do something; people who dictate switch them off (WCAG 2.1.4). */
export const singleKeys = {
  areOn: () => localStorage.getItem(switchedOff) !== 'off',
  switch: (areOn: boolean) => localStorage.setItem(switchedOff, areOn ? 'on' : 'off'),
}

/** Does something at a key while this is shown: `mod+k` is Ctrl or ⌘. Single keys do nothing while somebody types, or behind an open dialog. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys)
  latest.current = keys
  const around = useContext(DialogContext)
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const withMod = event.ctrlKey || event.metaKey
      const act = latest.current[withMod ? `mod+${event.key.toLowerCase()}` : event.key]
      if (act === undefined || event.altKey) return
      const target = event.target as Element
      const foremost = [...document.querySelectorAll('dialog[open]')].at(-1) ?? null
      const isElsewhere = target.closest(typingIn) !== null || foremost !== (around?.current ?? null)
      if (!withMod && (isElsewhere || !singleKeys.areOn())) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [around])
}
