import type { Command } from 'commander'
import type { Database } from '../../database/index.ts'
import { CommandError } from '../../errors/index.ts'
import { type AuditItem, type AuditQuery, readAudit } from '../../features/audit/index.ts'
import { parseStamp } from '../../http/index.ts'
import { isUuid } from '../../values/index.ts'
import { withOperator } from '../operator.ts'
import { print } from '../outcome.ts'

interface AuditOptions {
  readonly tenant: string
  readonly record?: string
  readonly opened?: string
  readonly actor?: string
  readonly since?: string
  readonly json?: boolean
}

/** How many entries are shown where no moment says how many there are. */
const shownUnlessTold = 100

/** The most entries that are shown of a longer time. */
const maxShown = 10_000

/** `matricula audit`: who did what in a tenant. */
export function addAuditCommand(command: Command): void {
  command
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--record <id>', 'only changes of this record: its id, or its external id')
    .option('--opened <document>', 'only who opened this document: its id, or its external id')
    .option('--actor <id>', 'only actions of this API key or user')
    .option('--since <time>', `since a date or a time (RFC 3339); at most ${maxShown} entries`)
    .option('--json', 'print one JSON object')
    .action(async (options: AuditOptions) => {
      const query = getQuery(options)
      const entries = await withOperator(async ({ database, findTenant }) => {
        const { id } = await findTenant(options.tenant)
        const wanted = options.since === undefined ? shownUnlessTold : maxShown
        for (const record of waysToName(options.opened ?? options.record)) {
          const found = await readUpTo(wanted, database, id, { ...query, ...record })
          if (found.length > 0) return found
        }
        return []
      })
      print(options.json, { entries }, entries.map(getLine).join('\n') || 'Nothing was done.')
    })
}

/** What a word may name: a key of another system may look like an id of ours. */
function waysToName(record: string | undefined): AuditQuery[] {
  if (record === undefined) return [{}]
  return isUuid(record) ? [{ entityId: record }, { externalId: record }] : [{ externalId: record }]
}

async function readUpTo(wanted: number, database: Database, tenantId: string, query: AuditQuery): Promise<AuditItem[]> {
  const found: AuditItem[] = []
  for (let cursor: string | null = '*'; cursor !== null && found.length < wanted; ) {
    const part = await readAudit(database, tenantId, { ...query, cursor, limit: 100 })
    found.push(...part.records)
    cursor = part.nextCursor
  }
  return found.slice(0, wanted)
}

function getQuery({ actor, since, opened, record }: AuditOptions): AuditQuery {
  if (opened !== undefined && record !== undefined) {
    throw new CommandError('wrong_usage', '--opened already names the document: remove --record.')
  }
  if (actor !== undefined && !isUuid(actor))
    throw new CommandError('invalid_value', `${actor} is not the id of an API key or a user.`)
  const stamp = since === undefined ? undefined : parseStamp(since)
  if (stamp === null)
    throw new CommandError(
      'invalid_value',
      `${since} is not a date or time. Write RFC 3339, or a date such as 2026-09-01.`,
    )
  return {
    ...(opened !== undefined && { action: 'vault_document.downloaded' }),
    ...(actor !== undefined && { actorId: actor }),
    ...(stamp !== undefined && { since: stamp }),
  }
}

function getLine(item: AuditItem): string {
  const { occurredAt, action, entityType, entityId, externalId, actor, changed, address } = item
  if (action === 'command.run') return `${occurredAt}  ${action.padEnd(36)} ${describeCommand(item)}  ${actor.name}`
  const record = entityId === null ? entityType : externalId === null ? entityId : `${entityId} (${externalId})`
  const fields = changed.length > 8 ? `${changed.length} fields` : changed.join(', ')
  const from = address === null ? '' : ` from ${address}`
  const what = fields === '' ? '' : `: ${fields}`
  return `${occurredAt}  ${action.padEnd(36)} ${record}  ${actor.name}${from}${what}`
}

/** The command that was run, with the options that it was given, without their values. */
function describeCommand({ after }: AuditItem): string {
  const options = Array.isArray(after?.options) ? after.options : []
  return ['matricula', after?.command, ...options.map((option) => `--${toKebabCase(String(option))}`)].join(' ')
}

function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
