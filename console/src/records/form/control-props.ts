import type { Field } from '@matricula/contract/record-types'

/** What the control for a value of a field is given. */
export interface ControlProps {
  readonly id: string
  readonly field: Field
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly isReadOnly?: boolean
  readonly isInvalid?: boolean
  readonly describedBy?: string | undefined
  /** The name of the field, where no label stands beside the control. */
  readonly label?: string
  /** The type that a Dynamic Link links to now. */
  readonly target?: string
}
