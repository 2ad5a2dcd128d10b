import type { ReactNode } from 'react'

interface Props {
  readonly children: ReactNode
  readonly onClick?: () => void
  readonly kind?: 'main' | 'plain' | 'danger'
  readonly type?: 'button' | 'submit'
  /** What it does, where it shows a sign alone. */
  readonly label?: string
  readonly isBusy?: boolean
  readonly isPressed?: boolean
  readonly keys?: string
}

/** A button. While what it began goes on it does nothing more, and keeps the focus. */
export function Button({ children, onClick, kind, type = 'button', label, isBusy = false, isPressed, keys }: Props) {
  return (
    <button
      type={type}
      className={['button', kind, label === undefined ? '' : 'icon'].filter(Boolean).join(' ')}
      aria-label={label}
      title={label}
      aria-disabled={isBusy || undefined}
      aria-pressed={isPressed}
      aria-keyshortcuts={keys}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.()
      }}
    >
      {children}
    </button>
  )
}
