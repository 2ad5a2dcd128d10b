import type { ChangeContext } from '../../changes/index.ts'
import type { Transaction } from '../../database/index.ts'
import type { Configuration } from './configuration-file.ts'
import type { Difference } from './settings-differences.ts'

/** What kind of setting a change is of: the name of its list in the file. */
export type SettingKind = keyof Configuration

/** One thing that applying a file does. */
export interface PlannedChange {
  readonly action: 'create' | 'change' | 'deactivate'
  readonly kind: SettingKind
  readonly key: string
  /** Empty where something is made. */
  readonly changes: readonly Difference[]
}

/** The same with what does it. */
export interface PlannedWrite extends PlannedChange {
  readonly write: (tx: Transaction, context: ChangeContext) => Promise<void>
}
