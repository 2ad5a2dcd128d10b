import type { RecordType } from '@matricula/contract/record-types'
import { column, identifier, sql } from '../../database/index.ts'
import type { RecordWork } from '../lifecycle/record-work.ts'
import type { AnyDocument } from '../model/record-document.ts'
import { RecordError } from '../model/record-error.ts'

/** The field that links a record to the one above it, of a type whose records form a tree; null for other types. */
export function findParentField(type: RecordType): string | null {
  const links = Object.entries(type.fields).filter(([, field]) => field.type === 'Link' && field.target === type.name)
  return links.find(([name]) => name.startsWith('parent_'))?.[0] ?? null
}

/**
 * Refuses a record that would stand above itself in its tree.
 *
 * @throws RecordError `ValidationError`.
 */
export async function requireNoLoop(
  work: Pick<RecordWork, 'tx'>,
  { type, relation }: { readonly type: RecordType; readonly relation: string },
  document: AnyDocument,
  before: AnyDocument | null,
): Promise<void> {
  const field = before === null ? null : findParentField(type)
  if (before === null || field === null) return
  const parent = document[field]
  if (!parent || parent === before[field]) return
  const above = column(field)
  const { tenantId } = work.tx
  // `union` removes duplicates, so that the recursion ends in a circle that was stored before.
  const [found] = await work.tx.query(sql`
    with recursive above as (
      select r.name, r.${above} as parent from ${identifier(relation)} r
       where r.tenant_id = ${tenantId} and r.name = ${parent}
      union
      select r.name, r.${above} from ${identifier(relation)} r
        join above a on r.name = a.parent where r.tenant_id = ${tenantId})
    select 1 from above where name = ${before.name} limit 1`)
  if (found === undefined) return
  const label = type.fields[field]?.label ?? field
  throw new RecordError(
    'ValidationError',
    `${label}: ${parent} is ${parent === before.name ? 'the record itself' : `below ${before.name}`}. Choose a record that is not.`,
  )
}
