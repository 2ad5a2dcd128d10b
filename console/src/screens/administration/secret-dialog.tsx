import { useState } from 'react'
import { Button } from '../../elements/button.tsx'
import { Dialog } from '../../elements/dialog.tsx'
import { Field } from '../../elements/field.tsx'
import { useAdministrationMessages } from './use-administration-messages.ts'

/** A secret, which is shown once. It is in the memory of this page alone. */
export function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const own = useAdministrationMessages()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(secret)
    setCopied(true)
  }
  return (
    <Dialog title={own.secretTitle} onClose={onClose}>
      <div className="stack">
        <p>{own.secretText}</p>
        <Field id="secret" label={own.secretTitle}>
          <input
            id="secret"
            className="input numbers"
            readOnly
            value={secret}
            onFocus={({ target }) => target.select()}
          />
        </Field>
        <div className="row">
          <Button kind="main" onClick={() => void copy()}>
            {own.copy}
          </Button>
          <span role="status">{isCopied && own.copied}</span>
        </div>
      </div>
    </Dialog>
  )
}
