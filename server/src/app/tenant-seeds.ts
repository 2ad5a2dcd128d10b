import type { Transaction } from '../database/index.ts'
import { seedPipeline } from '../features/admissions/index.ts'
import { seedAssessmentGroups } from '../features/assessment/index.ts'
import { seedAttendanceCodes } from '../features/attendance/index.ts'
import { seedOrganisation } from '../features/organisation/index.ts'
import { seedDocumentTypes } from '../features/requirements/index.ts'
import { seedSettings } from '../features/settings/index.ts'
import { seedRoles } from '../identity/users/index.ts'
import type { SeededTable } from './seeded-tables.ts'

/** The seeds of a tenant, by the table that they fill while it is empty. */
export const seeds: Readonly<Record<SeededTable, (tx: Transaction) => void>> = {
  roles: seedRoles,
  pipeline_statuses: seedPipeline,
  document_types: seedDocumentTypes,
  companies: seedOrganisation,
  assessment_groups: seedAssessmentGroups,
  attendance_codes: seedAttendanceCodes,
}

/** Gives a new tenant what it starts with: also settings of its own, where older ones keep the defaults. */
export function seedTenant(tx: Transaction): void {
  for (const seed of Object.values(seeds)) seed(tx)
  seedSettings(tx)
}
