import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { useMessages } from '../messages/messages.tsx'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

/** What somebody is told in passing; with `undo` for as long as it is shown. */
interface Notice {
  readonly id: number
  readonly text: string
  readonly isBad: boolean
  readonly undo?: () => void
}

type Tell = (text: string, options?: { readonly undo?: () => void; readonly isBad?: boolean }) => void

const NotifyContext = createContext<Tell>(() => {})

/** How long a notice stays, in milliseconds; what went wrong stays until it is dismissed. */
const shownFor = 8000
let lastId = 0

/** Tells people in passing, in a live region: below it `useNotify` says something. */
export function Notices({ children }: { readonly children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([])
  const { messages } = useMessages()
  const dismiss = useCallback((id: number) => setNotices((all) => all.filter((notice) => notice.id !== id)), [])
  const tell = useCallback<Tell>(
    (text, { undo, isBad = false } = {}) => {
      lastId += 1
      const id = lastId
      setNotices((all) => [...all.slice(-2), { id, text, isBad, ...(undo !== undefined && { undo }) }])
      if (!isBad) setTimeout(() => dismiss(id), shownFor)
    },
    [dismiss],
  )
  const shown = useMemo(
    () => (
      <section className="notices" aria-label={messages.frame.notices} aria-live="polite">
        {notices.map(({ id, text, isBad, undo }) => (
          <div key={id} className={isBad ? 'notice bad' : 'notice'}>
            <span>{text}</span>
            {undo !== undefined && (
              <Button
                onClick={() => {
                  dismiss(id)
                  undo()
                }}
              >
                {messages.frame.undo}
              </Button>
            )}
            <Button kind="plain" label={messages.frame.dismiss} onClick={() => dismiss(id)}>
              <Icon of="close" />
            </Button>
          </div>
        ))}
      </section>
    ),
    [notices, messages, dismiss],
  )
  return (
    <NotifyContext value={tell}>
      {children}
      {shown}
    </NotifyContext>
  )
}

/** Tells somebody something in passing. */
export function useNotify(): Tell {
  return useContext(NotifyContext)
}
