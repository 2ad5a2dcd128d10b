import { type RecordType, recordTypes, type toDo, user } from '@matricula/contract/record-types'
import { findEnabledUser } from '../../identity/users/index.ts'
import {
  type Caller,
  mayDo,
  missingRight,
  RecordError,
  type RecordOf,
  type RecordWork,
  readsOnlyItsOwn,
} from '../../record-engine/index.ts'

/**
 * Checks who gives a record to whom, where a task is given to somebody: both may read the records of its type as staff, and whom it is given to may log in.
 *
 * @throws RecordError `DoesNotExistError` for a user that there is not, `PermissionError` for everything else.
 */
export async function requireAssignable(
  { caller, tx }: RecordWork,
  task: Pick<RecordOf<typeof toDo>, 'allocated_to' | 'reference_type' | 'reference_name'>,
): Promise<void> {
  const type = recordTypes.find(({ name }) => name === task.reference_type) ?? null
  if (!task.allocated_to) return
  if (type !== null && !readsAll(caller, type)) throw missingRight(type, 'read')
  const assignee = await findEnabledUser(tx, task.allocated_to)
  if (assignee === null && (type === null || mayDo(caller, user, 'read'))) {
    throw new RecordError('DoesNotExistError', `There is no user ${task.allocated_to.slice(0, 140)} who may log in.`)
  }
  const roles = assignee?.roles ?? new Set<string>()
  const asAssignee: Caller = { ...caller, kind: 'user', user: task.allocated_to, roles }
  if (type === null || (assignee !== null && readsAll(asAssignee, type))) return
  throw new RecordError(
    'PermissionError',
    `${task.allocated_to} may not read records of the type ${type.name}. Choose somebody else, or grant a role that may.`,
  )
}

function readsAll(caller: Caller, type: RecordType): boolean {
  return mayDo(caller, type, 'read') && !readsOnlyItsOwn(caller, { type })
}
