import { Type } from 'typebox'
import { operation, pageBounds } from '../operation.ts'
import {
  body,
  CreatedAt,
  count,
  described,
  flag,
  freeObject,
  type Json,
  label,
  listOf,
  nullable,
  oneOf,
  optional,
  record,
  Stamp,
  text,
  UpdatedAt,
  Uuid,
} from '../schema.ts'

/** What can be done with many records at once. */
export const bulkActions = ['update', 'submit', 'cancel', 'delete'] as const
const statuses = ['queued', 'running', 'done', 'cancelled'] as const

/** Bounds of what is done at once. */
export const bulkBounds = { records: 50_000, fields: 50, keptDays: 30 } as const

export const BulkFilters = Type.Unsafe<Json[]>({
  type: 'array',
  maxItems: 100,
  items: { type: 'array', description: 'A field, an operator and a value.' },
  description: 'Filters as lists of the Resource API take them: all records that meet them are meant, of every page.',
})

export const BulkAnyFilters = Type.Unsafe<Json[]>({
  type: 'array',
  maxItems: 100,
  items: { type: 'array', description: 'A field, an operator and a value; or such filters, of which one must hold.' },
  description:
    'Beside `filters`, as lists take them as `or_filters`: one of them must hold, of several lists one of each.',
})

const selection = {
  type: text('The record type.', 140, 1),
  action: oneOf(bulkActions, 'What is done with each of them.'),
  names: optional(
    Type.Unsafe<string[]>({
      type: 'array',
      maxItems: bulkBounds.records,
      items: { type: 'string', minLength: 1, maxLength: 140 },
      description: 'The names of the records, instead of filters.',
    }),
  ),
  filters: optional(BulkFilters),
  orFilters: optional(BulkAnyFilters),
  changes: optional(
    freeObject('The fields to change, for `update`: null clears one, and what is left out stays as it is.'),
  ),
}

const example = {
  type: 'Student',
  action: 'update' as const,
  filters: [['enabled', '=', 1]],
  changes: { nationality: 'Colombia' },
}

const PreviewBody = body('BulkPreviewBody', 'What would be done with which records.', selection, null, example)

const CreateBody = body(
  'CreateBulkJobBody',
  'What is to be done with which records.',
  {
    ...selection,
    expectedTotal: optional(count('The number of records in the preview: where it has changed, nothing is done.')),
  },
  null,
  { ...example, expectedTotal: 1000 },
)

export const BulkPreview = record(
  'BulkPreview',
  'What would be done, without doing it.',
  {
    type: label('The record type.'),
    action: oneOf(bulkActions, 'What would be done with each record.'),
    total: count('With how many records, exactly.'),
    first: listOf(label('Name of a record.'), 'Some of them.'),
  },
  { type: 'Student', action: 'update', total: 1000, first: ['EDU-STU-2026-00001', 'EDU-STU-2026-00002'] },
)

