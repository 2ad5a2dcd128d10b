import { createContext, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { useMessages } from '../messages/messages.tsx'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface Props {
  readonly title: string
  readonly children: ReactNode
  /** Absent where it must be answered. */
  readonly onClose?: () => void
  readonly className?: string
  readonly hidesTitle?: boolean
}

/** The window over the page that something is shown in; null for what is in the page itself. */
export const DialogContext = createContext<RefObject<HTMLDialogElement | null> | null>(null)

/** A window over the page, by the browser's own: what is behind cannot be reached, and the focus comes back afterwards. */
export function Dialog({ title, children, onClose, className, hidesTitle = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const { messages } = useMessages()
  useEffect(() => {
    const before = document.activeElement
    const shown = dialog.current
    if (shown !== null && !shown.open) shown.showModal()
    return () => {
      shown?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
    >
      <div className={hidesTitle ? 'unseen' : 'heading'}>
        <h2 id={id}>{title}</h2>
        {onClose !== undefined && !hidesTitle && (
          <Button kind="plain" label={messages.frame.close} onClick={onClose}>
            <Icon of="close" />
          </Button>
        )}
      </div>
      <DialogContext value={dialog}>{children}</DialogContext>
    </dialog>
  )
}
