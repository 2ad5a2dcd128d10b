import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

/** One thing that a menu does. */
export interface MenuItem {
  readonly label: string
  readonly isDangerous?: boolean
  /** Whether it is there to be read only: its label says why it cannot be done. */
  readonly isOff?: boolean
  readonly onChoose: () => void
}

interface Props {
  readonly label: string
  readonly children: ReactNode
  readonly items: readonly MenuItem[]
  readonly kind?: 'plain'
  readonly isIcon?: boolean
}

/** A button that opens a list of things to do (APG, menu button): arrows, Home, End, Escape. */
export function Menu({ label, children, items, kind, isIcon = false }: Props) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  useEffect(() => {
    if (!isOpen) return
    root.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    const leave = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [isOpen])
  const close = () => {
    setOpen(false)
    root.current?.querySelector('button')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const all = entries()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }
    const next = moves[event.key]
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') setOpen(false)
    else if (next !== undefined) all[(next + all.length) % all.length]?.focus()
    else return
    if (event.key !== 'Tab') event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="menu" ref={root}>
      <button
        type="button"
        className={['button', kind, isIcon ? 'icon' : ''].filter(Boolean).join(' ')}
        aria-label={label}
        title={isIcon ? label : undefined}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <div className="menu-list" id={id} role="menu" aria-label={label} onKeyDown={onKeyDown}>
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={item.isDangerous ? 'danger' : undefined}
              aria-disabled={item.isOff || undefined}
              onClick={() => {
                if (item.isOff) return
                close()
                item.onChoose()
              }}
            >
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
