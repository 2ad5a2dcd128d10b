import { maximumFaults } from '@matricula/contract'
import { type RecordType, recordTypes } from '@matricula/contract/record-types'
import { TimeSlice } from '../../concurrency/index.ts'
import { column, identifier, join, sql, type Transaction } from '../../database/index.ts'
import { isUuid } from '../../values/index.ts'
import type { RecordWork } from '../lifecycle/record-work.ts'
import type { RecordDefinition } from '../model/record-definition.ts'
import type { AnyDocument } from '../model/record-document.ts'
import { RecordError } from '../model/record-error.ts'
import type { LinkLocation, RecordRegistry } from '../model/record-registry.ts'
import { getFields, getRowTable, getTable, getTableFields } from '../model/record-tables.ts'

interface Link {
  /** The record, or row, that links. */
  readonly holder: AnyDocument
  readonly field: string
  readonly label: string
  readonly target: string
  readonly name: string
  readonly isAmendment: boolean
  readonly createMissing: boolean
}

/**
 * Checks that every linked record exists, and is not cancelled where the record can be submitted. Corrects the case of
 * names. Creates a missing record where its type and the link allow that, with a message. Links that the stored record
 * `before` has already may stay broken: the Client API may store texts there that name no record.
 *
 * @throws RecordError `LinkValidationError` naming the broken links, `CancelledLinkError`; stops after 50.
 */
export async function checkLinks(
  work: RecordWork,
  registry: RecordRegistry,
  type: RecordType,
  document: AnyDocument,
  before: AnyDocument | null,
): Promise<void> {
  const links = getLinks(registry, type, document)
  const stored = new Set((before === null ? [] : getLinks(registry, type, before)).map(getLocation))
  const missing: Link[] = []
  const dead: Link[] = []
  const slice = new TimeSlice()
  for (const link of links) {
    if (slice.isOver) await slice.yield()
    if (missing.length + dead.length >= maximumFaults) break
    const definition = registry.require(link.target)
    const linked = await work.linked(definition.type, link.name)
    if (linked === null) {
      if (stored.has(getLocation(link))) continue
      if (!(await cameIntoBeing(work, definition, link))) missing.push(link)
      continue
    }
    if (!stored.has(getLocation(link))) link.holder[link.field] = linked.name
    if (type.kind === 'submittable' && linked.docstatus === 2 && !link.isAmendment) dead.push(link)
  }
  const told = (faulty: Link[]) => faulty.map(({ label, name }) => `${label}: ${name.slice(0, 140)}`).join(', ')
  if (missing.length > 0) throw new RecordError('LinkValidationError', `Could not find ${told(missing)}`)
  if (dead.length > 0) throw new RecordError('CancelledLinkError', `Cannot link cancelled document: ${told(dead)}`)
}

/** The names that a record and its rows link to, by type. */
export function linkedNames(
  registry: RecordRegistry,
  type: RecordType,
  document: AnyDocument,
): Map<RecordDefinition, Set<string>> {
  const named = new Map<RecordDefinition, Set<string>>()
  for (const { target, name } of getLinks(registry, type, document)) {
    const definition = registry.require(target)
    named.set(definition, (named.get(definition) ?? new Set()).add(name))
  }
  return named
}

const getLocation = ({ target, name }: Link) => `${target}: ${name}`

async function cameIntoBeing(work: RecordWork, definition: RecordDefinition, link: Link): Promise<boolean> {
  const { fromName, type } = definition
  if (!link.createMissing || fromName === null || (await work.siteDefaults()).isStrict) return false
  try {
    await work.insert(type, await fromName(link.name, work))
  } catch (error) {
    // There is one whose whole name differs, such as "Debtors - HIC" of "Debtors".
    if (error instanceof RecordError && error.type === 'DuplicateEntryError') return false
    throw error
  }
  work.messages.push({
    message: `${type.name} ${link.name} did not exist and was created. Set strict_links in Education Settings to reject such names.`,
    title: 'Record created',
    indicator: 'blue',
  })
  return (await work.linked(type, link.name)) !== null
}

function getLinks(registry: RecordRegistry, type: RecordType, document: AnyDocument): Link[] {
  const own = directLinks(registry, type, document, '')
  const inRows = getTableFields(type).flatMap(({ field, rows }) =>
    (document[field] as AnyDocument[]).flatMap((row) => directLinks(registry, rows, row, `Row #${row.idx}: `)),
  )
  return [...own, ...inRows]
}

