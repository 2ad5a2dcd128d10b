import type { Field, LinkField, RecordType } from '@matricula/contract/record-types'
import { useCallback } from 'react'
import { list } from '../../calls/resource-api.ts'
import { Field as FieldElement } from '../../elements/field.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { useSession } from '../../session/session.tsx'
import { getForm, type ValueError, type Values } from './field-model.ts'
import { RowsControl } from './rows-control.tsx'
import { ValueControl } from './value-control.tsx'

interface Props {
  readonly type: RecordType
  readonly values: Values
  readonly isNew: boolean
  readonly docstatus: number
  readonly mayWrite: boolean
  readonly faults: readonly ValueError[]
  readonly onChange: (change: (before: Values) => Values) => void
}

/** The fields of a form, in the parts of its type. */
export function FormFields({ type, values, isNew, docstatus, mayWrite, faults: validationErrors, onChange }: Props) {
  const { messages, named } = useMessages()
  const { may } = useSession()
  const set = useCallback(
    (name: string, value: unknown) => {
      onChange((before) => ({ ...before, [name]: value }))
      const field = type.fields[name]
      if (field?.type !== 'Link' || !may(field.target, 'read')) return
      void fetchOver(type, name, field, value).then((fetched) => {
        if (Object.keys(fetched).length > 0) onChange((before) => ({ ...before, ...fetched }))
      })
    },
    [type, onChange, may],
  )
  const isClosed = (name: string, field: Field) => {
    if (!mayWrite || field.readOnly || field.type === 'Read Only') return true
    if (docstatus === 1 && !field.allowOnSubmit) return true
    return !isNew && field.setOnlyOnce === true && values[name] !== '' && values[name] !== undefined
  }
  return getForm(type).map(({ title, fields }, index) => {
    const heading = title === null ? (index === 0 ? messages.record.main : messages.record.details) : named(title)
    return (
      <section key={fields.join()} className="card section" aria-label={heading}>
        <h2>{heading}</h2>
        <div className="fields">
          {fields.map((name) => {
            const field = type.fields[name] as Field
            const own = validationErrors.filter((validationError) => validationError.field === name)
            const ofField = own.find(({ row }) => row === undefined)
            const validationError = ofField === undefined ? undefined : (ofField.text ?? messages.record.required)
            const id = `field-${name}`
            const isReadOnly = isClosed(name, field)
            if (field.type === 'Table') {
              return (
                <fieldset key={name} className="wide" aria-label={named(field.label)}>
                  {heading !== named(field.label) && <h3 className="label">{named(field.label)}</h3>}
                  {validationError !== undefined && <p className="fault">{validationError}</p>}
                  <RowsControl
                    id={id}
                    name={name}
                    field={field}
                    value={values[name]}
                    onChange={(rows) => set(name, rows)}
                    isReadOnly={isReadOnly}
                    faults={own}
                  />
                </fieldset>
              )
            }
            const isLong = ['Small Text', 'Text', 'Text Editor'].includes(field.type)
            const about = field.description === undefined ? undefined : named(field.description)
            return (
              <FieldElement
                key={name}
                id={id}
                label={named(field.label)}
                isRequired={field.required === true}
                fault={validationError}
                about={about}
                isWide={isLong}
              >
                <ValueControl
                  id={id}
                  field={field}
                  value={values[name]}
                  onChange={(value) => set(name, value)}
                  isReadOnly={isReadOnly}
                  isInvalid={validationError !== undefined}
                  describedBy={
                    [about && `${id}-about`, validationError && `${id}-fault`].filter(Boolean).join(' ') || undefined
                  }
                  {...(field.type === 'Dynamic Link' && { target: String(values[field.typeField] ?? '') })}
                />
              </FieldElement>
            )
          })}
        </div>
      </section>
    )
  })
}

/** What the declaration says is copied over a link, shown as soon as the link is chosen. The service copies it again. */
async function fetchOver(type: RecordType, link: string, { target }: LinkField, value: unknown): Promise<Values> {
  const copied = Object.entries(type.fields).filter(([, each]) => each.fetchFrom?.startsWith(`${link}.`))
  if (copied.length === 0) return {}
  if (value === '' || value === null) return Object.fromEntries(copied.map(([name]) => [name, '']))
  const source = ([, each]: [string, Field]) => each.fetchFrom?.slice(link.length + 1) ?? 'name'
  const question = {
    filters: [['name', '=', String(value)] as const],
    orFilters: [],
    order: 'name',
    start: 0,
    length: 1,
  }
  const found = await list(target, { ...question, fields: [...new Set(copied.map(source))] }).catch(() => [])
  const [record] = found
  return record === undefined ? {} : Object.fromEntries(copied.map((each) => [each[0], record[source(each)] ?? '']))
}
