import {
  eventScopes,
  type Json,
  type JsonObject,
  type Static,
  type TimelineEntry,
  timelineKinds,
  timelineOperations,
} from '@matricula/contract'
import type { RecordType } from '@matricula/contract/record-types'
import type { Database } from '../../database/index.ts'
import { notFoundProblem, Problem, validationProblem } from '../../errors/index.ts'
import { implement, mayUse, type OperationRequest, type Route, requireUse } from '../../http/index.ts'
import {
  findVisible,
  getCaller,
  getReading,
  isHidden,
  mayDo,
  type RecordRegistry,
  rolesWith,
} from '../../record-engine/index.ts'
import { type AuditItem, readAudit } from './audit-entries.ts'

type Entry = Static<typeof TimelineEntry>
type TimelineRequest = OperationRequest<(typeof timelineOperations)['readTimeline']>

/** The operations of a record's timeline. */
export function timelineRoutes(registry: RecordRegistry): Route[] {
  return implement(timelineOperations, {
    readTimeline: async (database, request) => {
      const subject = await loadSubject(database, registry, request)
      const { limit, cursor } = request.query
      const asked = {
        entityId: subject.id,
        ...(subject.kind !== null && { entityType: subject.kind }),
        ...(limit !== undefined && { limit }),
        ...(cursor !== undefined && { cursor }),
      }
      const { records, ...cursorWalk } = await readAudit(database, request.context.tenant.id, asked)
      return { ...cursorWalk, records: records.map((entry) => toTimelineEntry(entry, subject)) }
    },
  })
}

/** The record of a timeline and what the caller may see. */
interface Subject {
  readonly id: string
  /** Its kind, when it has no record type. */
  readonly kind: string | null
  readonly type: RecordType | null
  /** Whether the caller may read the values of fields. */
  readonly showsValues: boolean
  /** Whether a field is hidden from the caller. */
  hides(field: string): boolean
}

/**
 * The record of a request.
 *
 * @throws Problem `validation_failed` for none or two records; `insufficient_role` or `insufficient_scope` when the
 * caller may not read such records; `resource_not_found` when the caller sees no such record.
 */
async function loadSubject(database: Database, registry: RecordRegistry, request: TimelineRequest): Promise<Subject> {
  const { type, name, kind, id } = request.query
  if (type !== undefined && name !== undefined && kind === undefined && id === undefined) {
    return recordSubject(database, registry, request, type, name)
  }
  if (kind === undefined || id === undefined || type !== undefined || name !== undefined) {
    const detail = 'name the record by type and name, or by kind and id'
    throw validationProblem([{ in: 'query', name: 'type', code: 'inconsistent', detail }])
  }
  requireUse(request.context.caller, timelineKinds[kind])
  return { id: id.toLowerCase(), kind, type: null, showsValues: true, hides: () => false }
}

async function recordSubject(
  database: Database,
  registry: RecordRegistry,
  { context }: TimelineRequest,
  typeName: string,
  name: string,
): Promise<Subject> {
  const caller = getCaller(context)
  const reading = getReading(database, registry, caller)
  const definition = reading.registry.find(typeName)
  if (definition === null || definition.computed !== null) throw notFoundProblem('record type')
  const { type, storage } = definition
  // A caller with the scope of the Client API reads all such records.
  const scope = storage?.list === undefined ? null : (eventScopes.get(storage.list.entityType) ?? null)
  const isOpen = scope !== null && mayUse(context.caller, scope)
  if (!isOpen && !mayDo(caller, type, 'read')) {
    const detail = `You may not read records of the type ${type.name}. Ask for a role that may.`
    throw new Problem('insufficient_role', detail, { requiredRoles: rolesWith(type, 'read') })
  }
  const found = await findVisible(reading, definition, name, isOpen)
  if (found === null) throw notFoundProblem(type.name)
  const showsValues = isOpen || (scope === null && !found.isPartly)
  return { id: found.id, kind: null, type, showsValues, hides: (field) => !isOpen && isHidden(caller, type, field) }
}

/** Members that change with every change. */
const stamps: ReadonlySet<string> = new Set(['updatedAt', 'modified', 'modified_by', 'version'])

function toTimelineEntry(
  { before, after, changed, ...entry }: AuditItem,
  { type, showsValues, hides }: Subject,
): Entry {
  const fields = showsValues ? changed.filter((field) => !stamps.has(field) && !hides(field)) : []
  return {
    id: entry.id,
    occurredAt: entry.occurredAt,
    action: entry.action,
    actor: entry.actor,
    changes: fields.map((field) => ({
      field,
      label: getLabel(type, field),
      from: getPart(before, field),
      to: getPart(after, field),
    })),
    requestId: entry.requestId,
  }
}

function getPart(record: JsonObject | null, field: string): Json {
  return record !== null && Object.hasOwn(record, field) ? (record[field] as Json) : null
}

/** The label of a field: declared by its type, else its name in words. */
function getLabel(type: RecordType | null, field: string): string {
  const declared = type !== null && Object.hasOwn(type.fields, field) ? type.fields[field]?.label : undefined
  if (declared !== undefined) return declared
  const label = field
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return label.charAt(0).toUpperCase() + label.slice(1)
}
