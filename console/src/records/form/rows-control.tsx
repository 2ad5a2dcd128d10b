import type { TableField } from '@matricula/contract/record-types'
import { Button } from '../../elements/button.tsx'
import { Icon } from '../../elements/icon.tsx'
import { useMessages } from '../../messages/messages.tsx'
import { blankRecord, rowsIn, type ValueError, type Values } from './field-model.ts'
import { ValueControl } from './value-control.tsx'

interface Props {
  readonly id: string
  readonly name: string
  readonly field: TableField
  readonly value: unknown
  readonly onChange: (rows: readonly Values[]) => void
  readonly isReadOnly: boolean
  readonly faults: readonly ValueError[]
}

/** The rows of a record: a grid on a desk, one below the other on a phone. */
export function RowsControl({ id, name, field, value, onChange, isReadOnly, faults: validationErrors }: Props) {
  const { messages, named } = useMessages()
  const rows = rowsIn(value)
  const columns = Object.entries(field.rows.fields).filter(([, each]) => !each.hidden && each.type !== 'Table')
  const set = (at: number, column: string, next: unknown) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, [column]: next } : row)))
  return (
    <div className="rows">
      {rows.length === 0 && <p className="quiet">{messages.record.noRows}</p>}
      {rows.length > 0 && (
        <table className="grid" id={id}>
          <thead>
            <tr>
              {columns.map(([column, each]) => (
                <th key={column} scope="col">
                  {named(each.label)}
                  {each.required && ' *'}
                </th>
              ))}
              {!isReadOnly && <td className="pick" />}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows that are not saved have nothing else of their own
              <tr key={`${index}-${row.name ?? ''}`}>
                {columns.map(([column, each]) => {
                  const isMissing = validationErrors.some(
                    (validationError) => validationError.row === index && validationError.rowField === column,
                  )
                  const target = each.type === 'Dynamic Link' ? String(row[each.typeField] ?? '') : undefined
                  return (
                    <td key={column}>
                      <ValueControl
                        id={`${id}-${index}-${column}`}
                        label={`${named(each.label)}, ${index + 1}`}
                        field={each}
                        value={row[column]}
                        onChange={(next) => set(index, column, next)}
                        isReadOnly={isReadOnly || each.readOnly === true}
                        isInvalid={isMissing}
                        {...(target !== undefined && { target })}
                      />
                      {isMissing && <span className="fault">{messages.record.required}</span>}
                    </td>
                  )
                })}
                {!isReadOnly && (
                  <td className="pick">
                    <Button
                      kind="plain"
                      label={messages.record.removeRow(index + 1)}
                      onClick={() => onChange(rows.filter((_, at) => at !== index))}
                    >
                      <Icon of="trash" />
                    </Button>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!isReadOnly && (
        <Button onClick={() => onChange([...rows, withoutDefaults(blankRecord(field.rows, '', ''))])}>
          <Icon of="plus" />
          {messages.record.addRow}
          <span className="unseen">: {named(field.label || name)}</span>
        </Button>
      )}
    </div>
  )
}

/** Days of today in a row are the service's to fill in. */
function withoutDefaults(row: Values): Values {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === ' ' ? '' : value]))
}
