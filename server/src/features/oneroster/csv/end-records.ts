import { department, instructor, type RecordType, student, studentGroup } from '@matricula/contract/record-types'
import type { RequestContext } from '../../../changes/index.ts'
import { sql, type Transaction } from '../../../database/index.ts'
import { requireLocked } from '../../../entities/index.ts'
import type { RecordEngine, RecordOf } from '../../../record-engine/index.ts'
import { studentUpserting } from '../../students/index.ts'
import type { RecordKind } from '../roster/roster-class.ts'
import type { SourcedRecords } from './import-target.ts'

interface Found {
  readonly type: 'student' | 'instructor' | 'class' | 'org'
  readonly name: string
}

/**
 * Ends the record that a bundle says is gone, or that is missing from one which has all there is: a student is withdrawn, an
 * instructor leaves, a group and a department are disabled. Guardians, courses and sessions have no end and stay. Returns
 * whether anything changed.
 */
export async function endRecord(
  engine: RecordEngine,
  context: RequestContext,
  records: SourcedRecords,
  kind: RecordKind,
  id: string,
): Promise<boolean> {
  const found = await findUnended(engine.tx, kind, id)
  if (found === null) return false
  await enders[found.type](engine, context, id, found.name)
  await records.markEnded(kind, id, true)
  return true
}

/** Takes back what a bundle ended, since one has it again. */
export async function resumeRecord(
  engine: RecordEngine,
  records: SourcedRecords,
  kind: RecordKind,
  id: string,
  name: string,
): Promise<void> {
  if (kind === 'class') await set(engine, studentGroup, name, { disabled: 0 })
  if (kind === 'org') await set(engine, department, name, { disabled: 0 })
  if (kind === 'user') {
    if ((await engine.find(student, name)) !== null) await set(engine, student, name, { enabled: 1 })
    else if ((await engine.find(instructor, name)) !== null) await set(engine, instructor, name, { status: 'Active' })
  }
  await records.markEnded(kind, id, false)
}

const enders: Readonly<
  Record<Found['type'], (engine: RecordEngine, context: RequestContext, id: string, name: string) => Promise<unknown>>
> = {
  student: async ({ tx }, context, id) => {
    const { change, definition } = studentUpserting
    const current = await requireLocked(tx, definition, id)
    await change(tx, context, current, { status: 'withdrawn' })
  },
  instructor: (engine, _, __, name) => set(engine, instructor, name, { status: 'Left' }),
  class: (engine, _, __, name) => set(engine, studentGroup, name, { disabled: 1 }),
  org: (engine, _, __, name) => set(engine, department, name, { disabled: 1 }),
}

function set<Type extends RecordType>(engine: RecordEngine, type: Type, name: string, fields: Partial<RecordOf<Type>>) {
  return engine.change(type, name, (document) => {
    Object.assign(document, fields)
  })
}

async function findUnended(tx: Transaction, kind: RecordKind, id: string): Promise<Found | null> {
  const { tenantId } = tx
  const [found] = await tx.query<{ type: Found['type']; name: string }>(sql`
    select 'student' as type, s.student_code as name from students s
     where ${kind} = 'user' and s.tenant_id = ${tenantId} and s.id = ${id} and s.status not in ('graduated', 'withdrawn')
    union all
    select 'instructor', i.name from instructors i
     where ${kind} = 'user' and i.tenant_id = ${tenantId} and i.id = ${id} and coalesce(i.status, '') <> 'Left'
    union all
    select 'class', g.name from student_groups g
     where ${kind} = 'class' and g.tenant_id = ${tenantId} and g.id = ${id} and g.disabled = 0
    union all
    select 'org', d.name from departments d
     where ${kind} = 'org' and d.tenant_id = ${tenantId} and d.id = ${id} and d.disabled = 0`)
  return found ?? null
}
