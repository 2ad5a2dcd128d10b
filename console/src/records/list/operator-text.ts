import type { Field } from '@matricula/contract/record-types'
import type { Messages } from '../../messages/english.ts'
import type { Operator } from '../../shell/list-address.ts'

/** What an operator is called; dates and times are after or before, where numbers are greater or less. */
export function operatorText(messages: Messages, field: Field | undefined, operator: Operator): string {
  const forDates: Readonly<Record<string, string>> = messages.dateOperators
  const isTime = field !== undefined && ['Date', 'Datetime', 'Time'].includes(field.type)
  return (isTime ? forDates[operator] : undefined) ?? messages.operators[operator]
}
