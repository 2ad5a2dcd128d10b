import type { Field } from '@matricula/contract/record-types'
import { addressOfFile } from '../../calls/place.ts'
import { useMessages } from '../../messages/messages.tsx'
import type { ControlProps } from './control-props.ts'
import { DecimalInput } from './decimal-input.tsx'
import { LinkControl } from './link-control.tsx'

/** The control for a value of a field, of any type but rows. */
export function ValueControl(props: ControlProps) {
  const { id, field, value, onChange, isReadOnly = false, isInvalid, describedBy, label } = props
  const { messages, named } = useMessages()
  const text = value === null || value === undefined ? '' : String(value)
  const shared = {
    id,
    className: 'input',
    'aria-label': label,
    'aria-invalid': isInvalid || undefined,
    'aria-required': field.required || undefined,
    'aria-describedby': describedBy,
  }
  const input = (type: string, shown = text, read = (typed: string): unknown => typed, more = {}) => (
    <input
      {...shared}
      {...more}
      type={type}
      value={shown}
      readOnly={isReadOnly}
      onChange={({ target }) => onChange(read(target.value))}
    />
  )
  switch (field.type) {
    case 'Link':
    case 'Dynamic Link': {
      const target = field.type === 'Link' ? field.target : (props.target ?? '')
      return <LinkControl {...props} target={target} />
    }
    case 'Select':
      return (
        <select {...shared} value={text} disabled={isReadOnly} onChange={({ target }) => onChange(target.value)}>
          {!field.options.includes(text) && (
            <option value={text}>{text === '' ? messages.record.empty : named(text)}</option>
          )}
          {field.options.map((option) => (
            <option key={option} value={option}>
              {option === '' ? messages.record.empty : named(option)}
            </option>
          ))}
        </select>
      )
    case 'Check':
      return (
        <label className="target">
          <input
            {...shared}
            className=""
            type="checkbox"
            checked={Number(value) === 1}
            disabled={isReadOnly}
            onChange={({ target }) => onChange(target.checked ? 1 : 0)}
          />
        </label>
      )
    case 'Small Text':
    case 'Text':
    case 'Text Editor':
      return (
        <textarea {...shared} value={text} readOnly={isReadOnly} onChange={({ target }) => onChange(target.value)} />
      )
    case 'Date':
      return input('date')
    case 'Datetime':
      return input('datetime-local', text.slice(0, 19).replace(' ', 'T'), (typed) => typed.replace('T', ' '), {
        step: 1,
      })
    case 'Time':
      return input('time', text.replace(/^\d:/, '0$&').slice(0, 8), (typed) => typed, { step: 60 })
    case 'Int':
    case 'Duration':
      return input('number', text, (typed) => (typed === '' ? '' : Number(typed)), { step: 1 })
    case 'Float':
    case 'Percent':
    case 'Currency':
      return <DecimalInput {...shared} value={text} readOnly={isReadOnly} onChange={onChange} />
    case 'Password':
      return input('password', text, (typed) => typed, {
        autoComplete: 'new-password',
        placeholder: messages.record.secret,
      })
    case 'Attach':
    case 'Attach Image': {
      const address = addressOfFile(text)
      return (
        <div className="row">
          {input('text')}
          {address !== null && (
            <a className="button" href={address} target="_blank" rel="noreferrer">
              {messages.record.open}
            </a>
          )}
        </div>
      )
    }
    default:
      return input(getType(field), text, (typed) => typed, { maxLength: field.maxLength ?? 140 })
  }
}

function getType(field: Field): string {
  const format = 'format' in field ? field.format : undefined
  return format === 'Email' ? 'email' : format === 'Phone' ? 'tel' : format === 'URL' ? 'url' : 'text'
}
