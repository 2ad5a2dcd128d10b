import { gradeSheetOperations } from '@matricula/contract'
import { assessmentResult } from '@matricula/contract/record-types'
import type { RequestContext } from '../../changes/index.ts'
import type { Transaction } from '../../database/index.ts'
import { implement, type Route } from '../../http/index.ts'
import { asProblem, getCaller, RecordEngine, type RecordRegistry } from '../../record-engine/index.ts'
import { enterCells, loadPlan, readSheet } from './grade-sheet.ts'
import { submitResults } from './result-entry.ts'

/** The operations of grade sheets in the console. */
export function gradeSheetRoutes(registry: RecordRegistry): Route[] {
  const asRecords = <Result>(
    tx: Transaction,
    context: RequestContext,
    work: (engine: RecordEngine) => Promise<Result>,
  ) => asProblem('assessment plan', () => work(new RecordEngine(tx, getCaller(context), registry)))
  return implement(gradeSheetOperations, {
    readGradeSheet: async (database, { context, params }) => ({
      record: await database.transaction(context.tenant.id, (tx) =>
        asRecords(tx, context, async (engine) => readSheet(engine, await loadPlan(engine, params.plan))),
      ),
      entityTag: null,
    }),
    enterScores: async (tx, { context, params, body }) =>
      asRecords(tx, context, async (engine) => {
        const plan = await loadPlan(engine, params.plan)
        return { record: { plan: plan.name, ...(await enterCells(engine, plan, body.cells)) }, entityTag: null }
      }),
    submitScores: async (tx, { context, params }) =>
      asRecords(tx, context, async (engine) => {
        const plan = await loadPlan(engine, params.plan)
        engine.require(assessmentResult, 'submit')
        const submitted = await submitResults(engine, plan.name, plan.student_group ?? '')
        return { record: { plan: plan.name, submitted }, entityTag: null }
      }),
  })
}
