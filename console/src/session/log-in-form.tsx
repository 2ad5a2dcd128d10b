import { type FormEvent, useId, useState } from 'react'
import { CallError } from '../calls/http.ts'
import { institutionPath } from '../calls/place.ts'
import { logIn } from '../calls/session-calls.ts'
import { Button } from '../elements/button.tsx'
import { Field } from '../elements/field.tsx'
import { ErrorSummary } from '../elements/states.tsx'
import { useMessages } from '../messages/messages.tsx'
import { getErrorText } from './telling.ts'

interface Props {
  /** Who must log in, where it is somebody whose session is over. */
  readonly user?: string
  readonly onLoggedIn: () => void
}

/** Logs in by password. What password managers know, they may fill in, and paste (WCAG 2.2, 3.3.8). */
export function LogInForm({ user, onLoggedIn }: Props) {
  const { messages } = useMessages()
  const id = useId()
  const [isBusy, setBusy] = useState(false)
  const [validationError, setError] = useState<{ text: string; count: number } | null>(null)
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const typed = new FormData(event.currentTarget)
    setBusy(true)
    try {
      await logIn(user ?? String(typed.get('user')), String(typed.get('password')))
      onLoggedIn()
    } catch (error) {
      const { wrong, wait } = messages.session
      const status = error instanceof CallError ? error.status : null
      const text = status === 401 ? wrong : status === 429 ? wait : getErrorText(error, messages)
      setError((before) => ({ text, count: (before?.count ?? 0) + 1 }))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="stack" onSubmit={(event) => void send(event)}>
      {validationError !== null && <ErrorSummary key={validationError.count} title={validationError.text} />}
      <Field id={`${id}-user`} label={messages.session.user}>
        <input
          id={`${id}-user`}
          className="input"
          name="user"
          type="email"
          autoComplete="username"
          required
          readOnly={user !== undefined}
          defaultValue={user}
        />
      </Field>
      <Field id={`${id}-password`} label={messages.session.password}>
        <input
          id={`${id}-password`}
          className="input"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </Field>
      <Button type="submit" kind="main" isBusy={isBusy}>
        {messages.session.logIn}
      </Button>
      <a className="small" href={`${institutionPath}/login?forgot=yes`}>
        {messages.session.forgot}
      </a>
      <a className="small" href={`${institutionPath}/login?redirect-to=${encodeURIComponent(here())}`}>
        {messages.session.otherWays}
      </a>
    </form>
  )
}

/** The address of what is shown, to come back to. */
function here(): string {
  const { pathname, search, hash } = location
  return pathname + search + hash
}
