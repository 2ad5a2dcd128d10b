import type { RecordType } from '@matricula/contract/record-types'
import { useMessages } from '../messages/messages.tsx'
import { findField, type Values } from './form/field-model.ts'
import { shownValue } from './shown-value.ts'
import { useReader } from './use-record-type.ts'

const signs: Readonly<Record<string, string>> = {
  ...{ Approved: 'good', Admitted: 'good', Present: 'good', Active: 'good', Closed: 'good', Successful: 'good' },
  ...{ Rejected: 'bad', Absent: 'bad', Failed: 'bad', Inactive: 'bad', Suspended: 'bad', Cancelled: 'bad' },
  ...{ Applied: 'wait', Open: 'wait', 'In Process': 'wait', Leave: 'wait' },
}

interface ValueProps {
  readonly type: RecordType
  readonly name: string
  readonly row: Values
}

/** A value as it stands in a list. States have a colour beside their word. */
export function ValueText({ type, name, row }: ValueProps) {
  const reader = useReader(type, row)
  const field = findField(type, name)
  const value = row[name]
  const text = shownValue(field, value, reader)
  const isState = field?.type === 'Select' && typeof value === 'string' && Object.hasOwn(signs, value)
  return isState ? <span className={`badge ${signs[value]}`}>{text}</span> : text
}

/** In words, whether a record is a draft, official or cancelled. */
export function StateBadge({ docstatus }: { readonly docstatus: number }) {
  const { messages } = useMessages()
  const { draft, official, cancelled } = messages.record
  const [text, sign] = [
    [draft, 'wait'],
    [official, 'good'],
    [cancelled, 'bad'],
  ][docstatus] ?? [draft, 'wait']
  return <span className={`badge ${sign}`}>{text}</span>
}
