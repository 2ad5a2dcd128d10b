import type {
  DocumentOwner,
  PublicLocale,
  RequirementEntry,
  RequirementProfileEntry,
  Static,
} from '@matricula/contract'
import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { lockRow } from '../../concurrency/index.ts'
import { identifier, sql, type Transaction, table } from '../../database/index.ts'
import { type Translations, type WrittenText, withOwnTexts } from '../../tenancy/index.ts'
import { newId } from '../../values/index.ts'
import { ownerColumns, ownerTables } from './owners.ts'

/** How an institution describes which documents it asks of whom: records by their keys, names and codes. */
export interface RequirementProfileSettings {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly appliesTo: DocumentOwner
  readonly conditions: {
    /** By name. */
    readonly programs: readonly string[]
    readonly educationLevels: readonly string[]
    readonly statuses: readonly string[]
    readonly countries: readonly string[]
  }
  readonly requirements: readonly RequirementSettings[]
  readonly isActive: boolean
}

interface RequirementSettings {
  /** By key. */
  readonly documentType: string
  readonly label: string
  readonly instructions: string
  readonly translations: Translations
  readonly isRequired: boolean
  readonly minFiles: number
  readonly dueDays: number | null
  /** The codes of students or applications, in their order. */
  readonly waivedFor: readonly string[]
}

const profileTable = table('requirement_profiles', {
  key: 'key',
  name: 'name',
  description: 'description',
  appliesTo: 'applies_to',
  programIds: 'program_ids',
  educationLevels: 'education_levels',
  statuses: 'statuses',
  countries: 'countries',
  isActive: 'is_active',
})

/** The columns of the codes by which people know students and applications. */
export const codeColumns = { student: 'student_code', application: 'application_code' } as const

/** The settings of every requirement profile of the tenant, by key, those out of use too. */
export async function readProfileSettings(tx: Transaction): Promise<Map<string, RequirementProfileSettings>> {
  const rows = await tx.query<RequirementProfileSettings>(sql`
    select p.key, p.name, p.description, p.applies_to as "appliesTo", p.is_active as "isActive",
           json_build_object(
             'programs', array(select g.name from programs g
                                where g.tenant_id = ${tx.tenantId} and g.id = any (p.program_ids) order by g.name),
             'educationLevels', p.education_levels, 'statuses', p.statuses, 'countries', p.countries) as conditions,
           (select coalesce(json_agg(json_build_object(
                     'documentType', t.key, 'label', r.label, 'instructions', r.instructions,
                     'translations', r.translations, 'isRequired', r.is_required, 'minFiles', r.min_files, 'dueDays', r.due_days,
                     'waivedFor', array(
                       select coalesce(s.student_code, a.application_code)
                         from requirement_waivers w
                         left join students s on s.tenant_id = w.tenant_id and s.id = w.student_id
                         left join admission_applications a
                           on a.tenant_id = w.tenant_id and a.id = w.application_id
                        where w.tenant_id = ${tx.tenantId} and w.requirement_id = r.id order by 1))
                     order by r.position, r.id), '[]')
              from requirements r
              join document_types t on t.tenant_id = r.tenant_id and t.id = r.document_type_id
             where r.tenant_id = ${tx.tenantId} and r.profile_id = p.id) as requirements
      from requirement_profiles p
     where p.tenant_id = ${tx.tenantId}
     order by p.key`)
  return new Map(rows.map((row) => [row.key, row]))
}

/**
 * What a profile is to be: as it is, but for what an entry says; what it asks for is replaced as a whole. `getName` gives
 * the name of a document type in every language, `programOf` the name of a program that is named by its code. The
 * institution's own texts are in `language`.
 */
export function requirementProfileSettings(
  entry: Static<typeof RequirementProfileEntry>,
  current: RequirementProfileSettings | null,
  nameOf: (documentType: string) => WrittenText,
  programOf: (nameOrCode: string) => string,
  language: PublicLocale,
): RequirementProfileSettings {
  const { requirements, conditions, ...fields } = entry
  const noConditions = { programs: [], educationLevels: [], statuses: [], countries: [] }
  const initial: RequirementProfileSettings = {
    key: entry.key,
    name: '',
    description: '',
    appliesTo: 'application',
    conditions: noConditions,
    requirements: [],
    isActive: true,
  }
  const base = current ?? initial
  const programs = conditions?.programs?.map(programOf)
  return {
    ...base,
    ...fields,
    conditions:
      conditions === undefined
        ? base.conditions
        : { ...noConditions, ...conditions, programs: [...new Set(programs)].sort() },
    requirements:
      requirements === undefined
        ? base.requirements
        : matched(requirements, base.requirements).map(([one, stored]) => ({
            documentType: one.documentType,
            ...getTexts(one, nameOf, language),
            isRequired: one.isRequired ?? true,
            minFiles: one.minFiles ?? 1,
            dueDays: one.dueDays ?? null,
            waivedFor: one.waivedFor === undefined ? (stored?.waivedFor ?? []) : [...new Set(one.waivedFor)].sort(),
          })),
  }
}

function getTexts(
  { documentType, label, instructions = '' }: Static<typeof RequirementEntry>,
  nameOf: (documentType: string) => WrittenText,
  language: PublicLocale,
) {
  return withOwnTexts({ label: label ?? nameOf(documentType), instructions }, ['label', 'instructions'], language)
}

