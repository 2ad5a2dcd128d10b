import { type ReactNode, useEffect, useRef } from 'react'
import { useMessages } from '../messages/messages.tsx'

/** Bones of what is on its way. */
export function Waiting({ lines = 6 }: { readonly lines?: number }) {
  const { messages } = useMessages()
  return (
    <div className="stack section" aria-busy="true">
      <span className="unseen">{messages.frame.loading}</span>
      {Array.from({ length: lines }, (_, line) => line).map((line) => (
        <div key={line} className="bone" />
      ))}
    </div>
  )
}

/** What stands where there is nothing: what it is for, and how to begin. */
export function Empty({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p className="quiet">{text}</p>
      {children}
    </div>
  )
}

/** What keeps something from being done, which takes the focus when it appears (WCAG 2.2, 3.3.1). */
export function ErrorSummary({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  const summary = useRef<HTMLDivElement>(null)
  useEffect(() => summary.current?.focus(), [])
  return (
    <div className="told" role="alert" tabIndex={-1} ref={summary}>
      <strong>{title}</strong>
      {children}
    </div>
  )
}
