import type { Scope } from '../access.ts'
import { type OperationGroup, operation, pagedQuery } from '../operation.ts'
import { described, ExternalId, nullable, record, Stamp, Uuid } from '../schema.ts'

/** For how many days a record that is gone stays in the list of those. */
export const deletedRecordDays = 400

export const DeletedRecord = record(
  'DeletedRecord',
  'A record that is gone.',
  {
    id: described(Uuid, 'The id that the record had. A record that is made again gets another one.'),
    externalId: nullable(ExternalId),
    deletedAt: described(Stamp, 'When it was deleted. RFC 3339, UTC, milliseconds.'),
    mergedInto: nullable(described(Uuid, 'Id of the record that it was merged into; null where it was deleted.')),
  },
  {
    id: '01985b2e-5a00-7000-8000-0000000000e1',
    externalId: '604822',
    deletedAt: '2026-02-03T10:15:00.000Z',
    mergedInto: '01985b2e-5a00-7000-8000-000000000001',
  },
)

/** The operation that lists the records of a resource that are gone, below the path of its list. */
export function deletedRecordsOperation<
  const Group extends OperationGroup,
  const Path extends string,
  const Read extends Scope,
>(group: Group, path: Path, scope: Read, nouns: string) {
  return operation(group, {
    method: 'GET',
    path: `${path}/deleted` as `${Path}/deleted`,
    scope,
    idempotency: 'none',
    summary: `List deleted ${nouns}`,
    description: `The ${nouns} that were deleted, or merged into others, within ${deletedRecordDays} days, oldest first. Sweep it with the same watermark as the list of what is there: together they leave nothing out. Walk both by \`cursor\`, because pages by number move when a record goes.`,
    query: pagedQuery({}, 'deletedAt'),
    shape: 'page',
    record: DeletedRecord,
    status: 200,
    errors: [],
    events: [],
  } as const)
}
