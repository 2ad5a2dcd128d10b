import { phoneDigits } from '@matricula/server/features/contacts/index'
import type { CodeSeries } from '../code-series.ts'
import type { CopyValue, RowOf } from '../copy.ts'
import type { Random } from '../random.ts'
import type { contactsTable } from '../tables.ts'
import { stamp } from './calendar.ts'
import type { Family, Relative } from './families.ts'

type Role = 'applicant' | 'primary_contact' | 'family' | 'emergency' | 'billing' | 'other'
type Source = 'manual' | 'import' | 'api' | 'whatsapp' | 'form' | 'system'

/** A link of a person to a student or an application, without what it is linked to. */
export interface DemoLink {
  readonly contactId: string
  readonly role: Role
  readonly label: string | null
  readonly isPrimary: boolean
  readonly metadata: object
}

/** The columns that links to students and to applications share. */
export type LinkColumns = Readonly<
  Record<
    | 'id'
    | 'contact_id'
    | 'role'
    | 'relationship_label'
    | 'is_primary'
    | 'source'
    | 'metadata'
    | 'created_at'
    | 'updated_at',
    CopyValue
  >
>

/** The row of a person, with the next code of their series. */
export function contactRow(
  person: Pick<Relative, 'contactId' | 'displayName' | 'email' | 'phone'>,
  since: number,
  codes: CodeSeries,
): RowOf<typeof contactsTable> {
  return {
    id: person.contactId,
    code: codes.next(since),
    display_name: person.displayName,
    email: person.email,
    phone: person.phone,
    phone_digits: phoneDigits(person.phone),
    ...findWork(person.displayName),
    created_at: stamp(since),
    updated_at: stamp(since),
  }
}

const educations = ['Secondary school', 'Vocational training', 'Bachelor', 'Master', 'Doctorate'] as const
const occupations = [
  'Nurse',
  'Engineer',
  'Shopkeeper',
  'Teacher',
  'Driver',
  'Accountant',
  'Farmer',
  'Electrician',
] as const

/** What somebody of a name learnt and does, as far as it is known: of about half of the people. */
function findWork(name: string): { education: string | null; occupation: string | null } {
  const digits = Array.from(name).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7)
  if (digits % 2 === 0) return { education: null, occupation: null }
  return {
    education: educations[(digits >>> 1) % educations.length] ?? null,
    occupation: occupations[(digits >>> 8) % occupations.length] ?? null,
  }
}

/** How the relatives of a student are linked: one of them is primary unless somebody else is. */
export function familyLinks(random: Random, family: Family, hasOtherPrimary: boolean): DemoLink[] {
  const { relatives, country } = family
  const primary = hasOtherPrimary ? null : relatives[relatives.length > 1 && random.chance(0.12) ? 1 : 0]
  const links = relatives.map((relative): DemoLink => {
    const isPrimary = relative === primary
    return {
      contactId: relative.contactId,
      role: isPrimary ? random.pick(['primary_contact', 'family']) : otherRole(random, relative),
      label: random.chance(0.9) ? getLabel(random, family, relative) : null,
      isPrimary,
      metadata: random.chance(0.85) ? getMetadata(random, country.language, isPrimary) : {},
    }
  })
  const payer = random.chance(0.15) ? links.find(({ role }) => role !== 'billing') : undefined
  return payer === undefined ? links : [...links, { ...payer, role: 'billing', isPrimary: false, metadata: {} }]
}

/** The columns of a link. Links of one record are a millisecond apart, in their order. */
export function linkColumns(link: DemoLink, id: string, source: Source, createdAt: number): LinkColumns {
  return {
    id,
    contact_id: link.contactId,
    role: link.role,
    relationship_label: link.label,
    is_primary: link.isPrimary,
    source,
    metadata: link.metadata,
    created_at: stamp(createdAt),
    updated_at: stamp(createdAt),
  }
}

/** Where a link came from. */
export function getSource(random: Random, isImported: boolean): Source {
  if (isImported) return 'import'
  const weights: Record<Source, number> = { form: 50, whatsapp: 15, api: 15, manual: 15, system: 5, import: 0 }
  return random.weighted(Object.keys(weights) as Source[], (source) => weights[source])
}

function otherRole(random: Random, { relation }: Relative): Role {
  if (relation === 'grandmother') return random.pick(['emergency', 'emergency', 'other'])
  if (relation === 'spouse') return 'emergency'
  return random.pick(['family', 'family', 'emergency', 'billing'])
}

const englishLabels = {
  mother: 'Mother',
  father: 'Father',
  grandmother: 'Grandmother',
  guardian: 'Guardian',
  spouse: 'Spouse',
} as const

function getLabel(random: Random, { country }: Family, { relation }: Relative): string {
  return random.chance(0.7) ? country.relations[relation] : englishLabels[relation]
}

function getMetadata(random: Random, language: string, isPrimary: boolean): object {
  return {
    preferredLanguage: language,
    ...(isPrimary && random.chance(0.5) && { livesWith: true }),
    ...(random.chance(0.2) && { bestTimeToCall: random.pick(['morning', 'afternoon', 'evening']) }),
    ...(random.chance(0.1) && { mayPickUp: true }),
  }
}
