import { useEffect, useState } from 'react'
import { onSessionOver } from '../calls/http.ts'
import { Dialog } from '../elements/dialog.tsx'
import { useMessages } from '../messages/messages.tsx'
import { LogInForm } from './log-in-form.tsx'
import { useSession } from './session.tsx'

/** Asks to log in again over the page when the session is over. All calls that wait for it go on afterwards; what was typed stays. */
export function LogInAgain() {
  const { messages } = useMessages()
  const { user } = useSession()
  const [waiting, setWaiting] = useState<readonly (() => void)[]>([])
  useEffect(() => {
    onSessionOver(() => new Promise((resolve) => setWaiting((all) => [...all, resolve])))
  }, [])
  if (waiting.length === 0) return null
  const goOn = () => {
    setWaiting([])
    for (const resolve of waiting) resolve()
  }
  return (
    <Dialog title={messages.session.over}>
      <p className="quiet">{messages.session.overText}</p>
      <LogInForm user={user.name} onLoggedIn={goOn} />
    </Dialog>
  )
}
