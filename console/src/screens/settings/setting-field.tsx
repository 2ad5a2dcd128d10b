import type { Setting } from '../../calls/settings-api.ts'
import { Button } from '../../elements/button.tsx'
import { Field } from '../../elements/field.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { ConditionField } from './condition-field.tsx'
import {
  fromLines,
  getControl,
  getList,
  getMembers,
  type Schema,
  toLines,
  withMember,
  withoutNull,
} from './setting-schema.ts'
import { TranslatedField } from './translated-field.tsx'
import { useSettingMessages } from './use-setting-messages.ts'

interface Props {
  readonly id: string
  readonly name: string
  readonly schema: Schema
  readonly value: Setting | undefined
  readonly isRequired?: boolean
  /** The keys of the entries before it in its list. */
  readonly earlier?: readonly string[]
  readonly fault?: string | undefined
  readonly onChange: (value: Setting | undefined) => void
}

/** A setting with its control, which follows from what the contract says of it. */
function SettingField(props: Props) {
  const { id, name, value, isRequired = false, earlier = [], fault, onChange } = props
  const own = useSettingMessages()
  const { messages, language } = useMessages()
  const schema = withoutNull(props.schema)
  const kind = getControl(schema)
  const label = own.members[name] ?? name
  // The contract speaks English alone.
  const about = language === 'en' ? schema.description : undefined
  if (kind === 'members' && name !== 'visibleWhen') {
    return (
      <fieldset className="wide" aria-label={label}>
        <h3 className="label">{label}</h3>
        <Members {...props} schema={schema} />
      </fieldset>
    )
  }
  if (kind === 'rows') return <Rows {...props} schema={schema} />
  if (kind === 'check') {
    return (
      <label className="row">
        <input id={id} type="checkbox" checked={value === true} onChange={({ target }) => onChange(target.checked)} />
        {label}
      </label>
    )
  }
  if (kind === 'choices') {
    const chosen = getList(value)
    return (
      <fieldset className="wide" aria-label={label}>
        <h3 className="label">{label}</h3>
        <div className="row">
          {(withoutNull(schema.items ?? {}).enum ?? []).map((option) => (
            <label key={option} className="row">
              <input
                type="checkbox"
                checked={chosen.includes(option)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, option] : chosen.filter((each) => each !== option))
                }
              />
              {own.options[option ?? ''] ?? option}
            </label>
          ))}
        </div>
      </fieldset>
    )
  }
  return (
    <Field id={id} label={label} isRequired={isRequired} about={about} fault={fault} isWide={isWide(kind)}>
      {kind === 'translated' && <TranslatedField id={id} schema={schema} value={value} onChange={onChange} />}
      {name === 'visibleWhen' && <ConditionField id={id} value={value} earlier={earlier} onChange={onChange} />}
      {kind === 'choice' && (
        <select
          id={id}
          className="input"
          value={String(value ?? '')}
          onChange={({ target }) => onChange(target.value === '' ? getEmpty(props.schema) : target.value)}
        >
          {(!isRequired || value === undefined) && <option value="">{messages.record.empty}</option>}
          {(schema.enum ?? [])
            .flatMap((option) => (option === null ? [] : [option]))
            .map((option) => (
              <option key={option} value={option}>
                {own.options[option] ?? option}
              </option>
            ))}
        </select>
      )}
      {kind === 'number' && (
        <input
          id={id}
          className="input numbers"
          type="number"
          step="any"
          min={schema.minimum}
          max={schema.maximum}
          value={value === undefined || value === null ? '' : String(value)}
          onChange={({ target }) => onChange(target.value === '' ? getEmpty(props.schema) : Number(target.value))}
        />
      )}
      {kind === 'color' && (
        <input
          id={id}
          className="input"
          type="color"
          value={String(value ?? '#7d8590')}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      {kind === 'text' && (
        <input
          id={id}
          className="input"
          required={isRequired}
          maxLength={schema.maxLength}
          value={String(value ?? '')}
          onChange={({ target }) => onChange(target.value === '' ? getEmpty(props.schema) : target.value)}
        />
      )}
      {kind === 'long' && (
        <textarea
          id={id}
          className="input"
          maxLength={schema.maxLength}
          value={String(value ?? '')}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      {kind === 'lines' && (
        <textarea
          id={id}
          className="input"
          key={`${id} ${getList(value).length === 0}`}
          defaultValue={getList(value).join('\n')}
          onBlur={({ target }) => {
            const lines = target.value.split('\n').map((line) => line.trim())
            const filled = lines.filter((line) => line !== '')
            onChange(filled.length === 0 ? (getEmpty(props.schema) ?? []) : filled)
          }}
        />
      )}
      {kind === 'pairs' && (
        <textarea
          id={id}
          className="input"
          defaultValue={toLines(value)}
          onBlur={({ target }) => onChange(fromLines(target.value, hasLists(schema)))}
        />
      )}
    </Field>
  )
}

const isWide = (kind: string) => ['translated', 'long', 'lines', 'pairs'].includes(kind)

function hasLists({ additionalProperties }: Schema): boolean {
  return typeof additionalProperties === 'object' && additionalProperties.type === 'array'
}

/** What an empty control stands for: null where the setting may be that, else nothing. */
function getEmpty(schema: Schema): null | undefined {
  const types = [schema.type ?? []].flat()
  const isNullable = types.includes('null') || schema.anyOf?.some(({ type }) => type === 'null') === true
  return isNullable ? null : undefined
}

/** The members of a setting, each with its control. */
export function Members({ id, schema, value, earlier, onChange }: Omit<Props, 'name' | 'fault'>) {
  const { properties = {}, required = [] } = withoutNull(schema)
  return (
    <div className="fields">
      {Object.entries(properties).map(([name, member]) => (
        <SettingField
          key={name}
          id={`${id}-${name}`}
          name={name}
          schema={member}
          value={getMembers(value)[name]}
          isRequired={required.includes(name)}
          {...(earlier !== undefined && { earlier })}
          onChange={(changed) => onChange(withMember(value, name, changed))}
        />
      ))}
    </div>
  )
}

/** A list of entries in order, each to be opened, moved and removed. */
function Rows({ id, name, schema, value, onChange }: Props) {
  const own = useSettingMessages()
  const rows = getList(value)
  const item = withoutNull(schema.items ?? {})
  const keys = rows.map((row) => String(getMembers(row).key ?? ''))
  return (
    <fieldset className="wide stack" aria-label={own.members[name] ?? name}>
      <h3 className="label">{own.members[name] ?? name}</h3>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other name while their key is typed
        <details key={index} className="card" open={Object.keys(getMembers(row)).length === 0 || undefined}>
          <summary>{getTitle(row) || own.entry(index + 1)}</summary>
          <Members
            id={`${id}-${index}`}
            schema={item}
            value={row}
            earlier={keys.slice(0, index).filter((key) => key !== '')}
            onChange={(changed) => onChange(rows.with(index, changed ?? {}))}
          />
          <div className="row">
            {index > 0 && (
              <Button kind="plain" onClick={() => onChange(moved(rows, index))}>
                {own.moveUp}
              </Button>
            )}
            <Button kind="plain" onClick={() => onChange(rows.toSpliced(index, 1))}>
              {own.remove}
            </Button>
          </div>
        </details>
      ))}
      <div>
        <Button onClick={() => onChange([...rows, {}])}>{own.add(own.members[name] ?? name)}</Button>
      </div>
    </fieldset>
  )
}

function moved(rows: readonly Setting[], index: number): Setting {
  return [...rows.slice(0, index - 1), rows[index] ?? {}, rows[index - 1] ?? {}, ...rows.slice(index + 1)]
}

/** What people know an entry by. */
export function getTitle(entry: Setting): string {
  const { label, name, title, documentType, key, role, value, level } = getMembers(entry)
  const said = [label, name, title, role, documentType, key, value, level].find(
    (each) => each !== undefined && each !== '' && each !== null,
  )
  if (typeof said === 'object') return String(Object.values(getMembers(said))[0] ?? '')
  return said === undefined ? '' : String(said)
}
