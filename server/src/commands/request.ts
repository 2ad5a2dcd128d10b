import { type PublicLocale, publicLocales, type RequestStatus, requestDays, requestStatuses } from '@matricula/contract'
import type { Command } from 'commander'
import { withSecretKey } from '../app/keys/keyed-config.ts'
import { sql, type Transaction } from '../database/index.ts'
import { CommandError } from '../errors/index.ts'
import {
  createRequest,
  documentRequests,
  RequestLinks,
  type RequestRecord,
  remindOfRequest,
  updateRequest,
} from '../features/requests/index.ts'
import { readPage } from '../listing/index.ts'
import type { TenantRecord } from '../tenancy/index.ts'
import { isUuid } from '../values/index.ts'
import { parseArgs, parseWholeNumber } from './arguments.ts'
import { type Operator, operatorContext, withOperator } from './operator.ts'
import { print } from './outcome.ts'

interface RequestOptions {
  readonly tenant: string
  readonly json?: boolean
}

interface NewRequestOptions extends RequestOptions {
  readonly student?: string
  readonly application?: string
  readonly types?: string
  readonly email?: string
  readonly name?: string
  readonly title?: string
  readonly message?: string
  readonly locale?: string
  readonly days?: string
  readonly notify?: boolean
}

/** How many requests are shown, the newest of them last. */
const maxShown = 100

/** `matricula request …`: what families are asked to hand in. */
export function addRequestCommand(request: Command): void {
  request
    .command('create')
    .description('Requests documents from a family, and prints the link to the upload page.')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--student <code>', 'code of the student')
    .option('--application <code>', 'code of the application, instead of a student')
    .option(
      '--types <list>',
      'keys of document types, such as birth_certificate,transcript (default: the missing ones)',
    )
    .option('--email <address>', 'the recipient (default: the primary contact)')
    .option('--name <name>', 'name of the recipient')
    .option('--title <text>', 'title of the page')
    .option('--message <text>', 'message to the family')
    .option('--locale <language>', `language of page and mail: ${publicLocales.join(', ')}`)
    .option('--days <number>', `how long it is open (default: ${requestDays.default})`)
    .option('--notify', 'send the link by mail')
    .option('--json', 'print one JSON object')
    .action(async (options: NewRequestOptions) => {
      const { locale, days } = findMessages(options)
      const { record, url } = await onTenant(options, async (tx, context, links) => {
        const owner = await loadOwner(tx, options)
        const asked = options.types === undefined ? { fromRequirements: true } : await loadTypes(tx, options.types)
        const { email, name, title, message, notify } = options
        const recipient = { ...(email !== undefined && { email }), ...(name !== undefined && { name }) }
        const { record } = await createRequest(tx, context, {
          ...owner,
          ...asked,
          recipient,
          ...(title !== undefined && { title }),
          ...(message !== undefined && { message }),
          ...(locale !== undefined && { locale }),
          ...(days !== undefined && { expiresInDays: days }),
          ...(notify === true && { notify }),
        } as Parameters<typeof createRequest>[2])
        return { record, url: links.getAddress({ tenantId: tx.tenantId, requestId: record.id }) }
      })
      print(options.json, { request: record, url }, `${describe(record)}\n\n${url}`)
    })

  request
    .command('list')
    .description(`Lists the requests of a tenant, oldest first: at most ${maxShown}.`)
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--status <status>', `only these: ${requestStatuses.join(', ')}`, 'open')
    .option('--json', 'print one JSON object')
    .action(async (options: RequestOptions & { status: string }) => {
      const status = chosen(requestStatuses, options.status, 'status')
      const { records, total } = await withOperator(async ({ database, requireTenant }) => {
        const { id } = await requireTenant(options.tenant)
        const page = await readPage(database, id, documentRequests, { limit: maxShown, status })
        if (Array.isArray(page.records)) return { records: page.records as RequestRecord[], total: page.total }
        const records: RequestRecord[] = []
        for await (const record of page.records as AsyncIterable<RequestRecord>) records.push(record)
        return { records, total: page.total }
      })
      const rest = total > records.length ? `\n… and ${total - records.length} more` : ''
      print(
        options.json,
        { requests: records, total },
        records.map(describe).join('\n') + rest || `No ${status} request.`,
      )
    })

  request
    .command('remind')
    .description('Sends the link of an open request by e-mail again.')
    .argument('<id>')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: RequestOptions) => {
      const { record } = await onTenant(options, (tx, context) => remindOfRequest(tx, context, requireId(id)))
      print(options.json, { request: record }, `A mail is on its way to ${record.recipient.email}.`)
    })

  request
    .command('revoke')
    .description('Revokes a request; its link stops working.')
    .argument('<id>')
    .requiredOption('--tenant <slug>', 'the tenant')
    .option('--reason <text>', 'why, for the institution')
    .option('--json', 'print one JSON object')
    .action(async (id: string, options: RequestOptions & { reason?: string }) => {
      const { reason } = options
      const { record } = await onTenant(options, (tx, context) => {
        const asSent = { ...context, ifMatch: null, readOnlyFields: {} }
        return updateRequest(tx, asSent, requireId(id), { status: 'revoked', ...(reason !== undefined && { reason }) })
      })
      print(options.json, { request: record }, describe(record))
    })
}

