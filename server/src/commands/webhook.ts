import {
  scopes as allScopes,
  attemptsShown,
  deliveryStatuses,
  mostRedelivered,
  overlapHours,
} from '@matricula/contract'
import type { Command } from 'commander'
import { withSecretKey } from '../app/keys/keyed-config.ts'
import { noTenant, sql, type Transaction } from '../database/index.ts'
import { CommandError, Problem } from '../errors/index.ts'
import {
  type DeliveryRecord,
  deleteWebhook,
  deliveryList,
  deliverySender,
  listWebhooks,
  openSecret,
  pingEndpoint,
  prepareCreate,
  prepareUpdate,
  type RedeliveryBody,
  redeliver,
  requireEndpoint,
  rotateSecret,
  type UpdateWebhookBody,
  type WebhookPlatform,
  type WebhookRecord,
} from '../features/webhooks/index.ts'
import { SecretSeal } from '../identity/index.ts'
import { readPage } from '../listing/index.ts'
import { listTenants, type TenantRecord } from '../tenancy/index.ts'
import { isUuid, parseDuration } from '../values/index.ts'
import { parseArgs, parseWholeNumber } from './arguments.ts'
import { type Operator, operatorContext, withOperator } from './operator.ts'
import { print } from './outcome.ts'

interface FieldOptions {
  readonly url?: string
  readonly types?: string
  readonly description?: string
  readonly json?: boolean
}

const typesHelp = `types of events separated by commas, such as payment.*,student.created; "*" for all`
const urlHelp = 'where deliveries are sent: https on a public address, or in WEBHOOK_ALLOWED_NETWORKS'

/** `matricula webhook …`: addresses that events are delivered to. */
export function addWebhookCommand(webhook: Command): void {
  addCreate(webhook)
  addList(webhook)
  addUpdate(webhook)
  addDelete(webhook)
  addRotate(webhook)
  addTest(webhook)
  addDeliveries(webhook)
  addRedeliver(webhook)
}

