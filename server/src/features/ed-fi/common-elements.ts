import { type Sql, sql } from '../../database/index.ts'
import { element, textElement } from './xml.ts'

/** The identifier of a person or thing: its code, of at most 32 characters, else its id without hyphens. */
export function uniqueId(code: Sql, id: Sql): Sql {
  return sql`case when char_length(${code}) between 1 and 32 then ${code} else replace(${id}::text, '-', '') end`
}

/** All but the last word of a name; of one word that. */
export const allButLast = (name: Sql) =>
  sql`coalesce(nullif(regexp_replace(${name}, '\\s*\\S+\\s*$', ''), ''), trim(${name}))`
/** The last word of a name. */
export const lastWord = (name: Sql) => sql`coalesce(substring(${name} from '(\\S+)\\s*$'), ${name})`

/** The students that Ed-Fi can have: it does not know one without a date of birth. */
export function selectStudents(tenantId: string): Sql {
  return sql`
    select s.*, ${uniqueId(sql`s.student_code`, sql`s.id`)} as unique_id from students s
     where s.tenant_id = ${tenantId} and s.date_of_birth is not null`
}

/** The school year of a day by the Academic Year that has it, such as `2026-2027`; the one in which it ends counts. */
export function schoolYear(endDate: Sql): Sql {
  return sql`(extract(year from ${endDate})::int - 1 || '-' || extract(year from ${endDate})::int)`
}

/** The school years that the standard lists. */
export const knownSchoolYears: Sql = sql`between '1990-1991' and '2049-2050'`

export function studentReference(uniqueId: string): string {
  return element('StudentReference', element('StudentIdentity', textElement('StudentUniqueId', uniqueId)))
}

export function schoolReference(schoolId: number): string {
  return element('SchoolReference', element('SchoolIdentity', textElement('SchoolId', schoolId)))
}

/** A telephone number; none where it is longer than Ed-Fi has it. */
export function telephone(number: string | null, type: string): string {
  if (number === null || number === '' || number.length > 24) return ''
  return element('Telephone', textElement('TelephoneNumber', number), textElement('TelephoneNumberType', type))
}

/** An e-mail address; none where it is shorter or longer than Ed-Fi has it. */
export function electronicMail(address: string | null, type: string): string {
  if (address === null || address.length < 7 || address.length > 128) return ''
  return element(
    'ElectronicMail',
    textElement('ElectronicMailAddress', address),
    textElement('ElectronicMailType', type),
  )
}
