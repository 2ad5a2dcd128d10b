import type { ReactNode } from 'react'

interface Props {
  readonly id: string
  readonly label: string
  readonly children: ReactNode
  readonly isRequired?: boolean
  readonly fault?: string | undefined
  readonly about?: string | undefined
  readonly isWide?: boolean
}

/** A control with its name, what is said of it, and what is wrong with it. */
export function Field({
  id,
  label,
  children,
  isRequired = false,
  fault: validationError,
  about,
  isWide = false,
}: Props) {
  const names = ['field', isWide ? 'wide' : '', validationError === undefined ? '' : 'has-fault']
  return (
    <div className={names.filter(Boolean).join(' ')}>
      <label htmlFor={id}>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
      {children}
      {about !== undefined && (
        <span id={`${id}-about`} className="quiet small">
          {about}
        </span>
      )}
      {validationError !== undefined && (
        <span id={`${id}-fault`} className="fault">
          {validationError}
        </span>
      )}
    </div>
  )
}
