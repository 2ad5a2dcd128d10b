import { currencyFields } from '@matricula/contract/amounts'
import type { Field, RecordType } from '@matricula/contract/record-types'
import { TimeSlice } from '../../concurrency/index.ts'
import { amountText } from '../../money/index.ts'
import { ink, PrintedPages } from '../../pdf/index.ts'
import { type AnyDocument, isMissing } from '../../record-engine/index.ts'
import { numberText } from '../../values/index.ts'

const states = ['Draft', 'Submitted', 'Cancelled'] as const

/** More rows than these of one table are not printed. */
const maxRows = 300

/**
 * Sets any record on A4: its fields with their labels, and its rows below. What is empty, hidden or secret is left out. Amounts
 * are in the record's own currency, else in the given one.
 */
export async function recordPdf(
  type: RecordType,
  document: AnyDocument,
  { institution, madeOn, currency }: { institution: string; madeOn: string; currency: string },
): Promise<Buffer> {
  const named = currencyFields.map((name) => document[name]).find((value) => Boolean(value))
  const unit = String(named ?? currency)
  const facts = getFacts(type, document, unit)
  const tables = getTables(type, document, unit)
  const pages = await PrintedPages.open({ title: `${type.name} ${document.name}`, author: institution }, [
    type.name,
    document.name,
    facts,
    tables,
  ])
  const slice = new TimeSlice()
  pages.head(institution, type.name)
  pages.text(document.name, { bold: true, size: 14 })
  pages.y += 8
  const state = type.kind === 'submittable' ? [['Status', states[document.docstatus] ?? ''] as const] : []
  pages.facts([...state, ...facts], 100)
  for (const { label, rows, left } of tables) {
    pages.keep(60)
    pages.y += 10
    pages.text(label, { bold: true, size: 12 })
    pages.y += 3
    pages.rule(ink.text)
    pages.y += 6
    for (const row of rows) {
      if (slice.isOver) await slice.yield()
      pages.facts(row, 100)
      pages.rule(ink.line)
      pages.y += 6
    }
    if (left > 0) pages.text(`and ${left} more rows, which stand in the record`)
  }
  return pages.finish(`${document.name} · made on ${madeOn.slice(0, 16)}`)
}

/** The rows of a record that are printed, by table, and how many are left out. */
function getTables(type: RecordType, document: AnyDocument, currency: string) {
  return Object.entries(type.fields).flatMap(([name, field]) => {
    if (field.type !== 'Table') return []
    const all = document[name] as AnyDocument[]
    if (all.length === 0) return []
    const rows = all.slice(0, maxRows).map((row) => getFacts(field.rows, row, currency))
    return [{ label: field.label, rows, left: all.length - rows.length }]
  })
}

/** More characters than these of one value are cut off. */
const longestValue = 2000

function getFacts(type: RecordType, document: AnyDocument, currency: string): [string, string][] {
  return Object.entries(type.fields).flatMap(([name, field]): [string, string][] => {
    if (field.hidden === true || field.type === 'Table' || field.type === 'Password') return []
    const value = document[name]
    if (isMissing(value)) return []
    return [[field.label, printedValue(field, value, currency).slice(0, longestValue)]]
  })
}

function printedValue(field: Field, value: unknown, currency: string): string {
  if (field.type === 'Check') return value === 1 ? 'Yes' : 'No'
  if (typeof value === 'number')
    return field.type === 'Currency' ? amountText(value, currency) : numberText(value, 0, 9)
  const text = String(value)
  return field.type === 'Text Editor'
    ? text
        .replace(/<[^<>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
    : text
}