function addCreate(parent: Command): void {
  parent
    .command('create')
    .description('Creates an endpoint that new events are delivered to. The signing secret is shown once.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .requiredOption('--url <address>', urlHelp)
    .requiredOption('--types <list>', typesHelp)
    .option('--description <text>', 'what it is for')
    .option('--disabled', 'create it disabled, to test it first')
    .option('--json', 'print one JSON object')
    .action((options: FieldOptions & { tenant: string; url: string; types: string; disabled?: boolean }) =>
      withOperator(async (operator) => {
        const tenant = await operator.requireTenant(options.tenant)
        const body = {
          url: options.url,
          types: parseArgs(options.types),
          enabled: options.disabled !== true,
          ...(options.description !== undefined && { description: options.description }),
        }
        await onDesk(operator, async (platform) => {
          const write = await prepareCreate(platform, operator.database, getAsker(tenant), body)
          const { record } = await operator.database.transaction(tenant.id, write)
          printWithSecret(options.json, platform, tenant, record)
        })
      }),
    )
}

function addList(parent: Command): void {
  parent
    .command('list')
    .description('Lists the endpoints of a tenant and the state of their deliveries.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action((options: { tenant: string; json?: boolean }) =>
      withOperator(async ({ database, requireTenant }) => {
        const webhooks = await listWebhooks(database, (await requireTenant(options.tenant)).id)
        print(options.json, { webhooks }, webhooks.map(describe).join('\n\n') || 'There are no endpoints.')
      }),
    )
}

function addUpdate(parent: Command): void {
  parent
    .command('update')
    .description('Updates, enables or disables an endpoint. Events while it is disabled are not delivered.')
    .argument('<id>', 'the endpoint, as list shows it')
    .option('--url <address>', urlHelp)
    .option('--types <list>', typesHelp)
    .option('--description <text>', 'what it is for')
    .option('--enable', 'enable it, for new events')
    .option('--disable', 'deliver nothing to it')
    .option('--json', 'print one JSON object')
    .action((id: string, options: FieldOptions & { enable?: boolean; disable?: boolean }) => {
      if (options.enable && options.disable)
        throw new CommandError('wrong_usage', 'Give --enable or --disable, not both.')
      const { url, types, description, enable, disable } = options
      const body: UpdateWebhookBody = {
        ...(url !== undefined && { url }),
        ...(types !== undefined && { types: parseArgs(types) }),
        ...(description !== undefined && { description }),
        ...((enable || disable) && { enabled: enable === true }),
      }
      return onWebhook(id, async ({ operator, tenant, platform }) => {
        const unconditional = { ifMatch: null, readOnlyFields: {} }
        const write = await prepareUpdate(platform, operator.database, getAsker(tenant), id, body, unconditional)
        const { record } = await operator.database.transaction(tenant.id, write)
        print(options.json, { webhook: record }, describe(record))
      })
    })
}

function addDelete(parent: Command): void {
  parent
    .command('delete')
    .description('Deletes an endpoint with its deliveries.')
    .argument('<id>', 'the endpoint, as list shows it')
    .option('--json', 'print one JSON object')
    .action((id: string, options: { json?: boolean }) =>
      onWebhook(id, async ({ operator, tenant }) => {
        const { record } = await operator.database.transaction(tenant.id, (tx) =>
          deleteWebhook(tx, operatorContext(tenant), id),
        )
        print(options.json, { webhook: record }, `${record.id} is deleted: nothing more is sent to ${record.url}.`)
      }),
    )
}

function addRotate(parent: Command): void {
  parent
    .command('rotate')
    .description('Rotates the secret of an endpoint, shown once; both secrets sign until the overlap ends.')
    .argument('<id>', 'the endpoint, as list shows it')
    .option('--overlap <duration>', 'how long the previous secret also signs: whole hours, 0 to 7d', '24h')
    .option('--json', 'print one JSON object')
    .action((id: string, options: { overlap: string; json?: boolean }) => {
      const hours = parseDuration(options.overlap) / 3600
      if (!Number.isInteger(hours) || hours > overlapHours.maximum) {
        throw new CommandError('invalid_value', 'The overlap is a number of whole hours from 0 to 7d, such as 24h.')
      }
      return onWebhook(id, async ({ operator, tenant, platform }) => {
        const { record } = await operator.database.transaction(tenant.id, (tx) =>
          rotateSecret(tx, operatorContext(tenant), id, hours, platform.seal),
        )
        printWithSecret(options.json, platform, tenant, record)
      })
    })
}

function addTest(parent: Command): void {
  parent
    .command('test')
    .description('Sends a ping now and shows the result; fails when it was not delivered.')
    .argument('<id>', 'the endpoint, as list shows it')
    .option('--json', 'print one JSON object')
    .action((id: string, options: { json?: boolean }) =>
      onWebhook(id, async ({ operator, tenant, platform }) => {
        const endpoint = await requireEndpoint(operator.database, tenant.id, id)
        const write = await pingEndpoint(platform.sender, endpoint, operatorContext(tenant))
        const { record } = await operator.database.transaction(tenant.id, write)
        print(options.json, { delivery: record }, getLine(record))
        if (record.status !== 'delivered') process.exitCode = 1
      }),
    )
}

function addDeliveries(parent: Command): void {
  parent
    .command('deliveries')
    .description('Shows the last deliveries of an endpoint, with their errors and the next attempt.')
    .argument('<id>', 'the endpoint, as list shows it')
    .option('--status <status>', `only those that are ${deliveryStatuses.join(', ')}`)
    .option('--type <type>', 'only those of this type of event')
    .option('--limit <number>', 'how many at most', '20')
    .option('--json', 'print one JSON object')
    .action((id: string, options: { status?: string; type?: string; limit: string; json?: boolean }) => {
      const { status, type } = options
      const limit = parseWholeNumber(1, 100)(options.limit)
      if (status !== undefined && !(deliveryStatuses as readonly string[]).includes(status)) {
        throw new CommandError(
          'invalid_value',
          `There is no status ${status}. There are: ${deliveryStatuses.join(', ')}.`,
        )
      }
      return onWebhook(id, async ({ operator, tenant }) => {
        const query = { ...(status !== undefined && { status }), ...(type !== undefined && { type }) }
        const read = (page: number) =>
          readPage(operator.database, tenant.id, deliveryList(id), { ...query, limit, page })
        // The list is in the order of time; the last ones are on its last two pages.
        const { total } = await read(1)
        const last = Math.max(1, Math.ceil(total / limit))
        const pages = await Promise.all([Math.max(1, last - 1), last].map(read))
        const found = new Map<string, DeliveryRecord>()
        for (const { records } of pages) for await (const each of findItems(records)) found.set(each.id, each)
        const deliveries = [...found.values()].slice(-limit)
        const lines = [...deliveries.map(getLine), `${deliveries.length} of ${total}`]
        print(options.json, { deliveries, total }, lines.join('\n'))
      })
    })
}

async function* findItems(records: DeliveryRecord[] | AsyncIterable<DeliveryRecord[]>): AsyncGenerator<DeliveryRecord> {
  if (Array.isArray(records)) yield* records
  else for await (const batch of records) yield* batch
}

function addRedeliver(parent: Command): void {
  parent
    .command('redeliver')
    .description('Sends one delivery again, or every event between two positions of the feed (events tail shows them).')
    .argument('<id>', 'the endpoint, as list shows it')
    .option('--delivery <id>', 'this delivery')
    .option('--after <position>', 'events after this position; together with --until')
    .option('--until <position>', `events up to this position, at most ${mostRedelivered} further on`)
    .option('--json', 'print one JSON object')
    .action((id: string, options: { delivery?: string; after?: string; until?: string; json?: boolean }) => {
      const { delivery, after, until } = options
      for (const position of [after, until]) {
        if (position !== undefined && !/^\d{1,18}$/.test(position)) {
          throw new CommandError('invalid_value', `${position} is not a position. Copy the digits from an event.`)
        }
      }
      if (delivery === undefined && (after === undefined || until === undefined)) {
        throw new CommandError('wrong_usage', 'Give --delivery, or --after together with --until.')
      }
      const body: RedeliveryBody = {
        ...(delivery !== undefined && { deliveryId: delivery }),
        ...(after !== undefined && { after }),
        ...(until !== undefined && { until }),
      }
      return onWebhook(id, async ({ operator, tenant }) => {
        const queued = await operator.database.transaction(tenant.id, (tx) =>
          redeliver(tx, operatorContext(tenant), id, body),
        )
        print(options.json, { queued }, `${queued} ${queued === 1 ? 'delivery waits' : 'deliveries wait'} to be sent.`)
      })
    })
}

interface Desk {
  readonly operator: Operator
  readonly tenant: TenantRecord
  readonly platform: WebhookPlatform
}

/** Works on an endpoint, whose tenant is found by its id. */
function onWebhook(id: string, work: (resourceClient: Desk) => Promise<void>): Promise<void> {
  return withOperator(async (operator) => {
    const tenantId = isUuid(id) ? await operator.asOwner(noTenant, (tx) => tenantOfWebhook(tx, id)) : null
    const tenant = (await listTenants(operator.database)).find((candidate) => candidate.id === tenantId)
    if (tenant === undefined) {
      throw new CommandError(
        'not_found',
        `There is no webhook ${id}. matricula webhook list --tenant <slug> shows them.`,
      )
    }
    await operator.noteCommand(tenant)
    await onDesk(operator, (platform) => work({ operator, tenant, platform }))
  })
}

/** The tenant that an endpoint belongs to, for the owner, who sees all of them; null when there is no such endpoint. */
async function tenantOfWebhook(tx: Transaction, id: string): Promise<string | null> {
  const [row] = await tx.query<{ tenant_id: string }>(sql`select tenant_id from webhooks where id = ${id}`)
  return row?.tenant_id ?? null
}

/** Works with what sends and signs, and tells refusals as commands do. */
async function onDesk(operator: Operator, work: (platform: WebhookPlatform) => Promise<void>): Promise<void> {
  const config = await withSecretKey(operator.config)
  const platform = { sender: deliverySender(config), seal: new SecretSeal(config.secretKey) }
  try {
    await work(platform)
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error
    throw new CommandError('invalid_value', error.message.replace(/^#\/(\w+)(\/\d+)?: /, '--$1 '))
  } finally {
    platform.sender.close()
  }
}

/** An operator reads everything. */
function getAsker(tenant: TenantRecord) {
  return { context: operatorContext(tenant), scopes: new Set(allScopes) }
}

function printWithSecret(
  isJson: boolean | undefined,
  { seal }: WebhookPlatform,
  tenant: TenantRecord,
  record: WebhookRecord & { readonly secret: string },
): void {
  const webhook = { ...record, secret: openSecret(seal, tenant.id, record.id, record.secret) }
  print(isJson, { webhook }, `${describe(webhook)}\n\n${webhook.secret}\n\nThis secret is shown only now.`)
}

function describe(webhook: WebhookRecord): string {
  const { id, url, types, description, status, disabledReason, lastSuccessAt, lastFailureAt } = webhook
  return [
    `${id}  ${disabledReason === null ? status : `${status} (${disabledReason})`}`,
    `  address           ${url}`,
    `  types             ${types.join(', ')}`,
    ...(description === '' ? [] : [`  description       ${description}`]),
    `  last arrived      ${lastSuccessAt ?? 'never'}`,
    `  last failed       ${lastFailureAt ?? 'never'}`,
  ].join('\n')
}

function getLine({ id, type, position, status, attempts, nextAttemptAt, createdAt }: DeliveryRecord): string {
  const last = attempts.at(-1)
  const count = attempts.length < attemptsShown ? String(attempts.length) : `${attemptsShown} or more`
  const outcome =
    last === undefined
      ? 'not tried yet'
      : `${count} tried, last ${last.httpStatus ?? ''} ${last.error ?? 'arrived'} after ${last.durationMs} ms`
  const next = nextAttemptAt === null ? '' : `, next at ${nextAttemptAt}`
  return `${createdAt}  ${status.padEnd(9)}  ${type.padEnd(36)} ${(position ?? '-').padStart(8)}  ${id}  ${outcome.replace(/ {2,}/g, ' ')}${next}`
}