function directLinks(registry: RecordRegistry, type: RecordType, document: AnyDocument, location: string): Link[] {
  return getFields(type).flatMap(([field, declared]) => {
    const name = document[field]
    if (typeof name !== 'string' || name === '') return []
    if (declared.type === 'Link' && declared.isUnchecked === true) return []
    const target =
      declared.type === 'Link'
        ? declared.target
        : declared.type === 'Dynamic Link'
          ? String(document[declared.typeField] ?? '')
          : ''
    if (registry.find(target) === null) return []
    return {
      holder: document,
      field,
      label: location + declared.label,
      target,
      name,
      isAmendment: field === 'amended_from',
      createMissing: declared.type === 'Link' && declared.createMissing === true,
    }
  })
}

/**
 * Copies into a record, and its rows, what its fields fetch from the records that it names. `onlyAfterSubmission` keeps
 * it to fields that may change after submission, and to new rows of tables that may.
 */
export async function fetchValues(
  work: RecordWork,
  registry: RecordRegistry,
  type: RecordType,
  document: AnyDocument,
  { onlyAfterSubmission = false }: { readonly onlyAfterSubmission?: boolean } = {},
): Promise<void> {
  for (const [field, declared] of getFields(type)) {
    if (declared.type === 'Table') {
      const slice = new TimeSlice()
      for (const row of document[field] as AnyDocument[]) {
        if (slice.isOver) await slice.yield()
        const isFinal = declared.allowOnSubmit !== true || row.name !== ''
        await fetchValues(work, registry, declared.rows, row, { onlyAfterSubmission: onlyAfterSubmission && isFinal })
      }
      continue
    }
    if (declared.fetchFrom === undefined || (onlyAfterSubmission && declared.allowOnSubmit !== true)) continue
    if (declared.fetchIfEmpty === true && document[field] !== null && document[field] !== '') continue
    const [linkField = '', source = ''] = declared.fetchFrom.split('.')
    const link = type.fields[linkField]
    const definition = link?.type === 'Link' ? registry.find(link.target) : null
    if (definition === null || definition.type.fields[source] === undefined) continue
    const linked = await work.linked(definition.type, document[linkField] as string | null)
    if (linked !== null) document[field] = linked[source]
  }
}

/** Which links of other records prevent an action. */
interface Guard {
  readonly onlySubmitted: boolean
  readonly ignoredTypes: readonly string[]
}

/**
 * Throws `LinkExistsError` while another record links to this one: any record for a deletion, only submitted ones for a
 * cancellation. A Dynamic Link does not count in a cancelled record, nor in a dependent of the linked one. The error
 * names the other record where the caller may read it.
 */
export async function requireUnlinked(
  work: Pick<RecordWork, 'tx' | 'mayRead'>,
  registry: RecordRegistry,
  definition: RecordDefinition,
  id: string,
  name: string,
  { onlySubmitted, ignoredTypes }: Guard,
): Promise<void> {
  const { tx } = work
  const dynamic = registry.dynamicLinks().filter(({ owner, field }) => owner.goesWith !== field)
  const locations = [...registry.linksTo(definition.type.name), ...dynamic]
    .filter(({ owner }) => !ignoredTypes.includes(owner.type.name) && !owner.isForm)
    .filter(({ owner }) => !onlySubmitted || owner.type.kind === 'submittable')
  const searches = locations.map((location) => searchIn(tx, location, definition, id, name, onlySubmitted))
  if (!onlySubmitted) searches.push(searchInCustomFields(tx, definition, id, name))
  if (searches.length === 0) return
  const [found] = await tx.query<{ type: string; name: string }>(
    sql`select * from (${join(searches, ' union all ')}) found limit 1`,
  )
  if (found === undefined) return
  const linking = registry.find(found.type)?.type
  const whole = await loadName(tx, registry, found)
  const named = linking === undefined || (await work.mayRead(linking, whole)) ? whole : found.type
  const way = ['enabled', 'disabled'].some((field) => field in definition.type.fields) && !onlySubmitted
  const hint = way ? ' You can disable it instead.' : ''
  throw new RecordError(
    'LinkExistsError',
    `Cannot ${onlySubmitted ? 'cancel' : 'delete'} ${definition.type.name} ${name} because it is linked with ${[...new Set([found.type, named])].join(' ')}.${hint}`,
  )
}

