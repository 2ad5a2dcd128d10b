import { sql } from '../../../../database/index.ts'
import { lockKeyed } from '../../../../entities/index.ts'
import { studentUpserting } from '../../../students/index.ts'
import { type BundleState, stored } from './bundle-state.ts'

/** Whether another student than the one with a sourcedId has an e-mail address, in any case. */
export async function isEmailTaken({ tx, records }: BundleState, sourcedId: string, email: string): Promise<boolean> {
  const known = await records.find(stored.student, sourcedId)
  const [other] = await tx.query(sql`
    select from students
     where tenant_id = ${tx.tenantId} and email = ${email} collate any_case and id is distinct from ${known?.id ?? null}::uuid
     limit 1`)
  return other !== undefined
}

/**
 * Gives a student the e-mail address that another one has, which the Client API allows and the Resource API does not: siblings often
 * share that of a parent. Returns whether the record changed.
 */
export async function saveSharedEmail(state: BundleState, sourcedId: string, email: string): Promise<boolean> {
  const known = await state.records.find(stored.student, sourcedId)
  const key = { column: 'id', value: known?.id ?? '' } as const
  const current = known === null ? null : await lockKeyed(state.tx, studentUpserting.definition, key)
  if (current === null) return false
  return (await studentUpserting.change(state.tx, state.context, current, { email })) !== current
}
