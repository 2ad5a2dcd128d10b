import { feeSchedule, feeStructure, fees } from '@matricula/contract/record-types'
import { type Sql, sql } from '../../database/index.ts'
import { RecordError, type RecordOf, type RecordWork } from '../../record-engine/index.ts'
import { type ChargedStudent, chargedByGroups, feeFrom } from './fee-schedules.ts'

type Schedule = RecordOf<typeof feeSchedule>

/** After how many fees whoever watches is told how far it is. */
const feesPerReport = 200

/** How many fees are under way at a time: more save statements, and keep the process from the others for longer at a time. */
const feesAtOnce = 20

/** Somebody else makes the fees of the schedule, or has made them, which a failure must not write over. */
class FeesElsewhere extends RecordError {}

/**
 * Tells everybody that the fees of a schedule are being made: `fee_creation_status` says `In Process` until `createFees` or
 * `feesFailed` says what came of it.
 *
 * @throws RecordError when the schedule is not submitted, its fees are there or being made, or it charges nobody
 */
export async function announceFees(schedule: Schedule, work: RecordWork): Promise<void> {
  const total = (await studentsToCharge(schedule, work)).length
  await work.put(feeSchedule, schedule.name, { ...both('In Process'), error_log: null })
  await work.tx.query(sql`
    insert into fee_schedule_progress (tenant_id, fee_schedule_id, done, total)
    select tenant_id, id, 0, ${total} from fee_schedules
     where tenant_id = ${work.tx.tenantId} and name = ${schedule.name}
    on conflict (tenant_id, fee_schedule_id)
    do update set done = 0, total = excluded.total, updated_at = excluded.updated_at`)
}

/**
 * Makes and submits the fee of every student whom a submitted schedule charges: all of them, or none when one is refused. While
 * they are made the progress is counted beside the schedule; afterwards its `fee_creation_status` says `Successful`.
 *
 * @throws RecordError as `announceFees`, and what the first fee is refused for
 */
export async function createFees(schedule: Schedule, work: RecordWork): Promise<{ fees: number }> {
  const charged = await studentsToCharge(schedule, work)
  for (let done = 0; done < charged.length; done += feesAtOnce) {
    await makeFees(work, schedule, charged.slice(done, done + feesAtOnce))
    if (done % feesPerReport === 0) work.note(progressStatement(work.tx.tenantId, schedule, done))
  }
  await work.put(feeSchedule, schedule.name, {
    fee_creation_status: 'Successful',
    status: 'Invoice Created',
    error_log: null,
  })
  await work.tx.query(progressStatement(work.tx.tenantId, schedule, charged.length))
  work.messages.push({ message: `${charged.length} fees were made.`, indicator: 'green' })
  return { fees: charged.length }
}

/** Tells everybody that the fees of a schedule were not made, and in `error_log` why; not where somebody else makes them. */
export async function feesFailed(schedule: Schedule, work: RecordWork, error: unknown): Promise<void> {
  if (error instanceof FeesElsewhere) return
  const reason = error instanceof RecordError ? error.message : 'The service failed. Try again.'
  await work.put(feeSchedule, schedule.name, { ...both('Failed'), error_log: reason })
  await work.tx.query(progressStatement(work.tx.tenantId, schedule, 0))
}

/** The students whom a schedule charges; until the transaction ends nobody else makes their fees. */
async function studentsToCharge(schedule: Schedule, work: RecordWork): Promise<ChargedStudent[]> {
  if (schedule.docstatus !== 1) {
    throw new RecordError('ValidationError', `Submit the Fee Schedule ${schedule.name} before its fees are made.`)
  }
  const [taken] = await work.tx.query<{ taken: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${`fees of ${work.tx.tenantId} ${schedule.name}`}, 0)) as taken`)
  if (taken?.taken !== true) {
    throw new FeesElsewhere(
      'ValidationError',
      `The fees of ${schedule.name} are being made just now. Look again in a minute.`,
    )
  }
  // It is changed at the end, when everything else is locked that comes behind it.
  await work.lockAll([{ type: feeSchedule, name: schedule.name }])
  const [state] = await work.tx.query<{ status: string | null }>(sql`
    select fee_creation_status as status from fee_schedules
     where tenant_id = ${work.tx.tenantId} and name = ${schedule.name}`)
  if (state?.status === 'Successful') {
    throw new FeesElsewhere(
      'ValidationError',
      `The fees of ${schedule.name} were made already. Cancel it and amend it to ask again.`,
    )
  }
  // A schedule of an earlier version may not say its program, which is that of its structure.
  const program = schedule.program || ((await work.linked(feeStructure, schedule.fee_structure))?.program ?? null)
  const charged = await chargedByGroups(work, { ...schedule, program })
  if (charged.length > 0) return charged
  throw new RecordError(
    'ValidationError',
    'No student of the groups has a submitted enrollment that the schedule charges. Set up the students first.',
  )
}

/** Both fields that tell where the fees are, the one of old clients and the one of new ones. */
const both = (state: 'In Process' | 'Failed') => ({ fee_creation_status: state, status: state })

/**
 * Makes some fees, whose statements follow each other on the connection without waiting for answers. All of them have come to
 * their end when it throws what one was refused for, so that nothing is sent behind the transaction.
 */
async function makeFees(work: RecordWork, schedule: Schedule, charged: readonly ChargedStudent[]): Promise<void> {
  const made = await Promise.allSettled(charged.map((student) => work.insert(fees, feeFrom(schedule, student))))
  const rejected = made.find((each) => each.status === 'rejected')
  if (rejected !== undefined) throw rejected.reason
}

/** Notes may come late, so that the progress only goes forward, or back to the beginning. */
function progressStatement(tenantId: string, schedule: Schedule, done: number): Sql {
  return sql`
    update fee_schedule_progress p set done = ${done}, updated_at = current_stamp()
      from fee_schedules s
     where p.tenant_id = ${tenantId} and s.tenant_id = p.tenant_id and s.id = p.fee_schedule_id
       and s.name = ${schedule.name} and (p.done < ${done} or ${done} = 0)`
}

/** How far the fees of a schedule are made. */
export async function feeProgress(work: RecordWork, schedule: Schedule): Promise<object> {
  const [row] = await work.tx.query<{ done: number; total: number }>(sql`
    select p.done, p.total from fee_schedule_progress p
      join fee_schedules s on s.tenant_id = p.tenant_id and s.id = p.fee_schedule_id
     where s.tenant_id = ${work.tx.tenantId} and s.name = ${schedule.name}`)
  const { fee_creation_status: status, error_log } = schedule
  return { done: row?.done ?? 0, total: row?.total ?? 0, fee_creation_status: status, error_log }
}
