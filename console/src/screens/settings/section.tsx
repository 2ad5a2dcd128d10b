import { useState } from 'react'
import type { Setting } from '../../calls/settings-api.ts'
import { Button } from '../../elements/button.tsx'
import { FormPreview } from './form-preview.tsx'
import { getTitle, Members } from './setting-field.tsx'
import { getKey, getList, getMembers, isSame, type Schema, withMember, withoutNull } from './setting-schema.ts'
import { useSettingMessages } from './use-setting-messages.ts'

interface Props {
  readonly name: string
  readonly schema: Schema
  readonly value: Setting | undefined
  readonly stored: Setting | undefined
  readonly onChange: (value: Setting | undefined) => void
}

/** A section of the settings: its entries and the one that is edited, or its members where there is one alone. */
export function Section({ name, schema: given, value, stored, onChange }: Props) {
  const own = useSettingMessages()
  const schema = withoutNull(given)
  const [chosen, setChosen] = useState(0)
  if (schema.items === undefined) {
    return (
      <section className="card section" aria-label={own.members[name]}>
        <Members id={name} schema={schema} value={value} onChange={onChange} />
      </section>
    )
  }
  const entries = getList(value)
  const known = new Map(getList(stored).map((entry) => [getKey(entry), entry]))
  const entry = entries[Math.min(chosen, entries.length - 1)]
  const at = entry === undefined ? -1 : entries.indexOf(entry)
  const isNew = entry !== undefined && !known.has(getKey(entry))
  return (
    <div className="settings section">
      <section className="card" aria-label={own.members[name]}>
        <Button
          onClick={() => {
            onChange([...entries, {}])
            setChosen(entries.length)
          }}
        >
          {own.addEntry}
        </Button>
        <ul className="stack">
          {entries.map((each, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a new entry has no key until one is typed
            <li key={index}>
              <Button kind="plain" isPressed={index === at} onClick={() => setChosen(index)}>
                {getTitle(each) || own.entry(index + 1)}
              </Button>
              {!isSame(known.get(getKey(each)), each) && <span className="badge wait">{own.changed}</span>}
              {(getMembers(each).isActive === false || getMembers(each).status === 'archived') && (
                <span className="badge">{own.unused}</span>
              )}
            </li>
          ))}
        </ul>
      </section>
      {entry !== undefined && (
        <section className="card" aria-label={getTitle(entry) || own.entry(at + 1)}>
          <h2>{getTitle(entry) || own.entry(at + 1)}</h2>
          <Members
            key={isNew ? at : getKey(entry)}
            id={`${name}-${at}`}
            schema={withoutNull(schema.items)}
            value={entry}
            onChange={(changed) => onChange(entries.with(at, changed ?? {}))}
          />
          {isNew && (
            <Button kind="plain" onClick={() => onChange(entries.toSpliced(at, 1))}>
              {own.remove}
            </Button>
          )}
          {!isNew && 'isActive' in getMembers(entry) && getMembers(entry).isActive !== false && (
            <Button kind="plain" onClick={() => onChange(entries.with(at, withMember(entry, 'isActive', false)))}>
              {own.takeOut}
            </Button>
          )}
        </section>
      )}
      {name === 'formTemplates' && entry !== undefined && <FormPreview template={entry} />}
    </div>
  )
}
