import { setImmediate } from 'node:timers/promises'
import { feeSchedule, feeStructure, fees } from '@matricula/contract/record-types'
import { type Sql, sql } from '../../database/index.ts'
import { RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { chargeComponents } from './fee-components.ts'
import {
  buildFee,
  findStudentsOfSchedule,
  type ScheduledStudent,
  setScheduleTotals,
  sumCreated,
} from './fee-schedules.ts'
import { loadCurrency } from './fee-structures.ts'

type Schedule = RecordOf<typeof feeSchedule>

/** The number of fees that are written together: more would need more memory and occupy the process for longer. */
const feesOfBatch = 250

/** The number of batches in progress, so that the process prepares one while the database writes another. */
const concurrentBatches = 2

/** How many times more rows there must be before statements are planned anew. */
const growthPerPlan = 4

/** Another process creates the fees of the schedule, or has created them; a failure must not overwrite its result. */
class ConcurrentFeesError extends RecordError {}

/**
 * Marks a schedule as in progress: `fee_creation_status` is `In Process` until `createFees` or `recordFeesFailure`.
 *
 * @throws RecordError when the schedule is not submitted, its fees exist or are in progress, or it charges nobody
 */
export async function announceFees(schedule: Schedule, work: RecordWork): Promise<void> {
  const total = (await lockStudentsToCharge(schedule, work)).length
  await work.put(feeSchedule, schedule.name, { ...statusFields('In Process'), error_log: null })
  await work.tx.query(sql`
    insert into fee_schedule_progress (tenant_id, fee_schedule_id, done, total)
    select tenant_id, id, 0, ${total} from fee_schedules
     where tenant_id = ${work.tx.tenantId} and name = ${schedule.name}
    on conflict (tenant_id, fee_schedule_id)
    do update set done = 0, total = excluded.total, updated_at = excluded.updated_at`)
}

/**
 * Creates and submits the fee of every student of a submitted schedule: all of them, or none when one is rejected. The
 * progress is counted beside the schedule; afterwards `fee_creation_status` is `Successful`, and the schedule says how many
 * fees were created and what they sum up to.
 *
 * @throws RecordError as `announceFees`, and the error of the first rejected fee
 */
export async function createFees(schedule: Schedule, work: RecordWork): Promise<{ fees: number }> {
  const charged = await lockStudentsToCharge(schedule, work)
  const components = await chargeComponents(work, schedule, charged, {
    currency: await loadCurrency(work, schedule.company),
    day: schedule.posting_date ?? work.today,
  })
  const fields = charged.map((student, index) => ({
    group: student.group,
    fee: buildFee(schedule, student, components[index] ?? []),
  }))
  const created = await insertInBatches(schedule, work, fields)
  await setScheduleTotals(schedule, work)
  const { student_groups, ...totals } = sumCreated(schedule, created)
  await work.put(feeSchedule, schedule.name, {
    ...{ student_groups, grand_total: schedule.grand_total, grand_total_in_words: schedule.grand_total_in_words },
    ...totals,
    fee_creation_status: 'Successful',
    status: 'Invoice Created',
    error_log: null,
  })
  await work.tx.query(progressStatement(work.tx.tenantId, schedule, charged.length))
  work.messages.push({ message: `${charged.length} fees were made.`, indicator: 'green' })
  return { fees: charged.length }
}

/** Marks a schedule as failed, with the reason in `error_log`; not while another process creates its fees. */
export async function recordFeesFailure(schedule: Schedule, work: RecordWork, error: unknown): Promise<void> {
  if (error instanceof ConcurrentFeesError) return
  const reason = error instanceof RecordError ? error.message : 'The service failed. Try again.'
  await work.put(feeSchedule, schedule.name, { ...statusFields('Failed'), error_log: reason })
  await work.tx.query(progressStatement(work.tx.tenantId, schedule, 0))
}

/** The students of a schedule. Locks the schedule until the transaction ends. */
async function lockStudentsToCharge(schedule: Schedule, work: RecordWork): Promise<ScheduledStudent[]> {
  if (schedule.docstatus !== 1) {
    throw new RecordError('ValidationError', `Submit the Fee Schedule ${schedule.name} before its fees are made.`)
  }
  const [taken] = await work.tx.query<{ taken: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${`fees of ${work.tx.tenantId} ${schedule.name}`}, 0)) as taken`)
  if (taken?.taken !== true) {
    throw new ConcurrentFeesError(
      'ValidationError',
      `The fees of ${schedule.name} are being made just now. Look again in a minute.`,
    )
  }
  // Locked now, because it is changed last, and lock order puts it before later records.
  await work.lockAll([{ type: feeSchedule, name: schedule.name }])
  const [state] = await work.tx.query<{ status: string | null }>(sql`
    select fee_creation_status as status from fee_schedules
     where tenant_id = ${work.tx.tenantId} and name = ${schedule.name}`)
  if (state?.status === 'Successful') {
    throw new ConcurrentFeesError(
      'ValidationError',
      `The fees of ${schedule.name} were made already. Cancel it and amend it to ask again.`,
    )
  }
  // A schedule of an earlier version may lack its program, which is that of its structure.
  const program = schedule.program || ((await work.linked(feeStructure, schedule.fee_structure))?.program ?? null)
  const charged = await findStudentsOfSchedule(work, { ...schedule, program })
  if (charged.length > 0) return charged
  throw new RecordError(
    'ValidationError',
    'No student of the groups has a submitted enrollment that the schedule charges. Set up the students first.',
  )
}

/** The status in both fields, for old and new clients. */
const statusFields = (state: 'In Process' | 'Failed') => ({ fee_creation_status: state, status: state })

/** A fee that is to be created, for a student of a group. */
interface NewFee {
  readonly group: string
  readonly fee: ReturnType<typeof buildFee>
}

/** A created fee. */
interface CreatedFee {
  readonly group: string
  readonly grand_total: number
}

/**
 * Creates fees batch by batch, in their order, and reports the progress. Waits for all batches in progress before it
 * throws the error of one, so that no statement follows the transaction.
 */
async function insertInBatches(schedule: Schedule, work: RecordWork, some: readonly NewFee[]): Promise<CreatedFee[]> {
  const created: CreatedFee[] = []
  let taken = 0
  let planned = 0
  const insertRest = async () => {
    while (taken < some.length) {
      const batch = some.slice(taken, taken + feesOfBatch)
      taken += batch.length
      try {
        created.push(...(await insertBatch(work, batch)))
      } catch (error) {
        taken = some.length
        throw error
      }
      work.note(progressStatement(work.tx.tenantId, schedule, created.length))
      if (created.length >= planned * growthPerPlan) {
        planned = created.length
        // Foreign keys, too, are checked by plans of when there were fewer rows, which may read all of them; without statistics
        // the new plans would still take the tables for empty.
        work.tx.send(sql`select analyze_grown_tables()`)
        work.tx.send(sql`discard plans`)
      }
    }
  }
  const streams = Array.from({ length: concurrentBatches }, async (_, index) => {
    // In another turn of the event loop, so that it is another batch.
    if (index > 0) await setImmediate()
    await insertRest()
  })
  const rejected = (await Promise.allSettled(streams)).find((each) => each.status === 'rejected')
  if (rejected !== undefined) throw rejected.reason
  return created
}

/** Creates fees at once: each table is written by one statement, see `together`. */
async function insertBatch(work: RecordWork, batch: readonly NewFee[]): Promise<CreatedFee[]> {
  const made = await Promise.allSettled(
    batch.map(async ({ group, fee }) => {
      const { grand_total } = await work.insert(fees, fee)
      return { group, grand_total }
    }),
  )
  const rejected = made.find((each) => each.status === 'rejected')
  if (rejected !== undefined) throw rejected.reason
  return made.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
}

/** Progress may arrive out of order, so it only increases, or restarts. */
function progressStatement(tenantId: string, schedule: Schedule, done: number): Sql {
  return sql`
    update fee_schedule_progress p set done = ${done}, updated_at = current_stamp()
      from fee_schedules s
     where p.tenant_id = ${tenantId} and s.tenant_id = p.tenant_id and s.id = p.fee_schedule_id
       and s.name = ${schedule.name} and (p.done < ${done} or ${done} = 0)`
}

/** The progress of a schedule's fees. */
export async function readFeeProgress(work: RecordWork, schedule: Schedule): Promise<object> {
  const [row] = await work.tx.query<{ done: number; total: number }>(sql`
    select p.done, p.total from fee_schedule_progress p
      join fee_schedules s on s.tenant_id = p.tenant_id and s.id = p.fee_schedule_id
     where s.tenant_id = ${work.tx.tenantId} and s.name = ${schedule.name}`)
  const { fee_creation_status: status, error_log } = schedule
  return { done: row?.done ?? 0, total: row?.total ?? 0, fee_creation_status: status, error_log }
}
