import type pg from 'pg'
import { findUnprintable } from '../../pdf/index.ts'
import type { Check } from './check.ts'

/** How many characters are named. */
const maxNamed = 20

/** Whether letters, report cards and receipts have a font for every character of people's names, with those that they print as `?`. */
export async function checkPrintedNames(client: pg.Client): Promise<Check> {
  const name = 'printed names'
  const { rows } = await client.query<{ text: string }>(`
    select string_agg(distinct letter, '') as text
      from (select full_name as shown from students
            union all
            select display_name from contacts
            union all
            select name from tenants) named
     cross join lateral regexp_split_to_table(named.shown, '') letter
     where named.shown ~ '[^[:ascii:]]'`)
  const missing = await findUnprintable(rows[0]?.text ?? '')
  if (missing.length === 0) return { name, status: 'ok', detail: 'every character has a font' }
  const shown = missing.slice(0, maxNamed).map((letter) => {
    const code = (letter.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')
    return `${letter} (U+${code})`
  })
  const more = missing.length > maxNamed ? ` and ${missing.length - maxNamed} more` : ''
  return {
    name,
    status: 'warning',
    detail: `PDFs print ? for ${shown.join(', ')}${more}. Correct the names that have them, or write them in other characters.`,
  }
}
