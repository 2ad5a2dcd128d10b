import { useEffect } from 'react'
import { Refusal } from '../calls/http.ts'
import { Button } from '../elements/button.tsx'
import { useTell } from '../elements/notices.tsx'
import { useWords } from '../messages/words.tsx'
import { tellingOf } from './telling.ts'

/** Why something could not be shown, and how to try again. */
export function Failed({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  const { words } = useWords()
  return (
    <div className="empty" role="alert">
      <h2>{words.faults.title}</h2>
      <p>{tellingOf(error, words)}</p>
      {again !== undefined && <Button onClick={again}>{words.faults.again}</Button>}
    </div>
  )
}

/** Tells what was refused and nobody waited for, so that nothing that somebody asked for is left undone in silence. */
export function useUnawaitedRefusals(): void {
  const { words } = useWords()
  const tell = useTell()
  useEffect(() => {
    const onRefusal = (event: PromiseRejectionEvent) => {
      if (!(event.reason instanceof Refusal)) return
      event.preventDefault()
      tell(tellingOf(event.reason, words), { isBad: true })
    }
    addEventListener('unhandledrejection', onRefusal)
    return () => removeEventListener('unhandledrejection', onRefusal)
  }, [words, tell])
}
