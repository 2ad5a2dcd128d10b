import { type InputHTMLAttributes, useState } from 'react'
import { useMessages } from '../../messages/messages.tsx'
import { numberLocale, readDecimal, showDecimal } from '../decimal-text.ts'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  /** The number as the service has it, with a point, or what was typed and is no number. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A number that is typed and shown in the person's format. What is no number goes on as it was typed, to be refused by name. */
export function DecimalInput({ value, onChange, onBlur, ...rest }: Props) {
  const { language } = useMessages()
  const locale = numberLocale(language, navigator.language)
  // What is being typed stays as it was typed: `1,` is on its way to `1,5`.
  const [typed, setTyped] = useState<string | null>(null)
  const isTyped = typed !== null && (readDecimal(locale, typed) ?? typed) === value
  return (
    <input
      {...rest}
      type="text"
      inputMode="decimal"
      value={isTyped ? typed : showDecimal(locale, value)}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(readDecimal(locale, target.value) ?? target.value)
      }}
      onBlur={(event) => {
        setTyped(null)
        onBlur?.(event)
      }}
    />
  )
}
