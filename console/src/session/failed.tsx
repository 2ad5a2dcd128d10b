import { Refusal } from '../calls/http.ts'
import { Button } from '../elements/button.tsx'
import type { Words } from '../words/english.ts'
import { useWords } from '../words/words.tsx'

/** What a refusal tells somebody, in their language where the console knows it, else in the service's words. */
export function tellingOf(error: unknown, { faults }: Words): string {
  if (!(error instanceof Refusal)) return faults.failed
  if (error.status === 0) return faults.unreachable
  if (error.status === 403) return faults.forbidden
  if (error.status === 404) return faults.gone
  if (error.status === 429 || error.status === 503) return faults.busy
  if (error.status >= 500 || error.message === '') return faults.failed
  return error.message
}

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
