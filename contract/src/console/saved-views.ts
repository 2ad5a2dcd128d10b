import { Type } from 'typebox'
import { operation } from '../operation.ts'
import {
  allOptional,
  body,
  CreatedAt,
  flag,
  freeObject,
  label,
  nullable,
  oneOf,
  optional,
  record,
  text,
  UpdatedAt,
  Uuid,
} from '../schema.ts'

/** Whose a view is. */
export const viewAudiences = ['mine', 'role', 'everybody'] as const

/** Bounds of what people save for themselves. */
export const savedViewBounds = { views: 200, settingsBytes: 16_384 } as const

const settings = freeObject(
  `What the list is shown with, such as filters, columns, order and layout; at most ${savedViewBounds.settingsBytes} bytes of JSON.`,
)

const SavedViewFields = {
  title: text('What it is called.', 140, 1),
  audience: oneOf(viewAudiences, 'Whose it is: the one who made it, everybody with a role, or all of the staff.'),
  role: nullable(text('The role, where the audience is one.', 140, 1)),
  settings,
}

export const SavedView = record(
  'SavedView',
  'A saved view of a list.',
  {
    id: Uuid,
    list: label('Which list it is of: a record type, or a name of the console’s own.'),
    ...SavedViewFields,
    owner: label('The user who made it.'),
    mayChange: flag('Whether the caller may change and remove it.'),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  {
    id: '01985b2e-5a00-7000-8000-0000000000b1',
    list: 'Student',
    title: 'New this year',
    audience: 'role',
    role: 'Academics User',
    settings: {
      filters: [['joining_date', '>=', '2026-08-01']],
      columns: ['student_name', 'program'],
      order: 'student_name',
    },
    owner: 'registrar@grand-bend.example',
    mayChange: true,
    createdAt: '2026-02-01T08:00:00.000Z',
    updatedAt: '2026-02-01T08:00:00.000Z',
  },
)

const CreateSavedViewBody = body(
  'CreateSavedViewBody',
  'A way in which a list is shown.',
  {
    list: text('Which list it is of: a record type, or a name of the console’s own.', 140, 1),
    title: SavedViewFields.title,
    settings,
    ...allOptional({ audience: SavedViewFields.audience, role: SavedViewFields.role }),
  },
  null,
  { list: 'Student', title: 'New this year', settings: { order: 'student_name' }, audience: 'mine' },
)

const UpdateSavedViewBody = body(
  'UpdateSavedViewBody',
  'Fields of a view. An absent field stays as it is.',
  allOptional(SavedViewFields),
  null,
  { title: 'New since August' },
)

const group = { tag: 'Saved views', modules: [], domain: null } as const

export const savedViewOperations = {
  listSavedViews: operation(group, {
    method: 'GET',
    path: '/saved-views',
    scope: null,
    idempotency: 'none',
    summary: 'List saved views',
    description: 'Those of the caller, of the caller’s roles and of everybody, by their titles.',
    query: Type.Object({ list: optional(text('Only those of this list.', 140, 1)) }, { additionalProperties: false }),
    shape: 'list',
    record: SavedView,
    status: 200,
    errors: [],
    events: [],
  }),
  createSavedView: operation(group, {
    method: 'POST',
    path: '/saved-views',
    scope: null,
    idempotency: 'required',
    summary: 'Save a view',
    description:
      'For oneself, for everybody with a role that one has, or, as a System Manager, for any role and for all of the staff.',
    body: CreateSavedViewBody,
    shape: 'record',
    record: SavedView,
    status: 201,
    location: '/saved-views/{id}',
    hasEntityTag: true,
    errors: ['rule_violated', 'insufficient_role'],
    events: [],
  }),
  updateSavedView: operation(group, {
    method: 'PATCH',
    path: '/saved-views/{id}',
    scope: null,
    idempotency: 'natural',
    summary: 'Change a saved view',
    description:
      'By whoever made it, or by a System Manager. What is left out stays; `settings` are replaced as a whole.',
    body: UpdateSavedViewBody,
    shape: 'record',
    record: SavedView,
    status: 200,
    hasEntityTag: true,
    errors: ['rule_violated', 'insufficient_role'],
    events: [],
  }),
  deleteSavedView: operation(group, {
    method: 'DELETE',
    path: '/saved-views/{id}',
    scope: null,
    idempotency: 'natural',
    summary: 'Remove a saved view',
    shape: 'record',
    record: SavedView,
    status: 204,
    errors: ['insufficient_role'],
    events: [],
  }),
}