/** The name of a linking record; a payment, which has none, is named by its id. */
async function loadName(tx: Transaction, registry: RecordRegistry, found: { type: string; name: string }) {
  const relation = isUuid(found.name) ? registry.find(found.type)?.relation : undefined
  if (relation === undefined) return found.name
  const [record] = await tx.query<{ name: string }>(
    sql`select r.name from ${identifier(relation)} r where r.tenant_id = ${tx.tenantId} and r.id = ${found.name}`,
  )
  return record?.name ?? found.name
}

/** A record, or a payment, that links to the record by a custom field: its type and id. */
function searchInCustomFields(tx: Transaction, { type }: RecordDefinition, id: string, name: string) {
  return sql`(select f.dt as type, v.record_id::text as name
                from custom_fields f
                join custom_field_values v on v.tenant_id = f.tenant_id and v.field_id = f.id
               where f.tenant_id = ${tx.tenantId} and f.fieldtype = 'Link' and f.options = ${type.name}
                 and v.text_value = ${name} and v.record_id <> ${id} limit 1)`
}

function searchIn(
  tx: Transaction,
  location: LinkLocation,
  definition: RecordDefinition,
  id: string,
  name: string,
  onlySubmitted: boolean,
) {
  const { owner, tableField, field, typeField, table } = location
  const isSelf = owner.type.name === definition.type.name
  const named = sql`${column(field)} = ${name}`
  const link = typeField === null ? named : sql`${column(typeField)} = ${definition.type.name} and ${named}`
  const status = onlySubmitted ? sql`and p.docstatus = 1` : typeField === null ? sql`` : sql`and p.docstatus < 2`
  const other = isSelf ? sql`and p.id <> ${id}` : sql``
  if (tableField === null) {
    return sql`(select ${owner.type.name}::text as type, p.name::text as name from ${identifier(table)} p
                 where p.tenant_id = ${tx.tenantId} and ${link} ${status} ${other} limit 1)`
  }
  return sql`(select ${owner.type.name}::text as type, p.name::text as name
                from (select tenant_id, parent_id from ${identifier(table)}
                       where tenant_id = ${tx.tenantId} and ${link}) c
                join ${identifier(owner.relation)} p on p.tenant_id = c.tenant_id and p.id = c.parent_id
               where true ${status} ${other} limit 1)`
}

/** Updates every link to a renamed record. The old name may already be gone. */
export async function renameLinks(
  tx: Transaction,
  registry: RecordRegistry,
  type: RecordType,
  from: string,
  to: string,
): Promise<void> {
  await tx.query(sql`set constraints all deferred`)
  for (const { owner, tableField, field, table } of registry.linksTo(type.name)) {
    const isRegular =
      owner.storage === null || (tableField !== null && owner.storage.rowRelations?.[tableField] === undefined)
    const shared = tableField === null ? owner.storage?.linkColumns?.[field] : undefined
    const location = isRegular ? { table, column: field } : shared
    if (location === undefined) continue
    // The Client API shows such a name, so the linking record gets an event.
    const version = isRegular ? sql`` : sql`, version = version + 1, updated_at = greatest(current_stamp(), updated_at)`
    tx.send(sql`
      update ${identifier(location.table)} set ${column(location.column)} = ${to} ${version}
       where tenant_id = ${tx.tenantId} and ${column(location.column)} = ${from}`)
  }
  for (const location of registry.dynamicLinks()) renameIn(tx, location, type, from, to)
}

function renameIn(
  tx: Transaction,
  { table, field, typeField }: Pick<LinkLocation, 'table' | 'field' | 'typeField'>,
  type: RecordType,
  from: string,
  to: string,
): void {
  tx.send(sql`
    update ${identifier(table)} set ${column(field)} = ${to}
     where tenant_id = ${tx.tenantId} and ${column(typeField ?? '')} = ${type.name} and ${column(field)} = ${from}`)
}

/** The Dynamic Links of declared types, which no foreign key covers. */
const placesOfAnyType = recordTypes
  .flatMap((type) => {
    const rows = getTableFields(type).map((each) => ({ of: each.rows, table: getRowTable(getTable(type), each.field) }))
    return [{ of: type, table: getTable(type) }, ...rows]
  })
  .flatMap(({ of, table }) =>
    Object.entries(of.fields).flatMap(([field, declared]) =>
      declared.type === 'Dynamic Link' ? [{ table, field, typeField: declared.typeField }] : [],
    ),
  )

/**
 * Updates the Dynamic Links to a record that another surface renamed, such as those of comments and files. Foreign keys
 * cascade to everything else.
 */
export function followRenameByType(tx: Transaction, type: RecordType, from: string, to: string): void {
  for (const location of placesOfAnyType) renameIn(tx, location, type, from, to)
}
