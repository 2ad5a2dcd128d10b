import type { Body, dunningOperations } from '@matricula/contract'
import { type RequestContext, recordChanges } from '../../../changes/index.ts'
import { takeAdvisoryLock } from '../../../concurrency/index.ts'
import { type Sql, sql, type Transaction } from '../../../database/index.ts'
import { readBack, type Versioned } from '../../../entities/index.ts'
import { referenceProblem } from '../../../errors/index.ts'
import { todayIn } from '../../../tenancy/index.ts'
import { newId } from '../../../values/index.ts'
import { loadBillingSettings } from '../billing-settings.ts'
import { type DunningRunRecord, dunningRuns } from './dunning-store.ts'
import { proposeNotice } from './levels.ts'
import { loadOverdue } from './overdue.ts'

type DunningRunBody = Body<(typeof dunningOperations)['createDunningRun']>

/**
 * Proposes reminders of what is overdue today, to all accounts unless some are named. What earlier runs proposed to them and
 * nobody sent is dropped. Throws `reference_not_found`.
 */
export async function createDunningRun(
  tx: Transaction,
  context: RequestContext,
  { accountIds }: DunningRunBody,
): Promise<Versioned<DunningRunRecord>> {
  await takeAdvisoryLock(tx, 'dunning')
  if (accountIds !== undefined) await requireAccounts(tx, accountIds)
  const isMeant = (account: Sql) =>
    accountIds === undefined ? sql`true` : sql`${account} = any(${accountIds}::uuid[])`
  const { dunning } = await loadBillingSettings(tx)
  const today = todayIn(context.tenant.timeZone)
  const overdue = await loadOverdue(
    (text) => tx.query(text),
    { tenantId: tx.tenantId, today },
    isMeant(sql`o.account_id`),
  )
  const id = newId()
  const notices = [...overdue].flatMap(([accountId, own]) => {
    const proposed = proposeNotice(dunning, own)
    return proposed === null ? [] : [{ id: newId(), accountId, currency: own[0]?.currency, ...proposed }]
  })
  await dropProposed(tx, isMeant(sql`account_id`))
  await tx.query(sql`
    insert into dunning_runs (tenant_id, id, as_of, created_by) values (${tx.tenantId}, ${id}, ${today}, ${context.actor})`)
  await tx.query(sql`
    insert into dunning_notices (tenant_id, id, run_id, account_id, level, currency, items, amount, fee)
    select ${tx.tenantId}, n.id, ${id}, n."accountId", n.level, n.currency, n.items, n.amount, n.fee
      from jsonb_to_recordset(${JSON.stringify(notices)}::jsonb) as n (
             id uuid, "accountId" uuid, level integer, currency text, items jsonb, amount numeric, fee numeric)`)
  const run = await readBack(tx, dunningRuns, id)
  recordChanges(tx, context, [
    { type: 'dunning_run.created', list: dunningRuns, entityId: id, before: null, after: run.record },
  ])
  return run
}

async function requireAccounts(tx: Transaction, ids: readonly string[]): Promise<void> {
  const found = await tx.query<{ id: string }>(
    sql`select id from billing_accounts where tenant_id = ${tx.tenantId} and id = any(${[...ids]}::uuid[])`,
  )
  const known = new Set(found.map(({ id }) => id))
  const unknown = ids.findIndex((id) => !known.has(id.toLowerCase()))
  if (unknown >= 0) throw referenceProblem(`accountIds/${unknown}`, 'billing account')
}

async function dropProposed(tx: Transaction, condition: Sql): Promise<void> {
  const dropped = await tx.query<{ run: string }>(sql`
    update dunning_notices set status = 'dropped'
     where tenant_id = ${tx.tenantId} and status = 'proposed' and ${condition}
    returning run_id as run`)
  const runs = [...new Set(dropped.map(({ run }) => run))]
  if (runs.length === 0) return
  await tx.query(sql`
    update dunning_runs set version = version + 1, updated_at = greatest(current_stamp(), updated_at)
     where tenant_id = ${tx.tenantId} and id = any(${runs}::uuid[])`)
}
