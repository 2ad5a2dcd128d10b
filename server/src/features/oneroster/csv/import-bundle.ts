import type { ChangeContext } from '../../../changes/index.ts'
import { lockTenantExclusive } from '../../../concurrency/index.ts'
import type { Transaction } from '../../../database/index.ts'
import type { RecordRegistry } from '../../../record-engine/index.ts'
import type { Tenant } from '../../../tenancy/index.ts'
import type { Bundle } from './bundle-reader.ts'
import { type Faults, readCell } from './bundle-values.ts'
import { BundleState } from './import/bundle-state.ts'
import { importClasses } from './import/import-classes.ts'
import { importCourses } from './import/import-courses.ts'
import { importGradebook } from './import/import-gradebook.ts'
import { importOrgs } from './import/import-orgs.ts'
import { importSessions } from './import/import-sessions.ts'
import { importUsers } from './import/import-users.ts'

/** What an import did. */
export interface BundleReport {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** The name that the bundle gives an institution which had no records; else null. */
  readonly institutionName: string | null
  readonly faults: Faults
}

/**
 * Brings a bundle into the records of an institution, in the transaction of the caller: all of it, or nothing where the report has
 * faults and the caller throws. A record that an earlier bundle brought is changed, others are made.
 */
export async function importBundle(
  tx: Transaction,
  tenant: Tenant,
  change: ChangeContext,
  registry: RecordRegistry,
  bundle: Bundle,
): Promise<BundleReport> {
  await lockTenantExclusive(tx)
  const state = new BundleState(tx, tenant, change, registry, bundle)
  await importOrgs(state)
  await importSessions(state)
  for await (const row of bundle.rows('classes')) {
    const course = readCell(row, 'courseSourcedId', 'courseId')
    if (readCell(row, 'classType')?.toLowerCase() === 'homeroom' && course !== null) state.homes.add(course)
  }
  await importCourses(state)
  await importUsers(state)
  await importClasses(state)
  await importGradebook(state)
  await state.endMissing('orgs', 'org')
  await state.endMissing('users', 'user')
  await state.endMissing('classes', 'class')
  const { counts, institutionName, faults } = state
  return { ...counts, institutionName, faults }
}
