import { sql } from '../../database/index.ts'
import { allButLast, lastWord, selectStudents } from './common-elements.ts'
import { toSex } from './descriptors.ts'
import type { InterchangePart } from './interchange-part.ts'
import { element, textElement } from './xml.ts'

interface StudentRow {
  readonly unique_id: string
  readonly first_name: string
  readonly middle_name: string | null
  readonly last_name: string
  readonly preferred_name: string | null
  readonly date_of_birth: string
  readonly gender: string | null
}

/** Students with their names, dates of birth and sex. Who has one name has it twice. */
export const students: InterchangePart<StudentRow> = {
  name: 'Student',
  select: (tenantId) => sql`
    select s.unique_id, s.preferred_name, s.date_of_birth, s.gender,
           case when coalesce(s.given_names, '') <> '' then first_name_of(s.given_names, s.middle_name, s.full_name)
                when coalesce(s.family_names, '') <> '' then s.family_names
                else ${allButLast(sql`s.full_name`)} end as first_name,
           middle_name_of(s.given_names, s.middle_name) as middle_name,
           case when coalesce(s.family_names, '') <> '' then s.family_names
                when coalesce(s.given_names, '') <> '' then first_name_of(s.given_names, s.middle_name, s.full_name)
                else ${lastWord(sql`s.full_name`)} end as last_name
      from (${selectStudents(tenantId)}) s
     order by s.created_at, s.id`,
  toXml: (row) =>
    element(
      'Student',
      textElement('StudentUniqueId', row.unique_id),
      element(
        'Name',
        textElement('FirstName', row.first_name, 75),
        textElement('MiddleName', row.middle_name, 75),
        textElement('LastSurname', row.last_name, 75),
        textElement('PreferredFirstName', row.preferred_name, 75),
      ),
      element('BirthData', textElement('BirthDate', row.date_of_birth), textElement('BirthSex', toSex(row.gender))),
    ),
}
