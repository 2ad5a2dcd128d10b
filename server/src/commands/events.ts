import { feedBounds } from '@matricula/contract'
import type { Command } from 'commander'
import { runsUntilStopped, stopRequest } from '../app/shutdown.ts'
import { CommandError, Problem } from '../errors/index.ts'
import {
  type EventItem,
  EventWatch,
  loadFeedBounds,
  PositionUnknown,
  parseEventTypes,
  readEvents,
} from '../features/events/index.ts'
import { type Operator, withOperator } from './operator.ts'
import { print } from './outcome.ts'

interface TailOptions {
  readonly tenant: string
  readonly after?: string
  readonly follow?: boolean
  readonly types?: string
  readonly json?: boolean
}

/** How many of the last events are shown where nobody says after which. */
const shownUnlessTold = 20

/** `matricula events …`: what happens in a tenant. */
export function addEventsCommand(events: Command): void {
  events
    .command('tail')
    .description(`Shows events of every kind, oldest first: the last ${shownUnlessTold} by default.`)
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--after <position>', 'only events after this position; 0 for all available events')
    .option('--follow', 'follow new events until stopped; with --json one object per line')
    .option('--types <list>', 'only these types, separated by commas, such as payment.*,student.created')
    .option('--json', 'print one JSON object')
    .action((options: TailOptions) => withOperator((operator) => tail(operator, options)))
}

async function tail(operator: Operator, options: TailOptions): Promise<void> {
  const { database } = operator
  const selection = options.types === undefined ? null : readTypes(options.types)
  const after = options.after === undefined ? null : readPosition(options.after)
  const { id } = await operator.requireTenant(options.tenant)
  const { last, earliest } = await loadFeedBounds(database, id)
  const isLines = options.json !== true || options.follow === true
  const all: EventItem[] = []
  const watch = new EventWatch(database, (error) => {
    throw error
  })
  if (options.follow === true) runsUntilStopped()
  let next = after ?? Math.max(earliest, last - shownUnlessTold)
  for (;;) {
    const part = await readEvents(database, id, { after: next, limit: feedBounds.limit.maximum, selection }).catch(
      explain,
    )
    next = part.next
    if (isLines) for (const event of part.events) print(options.json, event, getLine(event))
    else all.push(...part.events)
    if (part.hasMore) continue
    if (options.follow !== true) break
    await watch.eventAfter(id, next, stopRequest)
    if (stopRequest.aborted) return
  }
  if (!isLines) print(true, { events: all, next: String(next) }, '')
}

function readTypes(list: string) {
  try {
    return parseEventTypes(list)
  } catch (error) {
    throw error instanceof Problem ? new CommandError('wrong_usage', `--${error.message}`) : error
  }
}

function readPosition(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new CommandError('invalid_value', `${text} is not a position. Copy the digits from an event.`)
}

function explain(error: unknown): never {
  if (!(error instanceof PositionUnknown)) throw error
  const advice = error.earliest === null ? 'No event has it yet.' : `Events after ${error.earliest} are available.`
  throw new CommandError('not_found', `The feed cannot be read from this position. ${advice}`)
}

function getLine({ position, occurredAt, type, entityId, externalId, changed, actor }: EventItem): string {
  const record = externalId === null ? entityId : `${entityId} (${externalId})`
  const fields = changed.length > 8 ? `${changed.length} fields` : changed.join(', ')
  return `${position.padStart(8)}  ${occurredAt}  ${type.padEnd(36)} ${record}  ${actor.name}: ${fields}`
}
