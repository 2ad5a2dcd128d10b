import { sql, type Transaction } from '../../database/index.ts'
import { todayIn } from '../../tenancy/index.ts'

/** Fields of an applicant that only the Resource API has; absent or empty where nothing is known. */
interface ApplicantDetails {
  /** A calendar date, YYYY-MM-DD. One that is not before today in the time zone is left out. */
  readonly dateOfBirth?: string | undefined
  readonly gender?: string | undefined
  readonly nationality?: string | undefined
  readonly postalCode?: string | undefined
}

/** Stores the details of an applicant whose application was created in this transaction. */
export function storeApplicantDetails(
  tx: Transaction,
  timeZone: string,
  applicationId: string,
  { dateOfBirth, gender, nationality, postalCode }: ApplicantDetails,
): void {
  const birthDate = dateOfBirth !== undefined && dateOfBirth < todayIn(timeZone) ? dateOfBirth : null
  const values = [birthDate, gender || null, nationality || null, postalCode || null]
  if (values.every((value) => value === null)) return
  tx.send(sql`
    update admission_applications
       set date_of_birth = ${birthDate}::date, gender = ${values[1]}, nationality = ${values[2]},
           postal_code = ${values[3]}
     where tenant_id = ${tx.tenantId} and id = ${applicationId}`)
}
