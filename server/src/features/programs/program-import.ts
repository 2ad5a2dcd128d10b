import type { CatalogueProgram, Static } from '@matricula/contract'
import { program } from '@matricula/contract/record-types'
import type { ChangeContext } from '../../changes/index.ts'
import { recordChanges } from '../../changes/index.ts'
import { type Sql, sql, type Transaction } from '../../database/index.ts'
import { followRename, lockOne, readBack } from '../../entities/index.ts'
import { followRenameByType } from '../../record-engine/index.ts'
import { newId, sameJson } from '../../values/index.ts'
import { type ProgramRecord, programs, programTable } from './program-store.ts'
import { emptyProgram, storedProgram, withDerived } from './program-values.ts'

export type ImportOutcome = 'created' | 'updated' | 'unchanged'

/** Makes a program, or changes the one with its externalId, else with its name. A field that is absent stays. */
export async function importProgram(
  tx: Transaction,
  context: ChangeContext,
  entry: Static<typeof CatalogueProgram>,
): Promise<ImportOutcome> {
  const current = await findProgram(tx, entry.externalId ?? null, entry.name)
  if (current === null) {
    const id = newId()
    await tx.query(programTable.insert(tx.tenantId, id, withDerived({ ...emptyProgram, ...entry })))
    await recordProgram(tx, context, id, null)
    return 'created'
  }
  const stored = storedProgram(current)
  const values = { ...stored, ...entry }
  if (sameJson(values, stored)) return 'unchanged'
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
  await tx.query(programTable.update(tx.tenantId, current.id, withDerived(values), stored))
  await recordProgram(tx, context, current.id, current)
  return 'updated'
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
): Promise<void> {
  const { record: after } = await readBack(tx, programs, entityId)
  const type = before === null ? 'program.created' : 'program.updated'
  recordChanges(tx, context, [{ type, list: programs, entityId, externalId: after.externalId, before, after }])
}
