import { toDo } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { createRecord, jsonArgument, type RecordEngine, RecordError } from '../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../resource-api/index.ts'
import { requireAssignable } from './assignees.ts'
import { type AnnotatedRecord, requireAnnotated } from './noted-record.ts'

const path = 'frappe.desk.form.assign_to'
const maxAssignees = 50

const named = { doctype: { type: 'string', required: true }, name: { type: 'string', required: true } } as const
const given = { ...named, assign_to: { type: 'string', required: true, about: 'A user.' } } as const
const result = {
  type: 'array',
  description: 'Whom the record is given to: each with `owner`, the user, and `name`, that of the task.',
} as const

/** Records that are given to users, each by a task (`ToDo`). */
export const assignmentMethods: readonly RecordMethod[] = [
  recordMethod({
    path: `${path}.get`,
    rights: 'of the argument',
    summary: 'Whom a record is given to.',
    parameters: named,
    result,
    run: async (engine, { doctype, name }) =>
      shown(await openTasks(engine, await requireAnnotated(engine, doctype, name))),
  }),
  recordMethod({
    path: `${path}.add`,
    rights: 'of the argument',
    summary: 'Gives a record to users who may read it, each of whom gets a task.',
    verbs: ['POST', 'PUT'],
    parameters: {
      ...named,
      assign_to: { type: 'any', required: true, about: 'A user, or a JSON array of users.' },
      description: { type: 'string' },
      date: { type: 'date', about: 'By when; today where nothing is said.' },
      priority: { type: 'string' },
      assigned_by: { type: 'any', about: 'Passed over: it is the caller who gives.' },
      notify: { type: 'any', about: 'Passed over: nobody is mailed.' },
      assignment_rule: { type: 'any', about: 'Passed over.' },
      re_assign: { type: 'any', about: 'Passed over.' },
    },
    result,
    run: async (engine, { doctype, name, assign_to, description, date, priority }) => {
      const record = await requireAnnotated(engine, doctype, name)
      const assignees = getUsers(assign_to)
      await engine.lockAll([record])
      const holders = new Set((await openTasks(engine, record)).map(({ allocated_to }) => allocated_to))
      const already = assignees.filter((user) => holders.has(user))
      if (holders.size + assignees.length - already.length > maxAssignees) {
        throw new RecordError('ValidationError', `A record is given to at most ${maxAssignees} users at once.`)
      }
      const about = { reference_type: record.type.name, reference_name: record.name }
      for (const allocated_to of assignees) await requireAssignable(engine, { ...about, allocated_to })
      for (const allocated_to of assignees.filter((user) => !holders.has(user))) {
        await createRecord(engine, toDo.name, {
          allocated_to,
          ...about,
          description: description || `Assignment for ${record.type.name} ${record.name}`,
          priority: priority || 'Medium',
          date,
        })
      }
      if (already.length > 0) {
        engine.messages.push({ message: `${record.name} is given to ${already.join(', ')} already.`, alert: true })
      }
      return shown(await openTasks(engine, record))
    },
  }),
  recordMethod({
    path: `${path}.remove`,
    rights: 'of the argument',
    summary: 'Takes a record back from a user.',
    verbs: ['POST', 'PUT', 'DELETE'],
    parameters: given,
    result,
    run: async (engine, { doctype, name, assign_to }) => {
      const record = await requireAnnotated(engine, doctype, name)
      await endTasks(engine, record, assign_to, 'Cancelled')
      return shown(await openTasks(engine, record))
    },
  }),
  recordMethod({
    path: `${path}.close`,
    rights: 'of the argument',
    summary: 'Says that what a record was given to the caller for is done.',
    verbs: ['POST', 'PUT'],
    parameters: given,
    result,
    run: async (engine, { doctype, name, assign_to }) => {
      const record = await requireAnnotated(engine, doctype, name)
      if (getUser(assign_to) !== engine.caller.user) {
        throw new RecordError('PermissionError', 'Only the user whom a record is given to says that it is done.')
      }
      await endTasks(engine, record, assign_to, 'Closed')
      return shown(await openTasks(engine, record))
    },
  }),
]

type Task = Awaited<ReturnType<typeof openTasks>>[number]

/** The tasks of users on a record that are to be done yet, the oldest first. */
export function openTasks(engine: RecordEngine, { type, name }: AnnotatedRecord) {
  return engine.select(
    toDo,
    sql`r.reference_type = ${type.name} and r.reference_name = ${name} and r.allocated_to is not null
        and r.status not in ('Closed', 'Cancelled')`,
    sql`order by r.created_at, r.id`,
  )
}

function shown(tasks: readonly Task[]): object[] {
  return tasks.map(({ allocated_to, name }) => ({ owner: allocated_to, name }))
}

async function endTasks(engine: RecordEngine, record: AnnotatedRecord, user: string, status: string): Promise<void> {
  await engine.lockAll([record])
  for (const { allocated_to, name } of await openTasks(engine, record)) {
    if (allocated_to !== getUser(user)) continue
    await engine.change(toDo, name, (task) => {
      task.status = status
    })
  }
}

/** The user whom a text names: in lower case, as users are named. */
const getUser = (text: string) => text.trim().toLowerCase()

/** The users that are named, each once. */
function getUsers(sent: unknown): string[] {
  const isJson = typeof sent === 'string' && /^\s*[[{"]/.test(sent)
  const read = isJson ? jsonArgument('assign_to', sent) : sent
  const users = Array.isArray(read) ? read : [read]
  if (users.length === 0 || !users.every((user) => typeof user === 'string' && user.trim() !== '')) {
    throw new RecordError('FrappeTypeError', 'The argument assign_to must be a user, or a JSON array of users.')
  }
  if (users.length > maxAssignees) {
    throw new RecordError('ValidationError', `A record is given to at most ${maxAssignees} users at once.`)
  }
  return [...new Set(users.map((user: string) => getUser(user)))]
}
