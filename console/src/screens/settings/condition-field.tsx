import type { Setting } from '../../calls/settings-api.ts'
import { getMembers } from './setting-schema.ts'
import { useSettingMessages } from './use-setting-messages.ts'

interface Props {
  readonly id: string
  readonly value: Setting | undefined
  /** The keys of the questions before this one. */
  readonly earlier: readonly string[]
  readonly onChange: (value: Setting) => void
}

const comparisons = ['equals', 'notEquals', 'isSet'] as const

/** When a question is put: always, or by the answer to an earlier one. A condition of several parts is edited as JSON. */
export function ConditionField({ id, value, earlier, onChange }: Props) {
  const own = useSettingMessages()
  const condition = getMembers(value)
  const isAlways = Object.keys(condition).length === 0 || (Array.isArray(condition.all) && condition.all.length === 0)
  const comparison = comparisons.find((each) => each in condition)
  if (!isAlways && (condition.field === undefined || comparison === undefined)) {
    return (
      <textarea
        id={id}
        className="input"
        defaultValue={JSON.stringify(value, null, 2)}
        onBlur={({ target }) => {
          try {
            onChange(JSON.parse(target.value))
            target.setCustomValidity('')
          } catch {
            target.setCustomValidity(own.noJson)
            target.reportValidity()
          }
        }}
      />
    )
  }
  const field = isAlways ? '' : String(condition.field)
  const is = comparison ?? 'equals'
  const compared = condition[is]
  const set = (name: string, by: (typeof comparisons)[number], to: Setting) =>
    onChange(name === '' ? { all: [] } : { field: name, [by]: by === 'isSet' ? to === true || to === 'true' : to })
  return (
    <span className="row">
      <select id={id} className="input" value={field} onChange={({ target }) => set(target.value, is, compared ?? '')}>
        <option value="">{own.always}</option>
        {[...new Set([...earlier, ...(field === '' ? [] : [field])])].map((key) => (
          <option key={key} value={key}>
            {own.whenQuestion(key)}
          </option>
        ))}
      </select>
      {field !== '' && (
        <>
          <select
            className="input"
            aria-label={own.comparison}
            value={is}
            onChange={({ target }) =>
              set(field, target.value as typeof is, target.value === 'isSet' ? true : String(compared ?? ''))
            }
          >
            {comparisons.map((each) => (
              <option key={each} value={each}>
                {own.comparisons[each]}
              </option>
            ))}
          </select>
          {is !== 'isSet' && (
            <input
              className="input"
              aria-label={own.comparedWith}
              value={String(compared ?? '')}
              onChange={({ target }) => set(field, is, toValue(target.value, compared))}
            />
          )}
        </>
      )}
    </span>
  )
}

/** What was typed, in the type that was there before. */
function toValue(text: string, before: Setting | undefined): Setting {
  if (typeof before === 'number' && text !== '' && !Number.isNaN(Number(text))) return Number(text)
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
