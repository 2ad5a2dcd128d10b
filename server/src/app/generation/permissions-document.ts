import {
  consoleApi,
  type OneRosterOperation,
  type Operation,
  oneRosterOperations,
  roleScopes,
  sharedOperations,
} from '@matricula/contract'
import type { RecordType } from '@matricula/contract/record-types'
import { CardGateway } from '../../features/billing/index.ts'
import { getRevealedTypes, reports } from '../../features/reports/index.ts'
import { automaticRoles, heldRoles, systemManager } from '../../identity/users/index.ts'
import { type Caller, getLimit, getRights, isManager } from '../../record-engine/index.ts'
import { type AnyMethod, mayCall, sessionMethods } from '../../resource-api/index.ts'
import { recordsOver } from '../resource-api.ts'

const { registry, methods } = recordsOver(new CardGateway('https://gateway.example'), { wakeSoon: () => {} })

/** The roles that somebody can be given and that come with rights. */
const roles: readonly string[] = [
  ...new Set([
    ...Object.keys(roleScopes),
    ...registry.declared().flatMap(({ type }) => Object.keys(type.permissions)),
    ...reports.flatMap((report) => report.roles),
  ]),
]
  .filter((role) => role !== 'Administrator' && !Object.values<string>(automaticRoles).includes(role))
  .sort()

const withoutRights = 'a role without rights'

const everyRole: readonly string[] = [...roles, withoutRights]

const isPersonal = (role: string) => role === 'Student' || role === 'Guardian'

/** Somebody with one role, at an institution that took nothing from it. */
function callerWith(role: string): Caller {
  return callerHolding(heldRoles([role], { isStaff: !isPersonal(role) }))
}

function callerHolding(held: ReadonlySet<string>): Caller {
  const name = 'somebody@school.example'
  return {
    tenant: {
      id: '00000000-0000-0000-0000-000000000000',
      slug: 'school',
      name: 'School',
      status: 'active',
      timeZone: 'UTC',
      currency: 'USD',
      language: 'en',
      enabledModules: [],
      systemOfRecord: {} as Caller['tenant']['systemOfRecord'],
      customFields: new Map(),
    },
    kind: 'user',
    user: name,
    fullName: name,
    roles: held,
    actor: { type: 'user', id: null, name },
    requestId: null,
    address: null,
  }
}

const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`
const table = (headings: readonly string[], rows: readonly string[]) =>
  [row(...headings), row(...headings.map(() => '---')), ...rows].join('\n')
const listed = (items: readonly string[]) => (items.length === 0 ? '–' : items.join(', '))

/** Which roles have which rights over the records of a type, and to which of them. */
function rightsRows(type: RecordType): string[] {
  const definition = registry.require(type.name)
  const holders = [...roles, ...Object.values<string>(automaticRoles)].filter(
    (role) => type.permissions[role] !== undefined || isManager(callerHolding(new Set([role]))),
  )
  return holders.flatMap((role) => {
    const caller = callerHolding(new Set([role]))
    const rights = getRights(caller, type)
    if (rights.length === 0) return []
    return [row(type.name, role, rights.join(', '), getLimit(caller, definition))]
  })
}

function hiddenRows({ name, fields }: RecordType): string[] {
  return Object.entries(fields).flatMap(([field, { hiddenFrom }]) =>
    hiddenFrom === undefined ? [] : [row(name, `\`${field}\``, listed(hiddenFrom))],
  )
}

function rightsText({ rights }: Pick<AnyMethod, 'rights'>): string {
  if (typeof rights === 'string') return rights
  return rights.map(({ type, right, all }) => `${right} ${all === true ? 'all ' : ''}${type.name}`).join(', ')
}

function methodRow(method: AnyMethod): string {
  const callers = everyRole.filter((role) => mayCall(callerWith(role), method))
  const everybody = method.allowGuest === true ? ['everybody'] : callers
  return row(`\`${method.path}\``, rightsText(method), listed(everybody))
}

