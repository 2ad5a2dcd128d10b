import { useEffect } from 'react'
import { CallError } from '../calls/http.ts'
import { Button } from '../elements/button.tsx'
import { useNotify } from '../elements/notices.tsx'
import { useMessages } from '../messages/messages.tsx'
import { getErrorText } from './telling.ts'

/** Why something could not be shown, and how to try again. */
export function Failed({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  const { messages } = useMessages()
  return (
    <div className="empty" role="alert">
      <h2>{messages.faults.title}</h2>
      <p>{getErrorText(error, messages)}</p>
      {again !== undefined && <Button onClick={again}>{messages.faults.again}</Button>}
    </div>
  )
}

/** Tells what was refused and nobody waited for, so that nothing that somebody asked for is left undone in silence. */
export function useUnhandledRejections(): void {
  const { messages } = useMessages()
  const tell = useNotify()
  useEffect(() => {
    const onRefusal = (event: PromiseRejectionEvent) => {
      if (!(event.reason instanceof CallError)) return
      event.preventDefault()
      tell(getErrorText(event.reason, messages), { isBad: true })
    }
    addEventListener('unhandledrejection', onRefusal)
    return () => removeEventListener('unhandledrejection', onRefusal)
  }, [messages, tell])
}
