import { useState } from 'react'
import type { Setting } from '../../calls/settings-api.ts'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { getList, getMembers } from './setting-schema.ts'
import { useSettingMessages } from './use-setting-messages.ts'

type Filled = Readonly<Record<string, string>>

/** How a form looks on a family's phone, with its conditions: questions come and go as it is filled in. Nothing is sent. */
export function FormPreview({ template }: { readonly template: Setting }) {
  const own = useSettingMessages()
  const { language } = useMessages()
  const { tenant } = useSession()
  const [filled, setFilled] = useState<Filled>({})
  const text = (value: Setting | undefined) => {
    if (typeof value === 'string') return value
    const texts = getMembers(value)
    return String(texts[language] ?? texts[tenant.language] ?? Object.values(texts)[0] ?? '')
  }
  const { name, description, sections, fields } = getMembers(template)
  const shown = getList(fields)
    .map(getMembers)
    .filter(({ visibleWhen }) => isMet(visibleWhen, filled))
  const titles = new Map(getList(sections).map((section) => [getMembers(section).key, text(getMembers(section).title)]))
  return (
    <section className="card phone" aria-label={own.preview}>
      <h2>{own.preview}</h2>
      <div className="screen stack">
        <h3>{text(name)}</h3>
        <p className="quiet">{text(description)}</p>
        {shown.map((field, index) => {
          const key = String(field.key ?? index)
          const section = field.section as string | undefined
          const isFirst = section !== undefined && section !== shown[index - 1]?.section
          return (
            <div key={key} className="field">
              {isFirst && <h4>{titles.get(section)}</h4>}
              <label htmlFor={`preview-${key}`}>
                {text(field.label)}
                {field.isRequired === true && <span aria-hidden="true"> *</span>}
              </label>
              <Control
                id={`preview-${key}`}
                field={field}
                options={getList(field.options).map((option) => {
                  const { value, label } = getMembers(option)
                  return { value: String(value ?? ''), label: text(label) }
                })}
                value={filled[key] ?? ''}
                onChange={(value) => setFilled((before) => ({ ...before, [key]: value }))}
              />
              {text(field.helpText) !== '' && <span className="quiet small">{text(field.helpText)}</span>}
            </div>
          )
        })}
      </div>
    </section>
  )
}

interface ControlProps {
  readonly id: string
  readonly field: Readonly<Record<string, Setting>>
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly value: string
  readonly onChange: (value: string) => void
}

const inputTypes: Readonly<Record<string, string>> = {
  ...{ email: 'email', phone: 'tel', number: 'number', date: 'date', file: 'file' },
}

function Control({ id, field, options, value, onChange }: ControlProps) {
  const type = String(field.type ?? 'text')
  if (type === 'textarea') {
    return <textarea id={id} className="input" value={value} onChange={({ target }) => onChange(target.value)} />
  }
  if (type === 'select' || type === 'multiselect') {
    return (
      <select id={id} className="input" value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="" />
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  }
  if (type === 'checkbox') {
    return (
      <input
        id={id}
        type="checkbox"
        checked={value === 'true'}
        onChange={({ target }) => onChange(String(target.checked))}
      />
    )
  }
  const kind = inputTypes[type] ?? 'text'
  return (
    <input
      id={id}
      className="input"
      type={kind}
      {...(kind !== 'file' && { value })}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

/** Whether the condition of a question is met by the filled, as the public page judges it. */
function isMet(condition: Setting | undefined, filled: Filled): boolean {
  const { field, equals, notEquals, isSet, all, any } = getMembers(condition)
  if (Array.isArray(all)) return all.every((part) => isMet(part, filled))
  if (Array.isArray(any)) return any.some((part) => isMet(part, filled))
  if (field === undefined) return true
  const value = filled[String(field)] ?? ''
  if (equals !== undefined) return value === String(equals)
  if (notEquals !== undefined) return value !== String(notEquals)
  if (isSet !== undefined) return (value !== '') === isSet
  return getList(getMembers(condition).in).some((each) => String(each) === value)
}