type Work<Result> = (
  tx: Transaction,
  context: ReturnType<typeof operatorContext>,
  links: RequestLinks,
) => Promise<Result>

function onTenant<Result>({ tenant: slug }: RequestOptions, work: Work<Result>): Promise<Result> {
  return withOperator(async (operator: Operator) => {
    const tenant: TenantRecord = await operator.requireTenant(slug)
    const links = new RequestLinks(await withSecretKey(operator.config))
    return operator.database.transaction(tenant.id, (tx) => work(tx, operatorContext(tenant), links))
  })
}

function findMessages({ locale, days }: NewRequestOptions) {
  return {
    locale: locale === undefined ? undefined : chosen<PublicLocale>(publicLocales, locale, 'language'),
    days: days === undefined ? undefined : parseWholeNumber(1, requestDays.maximum)(days),
  }
}

function chosen<Word extends string>(known: readonly Word[], word: string, noun: string): Word {
  const found = known.find((candidate) => candidate === word)
  if (found !== undefined) return found
  throw new CommandError('invalid_value', `There is no ${noun} ${word}. There are: ${known.join(', ')}.`)
}

function requireId(id: string): string {
  if (isUuid(id)) return id
  throw new CommandError('invalid_value', `${id} is not the id of a request. matricula request list shows them.`)
}

async function loadOwner(tx: Transaction, { student, application }: NewRequestOptions) {
  if ((student === undefined) === (application === undefined)) {
    throw new CommandError('wrong_usage', 'Give either --student or --application.')
  }
  const entityType = student === undefined ? 'application' : 'student'
  const [row] = await tx.query<{ id: string }>(
    student === undefined
      ? sql`select id from admission_applications where tenant_id = ${tx.tenantId} and application_code = ${application}`
      : sql`select id from students where tenant_id = ${tx.tenantId} and student_code = ${student}`,
  )
  if (row === undefined) throw new CommandError('not_found', `There is no ${entityType} ${student ?? application}.`)
  return { entityType, entityId: row.id } as const
}

async function loadTypes(tx: Transaction, list: string) {
  const keys = parseArgs(list)
  const rows = await tx.query<{ id: string; key: string }>(
    sql`select id, key from document_types where tenant_id = ${tx.tenantId} and is_active order by key`,
  )
  const documentTypeIds = keys.map((key) => {
    const found = rows.find((row) => row.key === key)
    if (found !== undefined) return found.id
    throw new CommandError(
      'not_found',
      `There is no document type ${key}. There are: ${rows.map((row) => row.key).join(', ')}.`,
    )
  })
  return { documentTypeIds }
}

function describe({ id, title, entityLabel, status, recipient, expiresAt }: RequestRecord): string {
  const whom = recipient.email ?? recipient.name
  return `${id}  ${(status as RequestStatus).padEnd(20)} until ${expiresAt.slice(0, 10)}  ${title}, ${entityLabel}: ${whom}`
}