/** Each requirement with the stored one that it continues: the first of the same document type that is not taken yet. */
function matched<
  One extends Pick<Static<typeof RequirementEntry>, 'documentType'>,
  Stored extends { documentType: string },
>(requirements: readonly One[], stored: readonly Stored[]): [One, Stored | undefined][] {
  const free = [...stored]
  return requirements.map((one) => {
    const index = free.findIndex(({ documentType }) => documentType === one.documentType)
    return [one, index < 0 ? undefined : free.splice(index, 1)[0]]
  })
}

/**
 * Makes a profile, or brings the one with its key to settings that differ from what is stored. A requirement that goes on
 * keeps its id. All that the settings name is there.
 */
export async function saveRequirementProfile(
  tx: Transaction,
  context: ChangeContext,
  before: RequirementProfileSettings | null,
  after: RequirementProfileSettings,
): Promise<void> {
  const { educationLevels, statuses, countries, programs } = after.conditions
  const found = await tx.query<{ id: string }>(
    sql`select id from programs where tenant_id = ${tx.tenantId} and name = any (${programs})`,
  )
  const values = { ...after, educationLevels, statuses, countries, programIds: found.map(({ id }) => id) }
  const profileId = before === null ? newId() : await lockProfile(tx, before.key)
  await tx.query(
    before === null
      ? profileTable.insert(tx.tenantId, profileId, values)
      : profileTable.update(tx.tenantId, profileId, values),
  )
  await saveRequirements(tx, profileId, after)
  const type = before === null ? 'vault_requirement_profile.created' : 'vault_requirement_profile.updated'
  const entityType = 'vault_requirement_profile'
  recordChanges(tx, context, [{ type, entityType, entityId: profileId, before, after }])
}

async function lockProfile(tx: Transaction, key: string): Promise<string> {
  const id = await lockRow(tx, 'requirement_profiles', 'p', sql`p.key = ${key}`)
  if (id === null) throw new Error('the profile that was read is not there')
  return id
}

async function saveRequirements(
  tx: Transaction,
  profileId: string,
  { appliesTo, requirements }: RequirementProfileSettings,
): Promise<void> {
  const stored = await tx.query<{ id: string; documentType: string }>(sql`
    select r.id, t.key as "documentType"
      from requirements r
      join document_types t on t.tenant_id = r.tenant_id and t.id = r.document_type_id
     where r.tenant_id = ${tx.tenantId} and r.profile_id = ${profileId}
     order by r.position, r.id`)
  const pairs = matched(requirements, stored).map(([one, old]) => ({ ...one, id: old?.id ?? newId(), isNew: !old }))
  const kept = pairs.map(({ id }) => id)
  const gone = stored.map(({ id }) => id).filter((id) => !kept.includes(id))
  await removeRequirements(tx, gone)
  for (const [index, one] of pairs.entries()) {
    const typeId = sql`(select id from document_types where tenant_id = ${tx.tenantId} and key = ${one.documentType})`
    tx.send(sql`
      insert into requirements (tenant_id, id, profile_id, document_type_id, label, instructions, translations,
                                is_required, min_files, due_days, position)
      values (${tx.tenantId}, ${one.id}, ${profileId}, ${typeId}, ${one.label}, ${one.instructions},
              ${JSON.stringify(one.translations)}::jsonb, ${one.isRequired}, ${one.minFiles}, ${one.dueDays}, ${index + 1})
      on conflict (tenant_id, id) do update
        set label = excluded.label, instructions = excluded.instructions, translations = excluded.translations,
            is_required = excluded.is_required,
            min_files = excluded.min_files, due_days = excluded.due_days, position = excluded.position`)
    await saveWaivers(tx, one.id, appliesTo, one.waivedFor)
  }
}

async function removeRequirements(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  // A request that was made for it goes on asking for the document.
  tx.send(sql`
    update document_request_items set requirement_id = null
     where tenant_id = ${tx.tenantId} and requirement_id = any (${ids}::uuid[])`)
  tx.send(
    sql`delete from requirement_waivers where tenant_id = ${tx.tenantId} and requirement_id = any (${ids}::uuid[])`,
  )
  tx.send(sql`delete from requirements where tenant_id = ${tx.tenantId} and id = any (${ids}::uuid[])`)
}

async function saveWaivers(
  tx: Transaction,
  requirementId: string,
  appliesTo: DocumentOwner,
  codes: readonly string[],
): Promise<void> {
  const owner = identifier(ownerColumns[appliesTo])
  const owners = sql`
    select id from ${identifier(ownerTables[appliesTo])}
     where tenant_id = ${tx.tenantId} and ${identifier(codeColumns[appliesTo])} = any (${codes})`
  await tx.query(sql`
    delete from requirement_waivers
     where tenant_id = ${tx.tenantId} and requirement_id = ${requirementId}
       and (${owner} is null or ${owner} not in (${owners}))`)
  const excused = await tx.query<{ id: string }>(owners)
  for (const { id } of excused) {
    tx.send(sql`
      insert into requirement_waivers (tenant_id, id, requirement_id, ${owner})
      values (${tx.tenantId}, ${newId()}, ${requirementId}, ${id})
      on conflict do nothing`)
  }
}
