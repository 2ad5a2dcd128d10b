import { Type } from 'typebox'
import { fileErrorCodes, importKinds } from '../imports/import-kinds.ts'
import { importMapping } from '../imports/import-mapping.ts'
import { importRoles } from '../imports/import-rights.ts'
import { operation } from '../operation.ts'
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

/** Bounds of imports in the console. */
export const importBounds = { fileBytes: 25 * 1024 * 1024, keptDays: 7, columns: 300 } as const

/** Where an import stands. */
export const importStatuses = [
  'uploaded',
  'checking',
  'checked',
  'importing',
  'imported',
  'undoing',
  'undone',
  'failed',
] as const

/** The media types by which a file of rows is uploaded. */
export const importMediaTypes = [
  'application/octet-stream',
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/x-ndjson',
] as const

const ImportColumn = Type.Object(
  {
    heading: label('The heading, as the file has it.'),
    field: nullable(label('The field that it stands for; null where that is not known.')),
    isGuess: flag('Whether the field is a guess from a common heading, and stands in no table of headings.'),
    samples: listOf(label('A value.'), 'What the first rows have there, at most three.'),
  },
  { additionalProperties: false, description: 'A column of the file.' },
)

const ImportFieldName = Type.Object(
  {
    name: label('Name of the field.'),
    titles: listOf(label('A title.'), 'Its titles in English, Spanish and Portuguese; empty where it has none.'),
  },
  { additionalProperties: false, description: 'A field that a column may stand for.' },
)

