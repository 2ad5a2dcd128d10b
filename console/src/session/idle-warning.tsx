import { useEffect, useState } from 'react'
import { call } from '../calls/http.ts'
import { isDoingUntold, lastCounted } from '../calls/presence.ts'
import { Button } from '../elements/button.tsx'
import { Dialog } from '../elements/dialog.tsx'
import { useMessages } from '../messages/messages.tsx'
import { leave } from './leave.ts'
import { useSession } from './session.tsx'

/** How often it is looked whether the session is about to end, in milliseconds. */
const lookedEvery = 1000

/** Asks the service for nothing but to note that somebody is there. A session that is over is begun anew, as by any call. */
const stay = () => call('GET', '/console/v1/preferences', { isByItself: false })

/**
 * Warns that the session will end because nobody does anything, in time to prolong it with one press (WCAG 2.2.1). Whoever types or
 * reads on without a call is there: the service is told so.
 */
export function IdleWarning() {
  const { messages } = useMessages()
  const { session } = useSession()
  const [left, setLeft] = useState<number | null>(null)
  useEffect(() => {
    let isAsking = false
    const look = () => {
      const ends = lastCounted() + session.idleMinutes * 60_000
      const seconds = Math.ceil((ends - Date.now()) / 1000)
      if (left === null && isDoingUntold() && !isAsking) {
        isAsking = true
        void stay()
          .catch(() => {})
          .finally(() => {
            isAsking = false
          })
      }
      setLeft(seconds <= session.warningSeconds ? Math.max(seconds, 0) : null)
    }
    const clock = setInterval(look, lookedEvery)
    return () => clearInterval(clock)
  }, [session, left])
  if (left === null) return null
  const goOn = () => void stay().catch(() => {})
  return (
    <Dialog title={messages.session.idle} onClose={goOn}>
      <div className="stack">
        <p>{left > 0 ? messages.session.idleText(left) : messages.session.idleOver}</p>
        <p className="quiet">{messages.session.idleKept}</p>
        <div className="row">
          <Button kind="main" onClick={goOn}>
            {messages.session.stay}
          </Button>
          <Button onClick={() => void leave()}>{messages.session.logOut}</Button>
        </div>
      </div>
    </Dialog>
  )
}
