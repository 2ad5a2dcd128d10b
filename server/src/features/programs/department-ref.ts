import { sql, type Transaction } from '../../database/index.ts'
import { referenceProblem } from '../../errors/index.ts'

interface OfDepartment {
  readonly department?: string | null
}

/**
 * The fields of a program or course with the whole name of their department, which may be named without its abbreviation where only
 * one is called so. `stored` is that of the record. Throws `reference_not_found` where no department, or more than one, is meant.
 */
export async function withDepartment<Fields extends OfDepartment>(
  tx: Transaction,
  fields: Fields,
  stored: string | null,
): Promise<Fields> {
  const { department } = fields
  if (department === undefined || department === null || department === stored) return fields
  const [first, second] = await tx.query<{ name: string }>(sql`
    select name from departments
     where tenant_id = ${tx.tenantId} and (name = ${department} or department_name = ${department})
     order by name = ${department} desc
     limit 2`)
  if (first === undefined || (first.name !== department && second !== undefined)) {
    throw referenceProblem('department', `department ${department}`)
  }
  return { ...fields, department: first.name }
}
