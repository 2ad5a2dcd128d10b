import type { DocumentOwner, RequirementProfile, Static } from '@matricula/contract'
import { type Database, sql } from '../../database/index.ts'

type ProfileRecord = Static<typeof RequirementProfile>

interface ProfileRow {
  id: string
  key: string
  name: string
  description: string
  applies_to: DocumentOwner
  program_ids: string[]
  education_levels: string[]
  statuses: string[]
  countries: string[]
  requirements: ProfileRecord['requirements'] | null
  is_active: boolean
  created_at: string
  updated_at: string
}

/** Every active profile with its requirements, by name. */
export async function listRequirementProfiles(database: Database, tenantId: string): Promise<ProfileRecord[]> {
  const rows = await database.read<ProfileRow>(
    tenantId,
    sql`
      select p.*,
             (select json_agg(json_build_object(
                       'id', r.id, 'documentTypeId', t.id,
                       'documentType', json_build_object('id', t.id, 'key', t.key, 'name', t.name),
                       'label', r.label, 'instructions', r.instructions, 'isRequired', r.is_required,
                       'minFiles', r.min_files, 'dueDays', r.due_days, 'position', r.position)
                       order by r.position, r.id)
                from requirements r
                join document_types t on t.tenant_id = ${tenantId} and t.id = r.document_type_id
               where r.tenant_id = ${tenantId} and r.profile_id = p.id) as requirements
        from requirement_profiles p
       where p.tenant_id = ${tenantId} and p.is_active
       order by p.name, p.id`,
  )
  return rows.map((row) => ({
    id: row.id,
    key: row.key,
    name: row.name,
    description: row.description,
    appliesTo: row.applies_to,
    conditions: {
      programIds: row.program_ids,
      educationLevels: row.education_levels,
      statuses: row.statuses,
      countries: row.countries,
    },
    requirements: row.requirements ?? [],
    isActive: row.is_active,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }))
}
