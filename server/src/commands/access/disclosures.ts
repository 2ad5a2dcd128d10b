import type { Command } from 'commander'
import type { Database } from '../../database/index.ts'
import { CommandError } from '../../errors/index.ts'
import { type DisclosureItem, type DisclosureQuery, readDisclosures } from '../../features/disclosures/index.ts'
import { parseStamp } from '../../http/index.ts'
import { isUuid } from '../../values/index.ts'
import { withOperator } from '../operator.ts'
import { print } from '../outcome.ts'

interface DisclosuresOptions {
  readonly tenant: string
  readonly record?: string
  readonly since?: string
  readonly json?: boolean
}

/** How many entries are shown where no moment says how many there are, and the most of a longer time. */
const usualEntries = 100
const maxEntries = 10_000

/** `matricula disclosures`: who read which records about a person. */
export function addDisclosuresCommand(command: Command): void {
  command
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--record <id>', 'only reads of this record: its id, its code, or its external id')
    .option('--since <time>', `since a date or a time (RFC 3339); at most ${maxEntries} entries`)
    .option('--json', 'print one JSON object')
    .action(async ({ tenant, record, since, json }: DisclosuresOptions) => {
      const stamp = since === undefined ? undefined : parseStamp(since)
      if (stamp === null) {
        const detail = `${since} is not a date or time. Write RFC 3339, or a date such as 2026-09-01.`
        throw new CommandError('invalid_value', detail)
      }
      const query = stamp === undefined ? {} : { since: stamp }
      const disclosures = await withOperator(async ({ database, requireTenant }) => {
        const { id } = await requireTenant(tenant)
        const max = since === undefined ? usualEntries : maxEntries
        for (const named of waysToName(record)) {
          const found = await readUpTo(max, database, id, { ...query, ...named })
          if (found.length > 0) return found
        }
        return []
      })
      print(json, { disclosures }, disclosures.map(getLine).join('\n') || 'Nothing was read.')
    })
}

/** What a word may name: a key of another system may look like an id of ours. */
function waysToName(record: string | undefined): DisclosureQuery[] {
  if (record === undefined) return [{}]
  const others = [{ code: record }, { externalId: record }]
  return isUuid(record) ? [{ entityId: record }, ...others] : others
}

async function readUpTo(
  max: number,
  database: Database,
  tenantId: string,
  query: DisclosureQuery,
): Promise<DisclosureItem[]> {
  const found: DisclosureItem[] = []
  for (let cursor: string | null = '*'; cursor !== null && found.length < max; ) {
    const part = await readDisclosures(database, tenantId, { ...query, cursor, limit: 100 })
    found.push(...part.records)
    cursor = part.nextCursor
  }
  return found.slice(0, max)
}

function getLine({ occurredAt, actor, surface, operation, recordType, fieldGroup, count, address }: DisclosureItem) {
  const from = address === null ? '' : ` from ${address}`
  return `${occurredAt}  ${actor.name} (${actor.type})${from}  ${surface} ${operation}: ${fieldGroup} of ${count} ${recordType}`
}
