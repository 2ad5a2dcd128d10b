import { sql } from '../../../database/index.ts'
import { leadingFields, leadingMembers, type RosterClass, textField } from './roster-class.ts'
import { isRecord, type RosterContext, sinceEnd, sourcedId } from './roster-context.ts'

const ownId = (context: RosterContext) => sourcedId(context, 'user', sql`o.id`)

/** What is known of a student: the date of birth, and the sex where it is one of the vocabulary. */
export const demographics: RosterClass = {
  name: 'demographics',
  source: ({ tenantId, version }) => sql`
    select s.id, s.date_of_birth,
           case when lower(s.gender) in ('male', 'm') then 'male'
                when lower(s.gender) in ('female', 'f') then 'female'
                when ${version === '1.1'} or coalesce(s.gender, '') = '' then null
                when lower(s.gender) in ('prefer not to say', 'unspecified', 'unknown') then 'unspecified'
                else 'other' end as sex,
           case when s.status in ('graduated', 'withdrawn') then 'tobedeleted' else 'active' end as status,
           s.updated_at as stamp
      from students s
     where s.tenant_id = ${tenantId} and (s.status not in ('graduated', 'withdrawn') or s.updated_at > ${sinceEnd})`,
  fields: (context) => ({
    ...leadingFields(ownId(context), (text) => isRecord(context, 'user', sql`o.id`, text)),
    birthDate: { type: 'day', value: sql`o.date_of_birth` },
    sex: textField(sql`o.sex`),
    ...Object.fromEntries(unknownFacts.map((name) => [name, textField(sql`null::text`)])),
  }),
  members: (context) => ({
    ...leadingMembers(ownId(context)),
    birthDate: sql`o.date_of_birth`,
    sex: sql`o.sex`,
  }),
  order: sql`o.id`,
  isObject: (context, id) => isRecord(context, 'user', sql`o.id`, id),
  people: sql`array[o.id::text]`,
}

/** Facts of the standard that no record here has. */
const unknownFacts = [
  'americanIndianOrAlaskaNative',
  'asian',
  'blackOrAfricanAmerican',
  'nativeHawaiianOrOtherPacificIslander',
  'white',
  'demographicRaceTwoOrMoreRaces',
  'hispanicOrLatinoEthnicity',
  'countryOfBirthCode',
  'stateOfBirthAbbreviation',
  'cityOfBirth',
  'publicSchoolResidenceStatus',
] as const
