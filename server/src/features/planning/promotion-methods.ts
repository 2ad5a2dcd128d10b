import { enrollmentHistory, programEnrollment, studentPromotion } from '@matricula/contract/record-types'
import { type RecordEngine, RecordError } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { type BulkRunner, runInJob } from '../bulk-jobs/index.ts'
import { previewPromotion } from './student-promotion.ts'

const rights = [
  { type: studentPromotion, right: 'write' },
  { type: programEnrollment, right: 'create' },
  { type: programEnrollment, right: 'submit' },
  { type: enrollmentHistory, right: 'write' },
] as const
const parameters = { promotion: { type: 'string', required: true, about: 'The name of a Student Promotion.' } } as const
const state = { type: 'object', description: '`promotion`, `status`, `done`, `total` and `error_log`.' } as const
const path = 'education.education.api'

const getState = ({ name, status, done, total, error_log }: Awaited<ReturnType<typeof load>>) => ({
  promotion: name,
  status,
  done,
  total,
  error_log,
})

const load = (engine: RecordEngine, name: string) => engine.get(studentPromotion, name)

/** The methods of promotions; they are done by a job, which a runner wakes. */
export const promotionMethods = (runner: Pick<BulkRunner, 'wakeSoon'>): readonly RecordMethod[] => {
  /** Queues a method once: who asks again gets the state of the first. */
  const queue = async (
    engine: RecordEngine,
    name: string,
    { method, from, to, over }: { method: string; from: readonly string[]; to: string; over: readonly string[] },
  ) => {
    let isQueued = false
    const promotion = await load(engine, name)
    await engine.lockAll([{ type: studentPromotion, name: promotion.name }])
    const { status } = await load(engine, promotion.name)
    if (from.includes(status ?? '')) {
      isQueued = true
      await engine.put(studentPromotion, promotion.name, { status: to, error_log: null })
    } else if (!over.includes(status ?? '')) {
      throw new RecordError(
        'ValidationError',
        `The promotion ${promotion.name} is ${status?.toLowerCase()}. Wait for it.`,
      )
    }
    if (isQueued) {
      await runInJob(engine.tx, engine.caller, { type: studentPromotion.name, name: promotion.name, method }, runner)
    }
    return getState(await load(engine, promotion.name))
  }
  return [
    recordMethod({
      path: `${path}.preview_promotion`,
      rights,
      summary: 'What a promotion would do with each student, and whom it refuses and why. Nothing is changed.',
      verbs: ['POST', 'PUT'],
      takesLong: true,
      result: {
        type: 'object',
        description:
          '`students` with `student`, `student_name`, `decision`, `outcome` and `message`; `total`, `refused`.',
      },
      parameters,
      run: async (engine, { promotion }) => {
        const rows = await previewPromotion(await load(engine, promotion), engine)
        const students = rows.map(({ student, student_name, decision, outcome, message }) => ({
          ...{ student, student_name, decision, outcome, message },
        }))
        const refused = rows.filter(({ outcome }) => outcome === 'Refused').length
        return { students, total: rows.length, refused }
      },
    }),
    recordMethod({
      path: `${path}.start_promotion`,
      rights,
      summary:
        'Promotes all students of a promotion in one job, or none where one is refused; once, however often called.',
      verbs: ['POST', 'PUT'],
      result: state,
      parameters,
      run: (engine, { promotion }) =>
        queue(engine, promotion, {
          ...{ method: 'run_promotion', from: ['Draft', 'Failed', 'Undone'], to: 'Queued' },
          over: ['Queued', 'Completed'],
        }),
    }),
    recordMethod({
      path: `${path}.undo_promotion`,
      rights: [...rights, { type: programEnrollment, right: 'cancel' }, { type: programEnrollment, right: 'delete' }],
      summary: 'Takes back all that a promotion did, or nothing where something was changed since.',
      verbs: ['POST', 'PUT'],
      result: state,
      parameters,
      run: (engine, { promotion }) =>
        queue(engine, promotion, {
          ...{ method: 'undo_promotion', from: ['Completed'], to: 'Undo Queued' },
          over: ['Undo Queued', 'Undone'],
        }),
    }),
    recordMethod({
      path: `${path}.get_promotion_progress`,
      rights: [{ type: studentPromotion, right: 'read' }],
      summary: 'How far a promotion is.',
      result: state,
      parameters,
      run: async (engine, { promotion }) => getState(await load(engine, promotion)),
    }),
  ]
}
