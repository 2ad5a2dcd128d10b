import type { CatalogueProgram, ProgramImportBody, Static } from '@matricula/contract'
import { program } from '@matricula/contract/record-types'
import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { type Sql, sql, type Transaction } from '../../database/index.ts'
import {
  findTakenProblem,
  followRename,
  lockOne,
  readBack,
  takenProblem,
  type UniqueValue,
  type Upserting,
  type Versioned,
} from '../../entities/index.ts'
import { validationProblem } from '../../errors/index.ts'
import { followRenameByType } from '../../record-engine/index.ts'
import { newId, requireReadOnlyUnchanged, sameJson } from '../../values/index.ts'
import { withDepartment } from './department-ref.ts'
import { type ProgramRecord, type ProgramRow, programs, programTable } from './program-store.ts'
import { emptyProgram, type ProgramFields, storedProgram, withDerived } from './program-values.ts'

export type ImportOutcome = 'created' | 'updated' | 'unchanged'

/**
 * Makes a program, or changes the one with its externalId, else with its name. A field that is absent stays. Throws
 * `reference_not_found` for an unknown department.
 */
export async function importProgram(
  tx: Transaction,
  context: ChangeContext,
  given: Static<typeof CatalogueProgram>,
): Promise<ImportOutcome> {
  const current = await findProgram(tx, given.externalId ?? null, given.name)
  const entry = await withDepartment(tx, given, current?.department ?? null)
  if (current === null) {
    const id = newId()
    await tx.query(programTable.insert(tx.tenantId, id, withDerived({ ...emptyProgram, ...entry })))
    await recordProgram(tx, context, id, null)
    return 'created'
  }
  const stored = storedProgram(current)
  const values = { ...stored, ...entry }
  if (sameJson(values, stored)) return 'unchanged'
  await storeProgram(tx, context, current, values)
  return 'updated'
}

type ProgramBody = Static<typeof ProgramImportBody>

/** Programs by their externalId, as rows of files say them. */
export const programUpserting: Upserting<ProgramRow, ProgramRecord, ProgramBody> = {
  definition: programs,
  getContext: (context) => context,
  findSeries: (_, body) => {
    requireName(body)
    return null
  },
  insert: async (tx, context, externalId, body) => {
    const name = requireName(body)
    const id = newId()
    const values = withDerived({ ...emptyProgram, ...(await withDepartment(tx, body, null)), name, externalId })
    const inserted = await tx.query(
      sql`${programTable.insert(tx.tenantId, id, values)} on conflict do nothing returning 1 as inserted`,
    )
    return inserted.length === 0 ? null : recordProgram(tx, context, id, null)
  },
  change: async (tx, context, current, body) => {
    requireReadOnlyUnchanged(context.readOnlyFields, current.record)
    const stored = storedProgram(current.record)
    const values = { ...stored, ...(await withDepartment(tx, body, stored.department)) }
    if (sameJson(values, stored)) return current
    const taken = await findTakenProblem(tx, programs, uniqueValues(body), current.record.id)
    if (taken !== null) throw taken
    return storeProgram(tx, context, current.record, values)
  },
  takenError: (tx, externalId, body) => takenProblem(tx, programs, uniqueValues({ ...body, externalId })),
}

/** The name of one that is to be made. Throws `validation_failed` without one. */
function requireName({ name }: ProgramBody): string {
  if (name !== undefined) return name
  const detail = 'is required, because no program has this externalId yet'
  throw validationProblem([{ in: 'body', pointer: '#/name', code: 'required', detail }])
}

function uniqueValues({ externalId, name }: ProgramBody): UniqueValue[] {
  return [
    { field: 'externalId', column: 'external_id', value: externalId, code: 'external_id_taken' },
    { field: 'name', column: 'name', value: name, code: 'already_exists' },
  ]
}

/** Writes a program that differs from what is stored; whoever names it follows its name. */
async function storeProgram(
  tx: Transaction,
  context: ChangeContext,
  current: ProgramRecord,
  values: ProgramFields,
): Promise<Versioned<ProgramRecord>> {
  if (values.name !== current.name) {
    await followRename(tx, {
      recordType: 'Program',
      table: 'programs',
      column: 'name',
      from: current.name,
      to: values.name,
    })
    followRenameByType(tx, program, current.name, values.name)
  }
  await tx.query(programTable.update(tx.tenantId, current.id, withDerived(values), storedProgram(current)))
  return recordProgram(tx, context, current.id, current)
}

/** Gives a program a new version, because its courses changed. */
export async function touchProgram(tx: Transaction, context: ChangeContext, before: ProgramRecord): Promise<void> {
  tx.send(sql`
    update programs set version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = ${before.id}`)
  await recordProgram(tx, context, before.id, before)
}

/** The program with a name, locked; null when there is none. */
export async function lockProgramByName(tx: Transaction, name: string): Promise<ProgramRecord | null> {
  return lockProgram(tx, sql`p.name = ${name}`)
}

async function findProgram(tx: Transaction, externalId: string | null, name: string): Promise<ProgramRecord | null> {
  const found = externalId === null ? null : await lockProgram(tx, sql`p.external_id = ${externalId}`)
  return found ?? lockProgramByName(tx, name)
}

async function lockProgram(tx: Transaction, condition: Sql): Promise<ProgramRecord | null> {
  return (await lockOne(tx, programs, condition))?.record ?? null
}

async function recordProgram(
  tx: Transaction,
  context: ChangeContext,
  entityId: string,
  before: ProgramRecord | null,
): Promise<Versioned<ProgramRecord>> {
  const written = await readBack(tx, programs, entityId)
  const { record: after } = written
  const type = before === null ? 'program.created' : 'program.updated'
  recordChanges(tx, context, [{ type, list: programs, entityId, externalId: after.externalId, before, after }])
  return written
}