function operationRow([id, { method, path, scope, roles: named }]: readonly [string, Operation]): string {
  const opening = everyRole.filter((role) => scope === null || roleScopes[role]?.includes(scope))
  const holders = named === undefined ? opening : [...new Set([...named, systemManager])].sort()
  return row(`\`${id}\``, `${method} \`${path}\``, scope === null ? '–' : `\`${scope}\``, listed(holders))
}

function oneRosterRow({ id, service, method, path, scope }: OneRosterOperation): string {
  return row(`\`${id}\``, service, `${method} \`${path}\``, `\`${scope}\``)
}

/** What every role may do in every way, as a document in Markdown that is made from the declarations. */
export function permissionsDocument(): string {
  const types = registry
    .declared()
    .map(({ type }) => type)
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  const byPath = [...methods.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
  const reportRows = reports.map((report) =>
    row(
      report.name,
      listed(getRevealedTypes(report).map(({ name }) => name)),
      listed(report.roles),
      listed(roles.filter((role) => mayRunReport(role, report))),
    ),
  )
  return `# Permissions

An institution can take rights and
scopes from roles (access rules); it cannot add any. \`${systemManager}\` may do everything.

## Rights to records

${automaticRoles.known} is everybody who is logged in, ${automaticRoles.staff} everybody of the staff. *Own records* are those about the
person, or about whom a guardian answers for; *own groups* are records of the groups that a teacher teaches and of their students; *by rule*
means that the type itself says which records somebody sees.

${table(['Record type', 'Role', 'Rights', 'Limited to'], types.flatMap(rightsRows))}

## Hidden fields

These fields are empty, and cannot be asked for, for whoever reads the type by these roles alone.

${table(['Record type', 'Field', 'Hidden from'], types.flatMap(hiddenRows))}

## Ways to records

Each way asks for the same right to the type that it reveals.

${table(
  ['Way', 'Right'],
  [
    row('`GET /api/resource/{type}`, lists, counts, link searches, exports, groups of values', 'read'),
    row('`GET /api/resource/{type}/{name}`, `getdoc`, print, comments, tags, assignments, files, timeline', 'read'),
    row('`POST /api/resource/{type}`, `frappe.client.insert`', 'create'),
    row('`PUT /api/resource/{type}/{name}`, `frappe.client.save`, `set_value`, `bulk_update`', 'write'),
    row('the same with `docstatus` 1', 'submit'),
    row('the same with `docstatus` 2, `frappe.client.cancel`', 'cancel'),
    row('`DELETE /api/resource/{type}/{name}`, `frappe.client.delete`', 'delete'),
    row('`frappe.client.rename_doc`, with `merge` delete too', 'write'),
  ],
)}

## Methods

*of the argument*: an argument names the type, whose right is asked for. *own records*: what is about the caller, or about whom the caller
answers for; of others the right to the type is asked for. *public*: no record is revealed.

${table(['Method', 'Rights', 'Roles that may call it'], byPath.map(methodRow))}

### Methods about the session

${table(
  ['Method', 'Rights', 'Callers'],
  [...sessionMethods.values()].map((method) =>
    row(`\`${method.path}\``, rightsText(method), method.allowGuest === true ? 'everybody' : 'everybody who is known'),
  ),
)}

## Reports

${table(['Report', 'Reads all of', 'Roles', 'Roles that have both'], reportRows)}

## Console

Operations without a scope reveal what is the caller's own, or ask for the right to the record type.

${table(['Operation', 'Address', 'Scope', 'Roles'], Object.entries<Operation>(consoleApi).map(operationRow))}

### Operations of the Client API at the console

${table(['Operation', 'Address', 'Scope', 'Roles'], Object.entries(sharedOperations).map(operationRow))}

## OneRoster

Each operation needs the scope of its key, and of an access token. People do not call them.

${table(['Operation', 'Service', 'Address', 'Scope'], oneRosterOperations.map(oneRosterRow))}
`
}

function mayRunReport(role: string, report: (typeof reports)[number]): boolean {
  const caller = callerWith(role)
  if (!isManager(caller) && !report.roles.includes(role)) return false
  return getRevealedTypes(report).every((type) => getLimit(caller, registry.require(type.name)) === 'all')
}
