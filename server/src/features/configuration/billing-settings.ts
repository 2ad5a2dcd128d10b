import type { BillingEntry } from '@matricula/contract'
import type { Transaction } from '../../database/index.ts'
import {
  billingSettingErrors,
  billingSettings,
  loadBillingSettings,
  saveBillingSettings,
} from '../billing-accounts/index.ts'
import type { ConfigurationError } from './configuration-file.ts'
import type { PlannedWrite } from './planned-change.ts'
import { differences } from './settings-differences.ts'

/** What a file's settings of billing come to, and what is wrong with them. */
export async function planBilling(
  tx: Transaction,
  entry: BillingEntry | undefined,
): Promise<{ readonly writes: PlannedWrite[]; readonly faults: ConfigurationError[] }> {
  if (entry === undefined) return { writes: [], faults: [] }
  const faults = billingSettingErrors(entry).map(({ path, detail }) => ({ path: ['billing', ...path], detail }))
  const before = await loadBillingSettings(tx)
  const after = billingSettings(entry, before)
  const changes = differences(before, after)
  if (changes.length === 0) return { writes: [], faults }
  const write: PlannedWrite['write'] = (inside, context) => saveBillingSettings(inside, context, before, after)
  return { writes: [{ action: 'change', kind: 'billing', key: 'of the institution', changes, write }], faults }
}