const ImportFault = Type.Object(
  {
    file: label('Name of the file.'),
    sheet: nullable(label('The sheet of a workbook; null for other files.')),
    line: nullable(count('Where the record starts, from 1; null for the file as a whole.')),
    column: nullable(count('The column, from 1; null for the record as a whole.')),
    heading: nullable(label('The heading of the column.')),
    code: label(`A code of validation, or one of ${fileErrorCodes.map((code) => `\`${code}\``).join(', ')}.`),
    detail: label('What is wrong.'),
    remedy: label('What to do.'),
  },
  { additionalProperties: false, description: 'What is wrong at one place of the file.' },
)

const ImportReportRecord = Type.Object(
  {
    created: count('Records that are created.'),
    updated: count('Records that are changed.'),
    unchanged: count('Rows that say what their records say already.'),
    refused: count('Rows that are refused.'),
    faults: listOf(ImportFault, 'What is wrong, at most the first hundred.'),
    faultCount: count('How many faults there are.'),
    conflicts: listOf(ImportFault, 'Values that people have corrected, and that therefore stay; the first hundred.'),
    refusal: nullable(
      oneOf(
        ['invalid_file', 'changed_since_check'],
        'Why nothing can be written: faults, or other records than at the last check; null where it can.',
      ),
    ),
    hasRefusedRows: flag('Whether the refused rows can be had as a file.'),
  },
  { additionalProperties: false, description: 'What a check found, or an import did.' },
)

const KeptRecord = Type.Object(
  {
    externalId: nullable(label('Its externalId.')),
    id: described(Uuid, 'Id of the record.'),
    code: label('Why it stays, by code.'),
    detail: label('Why it stays.'),
  },
  { additionalProperties: false, description: 'A record that an undo left as it is.' },
)

export const ImportJob = record(
  'ImportJob',
  'A file that is imported: uploaded, checked, imported, and undone.',
  {
    id: described(Uuid, 'Id of it.'),
    kind: oneOf(importKinds, 'What the rows are.'),
    fileName: label('Name of the file.'),
    sizeBytes: count('Its size.'),
    format: oneOf(['csv', 'xlsx', 'ndjson'], 'What it is.'),
    sheet: nullable(label('The sheet of a workbook; null for other files.')),
    columns: listOf(ImportColumn, 'Its columns, in their order.'),
    fields: listOf(ImportFieldName, 'What a column may stand for.'),
    mapping: freeObject('How its columns are read, as the file of `--map` says it.'),
    status: oneOf(importStatuses, 'Where it stands.'),
    rows: count('How many rows are read so far, or records undone.'),
    report: nullable(ImportReportRecord),
    runId: nullable(described(Uuid, 'Id of the import, once it is done; `matricula import list` shows it too.')),
    undone: nullable(count('How many records were undone.')),
    kept: listOf(KeptRecord, 'Records that an undo left as they are, at most the first hundred.'),
    keptCount: count('How many records an undo left as they are.'),
    error: nullable(label('Why it failed; null where it did not.')),
    by: label('The user who uploaded it.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    finishedAt: nullable(described(Stamp, 'When it was imported. RFC 3339, UTC, milliseconds.')),
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000c01',
    kind: 'students',
    fileName: 'students.csv',
    sizeBytes: 2048,
    format: 'csv',
    sheet: null,
    columns: [{ heading: 'Student no', field: 'externalId', isGuess: true, samples: ['R-1', 'R-2'] }],
    fields: [{ name: 'externalId', titles: ['External ID', 'Identificador externo', 'Código externo'] }],
    mapping: { columns: { 'Student no': 'externalId' } },
    status: 'checked',
    rows: 960,
    report: {
      created: 960,
      updated: 0,
      unchanged: 0,
      refused: 0,
      faults: [],
      faultCount: 0,
      conflicts: [],
      refusal: null,
      hasRefusedRows: false,
    },
    runId: null,
    undone: null,
    kept: [],
    keptCount: 0,
    error: null,
    by: 'registrar@grand-bend.example',
    createdAt: '2026-02-01T08:00:00.000Z',
    updatedAt: '2026-02-01T08:00:12.000Z',
    finishedAt: null,
  },
)

const CheckBody = body(
  'CheckImportBody',
  'How the columns are read.',
  { mapping: optional(Type.Unsafe<Json>({ ...importMapping, description: 'The map; the guessed one without it.' })) },
  null,
  { mapping: { columns: { 'Student no': 'externalId' }, dates: 'dmy', ignore: ['Remarks'] } },
)

const CommitBody = body(
  'CommitImportBody',
  'What the check said.',
  {
    created: count('How many records the check said are created.'),
    updated: count('How many it said are changed.'),
    skipFaulty: optional(flag('Whether the sound rows are imported where others are refused.')),
  },
  null,
  { created: 960, updated: 0 },
)

const group = { tag: 'Imports', modules: [], domain: null } as const
const roles = importRoles
const oneImport = { scope: null, roles, shape: 'record', record: ImportJob, events: [] } as const

export const importOperations = {
  uploadImport: operation(group, {
    ...oneImport,
    method: 'POST',
    path: '/imports',
    idempotency: 'natural',
    summary: 'Upload a file to import',
    description: `The body is the file: CSV, .xlsx or NDJSON. Nothing is imported: its columns are read, and what they stand for is guessed. The same file again, before it was imported, gives the import that is there (200). Files are kept ${importBounds.keptDays} days. It takes the rights to create and change such records.`,
    query: Type.Object(
      {
        kind: oneOf(importKinds, 'What the rows are.'),
        fileName: text('Name of the file.', 255, 1),
      },
      { additionalProperties: false },
    ),
    file: {
      types: importMediaTypes,
      maxBytes: importBounds.fileBytes,
      description: 'The file, at most 25 MiB; larger ones are imported by the command line.',
    },
    status: 200,
    mayCreate: true,
    location: '/imports/{id}',
    errors: ['system_of_record_elsewhere', 'file_rejected'],
  }),
  listImports: operation(group, {
    method: 'GET',
    path: '/imports',
    scope: null,
    roles,
    idempotency: 'none',
    summary: 'List imports',
    description: 'One’s own, the newest first, at most a hundred; of everybody for a System Manager.',
    shape: 'list',
    record: ImportJob,
    status: 200,
    errors: [],
    events: [],
  }),
  getImport: operation(group, {
    ...oneImport,
    method: 'GET',
    path: '/imports/{id}',
    idempotency: 'none',
    summary: 'Read how far an import is',
    status: 200,
    errors: [],
  }),
  checkImport: operation(group, {
    ...oneImport,
    method: 'POST',
    path: '/imports/{id}/check',
    idempotency: 'natural',
    summary: 'Check an import without writing anything (dry run)',
    description:
      'Begins the import and rolls it back, in the background: what `report` says then is what the import will do.',
    body: CheckBody,
    bodyRequired: false,
    status: 200,
    errors: ['system_of_record_elsewhere', 'state_conflict'],
  }),
  commitImport: operation(group, {
    ...oneImport,
    method: 'POST',
    path: '/imports/{id}/commit',
    idempotency: 'natural',
    summary: 'Import what was checked',
    description:
      'Does exactly what the check said, in the background and in one transaction. Where records have changed since, so that it would do something else, nothing is written, and `report` says what it would do now.',
    body: CommitBody,
    status: 200,
    errors: ['system_of_record_elsewhere', 'state_conflict'],
  }),
  undoImport: operation(group, {
    ...oneImport,
    method: 'POST',
    path: '/imports/{id}/undo',
    idempotency: 'natural',
    summary: 'Undo an import',
    description:
      'Takes back what it created or changed, in the background, record by record. One that changed since, or that another record needs, stays, and is listed under `kept`. It takes the right to delete such records too.',
    status: 200,
    errors: ['system_of_record_elsewhere', 'state_conflict'],
  }),
  readRefusedRows: operation(group, {
    ...oneImport,
    method: 'GET',
    path: '/imports/{id}/refused-rows',
    idempotency: 'none',
    summary: 'Download the rows that were refused',
    description:
      'The file has the form and the headings of the one that was uploaded, and a column `faults`. Corrected, it is uploaded as it is.',
    media: { types: ['application/octet-stream'], isDefault: true },
    status: 200,
    errors: [],
  }),
}
