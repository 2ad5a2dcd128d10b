import { Field } from './field.tsx'

interface Props {
  readonly id: string
  readonly label: string
  readonly value: string
  /** The most characters that it takes. */
  readonly most: number
  readonly isRequired?: boolean
  readonly onChange: (value: string) => void
}

/** A text of several lines with its name. */
export function LongText({ id, label, value, most: max, isRequired = false, onChange }: Props) {
  return (
    <Field id={id} label={label}>
      <textarea
        id={id}
        className="input"
        required={isRequired}
        maxLength={max}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  )
}
