import type { ReactNode } from 'react'

interface Props {
  readonly label: string
  readonly className?: string
  /** Whether the frame is reached by keyboard, because nothing in the table is. */
  readonly isReached?: boolean
  readonly children: ReactNode
}

/** A table in a frame of its own, in which what is wider than the screen is scrolled; both have its name. */
export function ScrolledTable({ label, className = '', isReached = false, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
    <section className={`sheet ${className}`.trim()} aria-label={label} tabIndex={isReached ? 0 : -1}>
      <table aria-label={label}>{children}</table>
    </section>
  )
}
