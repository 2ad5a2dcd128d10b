import { rollCallOperations } from '@matricula/contract'
import type { RequestContext } from '../../../changes/index.ts'
import type { Transaction } from '../../../database/index.ts'
import { implement, type Route } from '../../../http/index.ts'
import { asProblem, getCaller, RecordEngine, type RecordRegistry } from '../../../record-engine/index.ts'
import { callRoll } from './call-roll.ts'
import { findRoll, readRoll } from './roll.ts'
import { readRollsOfDay } from './rolls-of-day.ts'

/** The operations of roll calls in the console. */
export function rollCallRoutes(registry: RecordRegistry): Route[] {
  const withRecords = async <Result>(
    tx: Transaction,
    context: RequestContext,
    work: (engine: RecordEngine) => Promise<Result>,
  ) => {
    const record = await asProblem('roll', () => work(new RecordEngine(tx, getCaller(context), registry)))
    return { record, entityTag: null }
  }
  return implement(rollCallOperations, {
    listRollCalls: (database, { context, query: { date, only = null } }) =>
      database.transaction(context.tenant.id, (tx) =>
        withRecords(tx, context, (engine) => readRollsOfDay(engine, { date: date ?? engine.today, only })),
      ),
    readRollCall: (database, { context, params: { of, date } }) =>
      database.transaction(context.tenant.id, (tx) =>
        withRecords(tx, context, async (engine) => readRoll(engine, await findRoll(engine, of, date))),
      ),
    callRoll: (tx, { context, params: { of, date }, body }) =>
      withRecords(tx, context, async (engine) => callRoll(engine, await findRoll(engine, of, date), body.students)),
  })
}
