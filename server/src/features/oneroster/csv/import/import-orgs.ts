import { sql } from '../../../../database/index.ts'
import type { BundleRow } from '../bundle-reader.ts'
import { isGone, readCell, required } from '../bundle-values.ts'
import { readUnmapped } from '../row-metadata.ts'
import { type BundleState, stored } from './bundle-state.ts'

/** Departments; the first organisation without a parent is the institution itself, in a delta the one that it was before. */
export async function importOrgs(state: BundleState): Promise<void> {
  const parents: { readonly row: BundleRow; readonly sourcedId: string; readonly parent: string }[] = []
  const known = state.bundle.isBulk('orgs') ? null : await state.records.findInstitution()
  state.institution = known
  for await (const row of state.bundle.rows('orgs')) {
    const sourcedId = required(row, state.faults, 'sourcedId')
    const name = required(row, state.faults, 'name')
    if (sourcedId === null || name === null) continue
    const unmapped = readUnmapped(row, 'identifier')
    const type = (readCell(row, 'type') ?? 'school').toLowerCase()
    const isFirst = (known === null && state.institution === null) || known === sourcedId
    if (isFirst && type !== 'department' && readCell(row, 'parentSourcedId', 'parentId') === null) {
      state.institution = sourcedId
      if (await isEmpty(state)) state.institutionName = name
      state.records.rememberInstitution(sourcedId, unmapped)
      continue
    }
    if (isGone(row)) {
      await state.endRow(stored.department, sourcedId)
      continue
    }
    state.present.org.add(sourcedId)
    const fields = { department_name: name, is_school: type === 'school' ? 1 : 0 }
    await state.save(row, stored.department, sourcedId, fields, unmapped)
    const parent = readCell(row, 'parentSourcedId', 'parentId')
    if (parent !== null) parents.push({ row, sourcedId, parent })
  }
  for (const { row, sourcedId, parent } of parents) {
    if (parent === state.institution || parent === state.tenant.id) continue
    const name = await state.named(row, stored.department, 'parentSourcedId', parent)
    if (name !== null) await state.save(row, stored.department, sourcedId, { parent_department: name }, null)
  }
}

/** Whether the institution has no people and groups yet. */
async function isEmpty(state: BundleState): Promise<boolean> {
  const { tenantId } = state.tx
  const [facts] = await state.tx.query<{ is_empty: boolean }>(sql`
    select not exists (select from students where tenant_id = ${tenantId})
           and not exists (select from instructors where tenant_id = ${tenantId})
           and not exists (select from student_groups where tenant_id = ${tenantId})
           and not exists (select from roster_ids where tenant_id = ${tenantId} and is_from_bundle) as is_empty`)
  return facts?.is_empty === true
}
