/**
 * The order in which every transaction waits for locks: the kinds as they stand here, and among equals of a kind by their keys,
 * which are ids for rows. A table that is not named stands where `records` does, among the others by the name of its table.
 */
const kinds = [
  // What must be held by one at a time while it is looked for and made: `takeAdvisoryLock`.
  'turn',
  'contacts',
  'students',
  'admission_applications',
  'programs',
  'courses',
  'documents',
  'document_requests',
  'records',
  'fees',
  'billing_accounts',
  'payments',
  // The counters of names, by their prefixes, and last those of the ledger.
  'naming_series',
  'ledger',
  'webhooks',
  'webhook_states',
  'webhook_deliveries',
] as const

/** Something that a transaction locks: a row of a table by its id, a counter by its prefix, or a turn by its subject. */
export interface Lock {
  readonly kind: string
  readonly key: string
}

/** Compares two locks by their places in the order: negative where the first comes before. */
export function byLockOrder(one: Lock, other: Lock): number {
  return rank(one.kind) - rank(other.kind) || compare(one.kind, other.kind) || compare(one.key, other.key)
}

const ranks = new Map<string, number>(kinds.map((kind, index) => [kind, index]))

function rank(kind: string): number {
  return ranks.get(kind) ?? (ranks.get('records') as number)
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