export const BulkJob = record(
  'BulkJob',
  'An action on many records, each in a change of its own, with the rights of the user who started it.',
  {
    id: described(Uuid, 'Id of it, and of the request that the audit and the events of its changes name.'),
    type: label('The record type.'),
    action: oneOf(
      [...bulkActions, 'undo', 'ask', 'run'],
      'What is done with each record; `ask` asks its family for documents, `run` runs a method of it.',
    ),
    changes: freeObject(
      'The fields that are changed; what is asked for, for `ask`; the `method`, for `run`; empty for everything else.',
    ),
    status: oneOf(statuses, 'Where it stands.'),
    total: count('How many records it is about.'),
    done: count('How many are done.'),
    refused: count('The number of rejected records; `faults` has the reasons.'),
    undoes: nullable(described(Uuid, 'Id of the job that it undoes; null where it undoes none.')),
    canUndo: flag('Whether it can be undone: it changed fields, is over, and was not undone yet.'),
    by: label('The user who asked for it.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    finishedAt: nullable(described(Stamp, 'When it was over; null until then. RFC 3339, UTC, milliseconds.')),
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000b01',
    type: 'Student',
    action: 'update',
    changes: { nationality: 'Colombia' },
    status: 'running',
    total: 1000,
    done: 420,
    refused: 1,
    undoes: null,
    canUndo: false,
    by: 'registrar@grand-bend.example',
    createdAt: '2026-02-01T08:00:00.000Z',
    updatedAt: '2026-02-01T08:00:12.000Z',
    finishedAt: null,
  },
)

export const BulkFault = record(
  'BulkFault',
  'Why a record was rejected.',
  {
    name: label('Name of the record.'),
    code: label('The class of the refusal, as the Resource API has it.'),
    detail: label('The error as text.'),
  },
  { name: 'EDU-STU-2026-00042', code: 'ValidationError', detail: 'The Date of Birth cannot be later than today.' },
)

export const BulkChange = record(
  'BulkChange',
  'A record that a bulk job changed.',
  { name: label('Name of the record.') },
  { name: 'EDU-STU-2026-00001' },
)

const pageQuery = Type.Object(
  {
    limit: optional(
      Type.Unsafe<number>({ type: 'integer', ...pageBounds.limit, description: 'Records of one answer.' }),
    ),
    cursor: optional(text('`*` or nothing first, then each answer’s Next-Cursor.', 200, 1)),
  },
  { additionalProperties: false },
)

const group = { tag: 'Bulk jobs', modules: [], domain: null } as const
const answered = { shape: 'record', record: BulkJob, events: [] } as const

export const bulkOperations = {
  previewBulkJob: operation(group, {
    method: 'POST',
    path: '/bulk-jobs/preview',
    scope: null,
    idempotency: 'natural',
    summary: 'Tell with how many records something would be done',
    description: 'Nothing is changed. The number is exact, and can be sent as `expectedTotal` with the job.',
    body: PreviewBody,
    shape: 'record',
    record: BulkPreview,
    status: 200,
    errors: ['insufficient_role', 'resource_not_found'],
    events: [],
  }),
  createBulkJob: operation(group, {
    method: 'POST',
    path: '/bulk-jobs',
    scope: null,
    idempotency: 'required',
    summary: 'Do something with many records',
    description: `Names the records, or filters that they meet now: at most ${bulkBounds.records}. They are changed one after the other in the background, each in a transaction of its own with its own audit and event, also where the service is killed meanwhile. One that is refused keeps no other from being changed.`,
    body: CreateBody,
    ...answered,
    status: 201,
    location: '/bulk-jobs/{id}',
    errors: ['insufficient_role', 'resource_not_found', 'rule_violated', 'state_conflict'],
  }),
  listBulkJobs: operation(group, {
    method: 'GET',
    path: '/bulk-jobs',
    scope: null,
    idempotency: 'none',
    summary: 'List bulk jobs',
    description: `One’s own, the newest first; of everybody for a System Manager. They are kept ${bulkBounds.keptDays} days.`,
    shape: 'list',
    record: BulkJob,
    status: 200,
    errors: [],
    events: [],
  }),
  getBulkJob: operation(group, {
    method: 'GET',
    path: '/bulk-jobs/{id}',
    scope: null,
    idempotency: 'none',
    summary: 'Read how far a bulk job is',
    ...answered,
    status: 200,
    errors: [],
  }),
  listBulkFaults: operation(group, {
    method: 'GET',
    path: '/bulk-jobs/{id}/faults',
    scope: null,
    idempotency: 'none',
    summary: 'List the records that a bulk job could not change',
    query: pageQuery,
    shape: 'walk',
    record: BulkFault,
    status: 200,
    errors: [],
    events: [],
  }),
  listBulkChanges: operation(group, {
    method: 'GET',
    path: '/bulk-jobs/{id}/changes',
    scope: null,
    idempotency: 'none',
    summary: 'List the records that a bulk job changed',
    description: 'By name, in the order in which they were changed; of a job that deletes, the names that there were.',
    query: pageQuery,
    shape: 'walk',
    record: BulkChange,
    status: 200,
    errors: [],
    events: [],
  }),
  cancelBulkJob: operation(group, {
    method: 'POST',
    path: '/bulk-jobs/{id}/cancel',
    scope: null,
    idempotency: 'natural',
    summary: 'Cancel a bulk job',
    description: 'What is done stays done, and nothing further is. One that is over stays as it is.',
    ...answered,
    status: 200,
    errors: [],
  }),
  undoBulkJob: operation(group, {
    method: 'POST',
    path: '/bulk-jobs/{id}/undo',
    scope: null,
    idempotency: 'required',
    summary: 'Undo a bulk job',
    description:
      'Makes a job that gives each changed field its value from before. A record that was changed since is rejected and stays as it is. What was submitted, cancelled or deleted is not undone.',
    ...answered,
    status: 201,
    location: '/bulk-jobs/{id}',
    errors: ['state_conflict'],
  }),
}
