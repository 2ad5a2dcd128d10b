import { Type } from 'typebox'
import { domains, requestsPerMinute, scopes } from '../access.ts'
import { type OperationGroup, operation } from '../operation.ts'
import {
  body,
  count,
  described,
  flag,
  label,
  listOf,
  nullable,
  oneOf,
  optional,
  record,
  Stamp,
  text,
  Uuid,
} from '../schema.ts'

const group: OperationGroup = { tag: 'Administration', modules: [], domain: null }
const roles = ['System Manager'] as const

/** Bounds of what administrators are shown: users of one answer, and hours for which two secrets of a token are valid. */
export const administrationBounds = { users: 200, overlapHours: 168 } as const

/** Somebody who logs in, as administrators see them. */
export const StaffUser = record(
  'StaffUser',
  'Somebody who logs in, as administrators see them.',
  {
    id: Uuid,
    email: label('The address that is logged in with.'),
    fullName: label('Full name.'),
    enabled: flag('Whether the log-in is open.'),
    isStaff: flag('Whether a role opens the console.'),
    roles: listOf(label('A role.'), 'The roles.'),
    hasPassword: flag('Whether a password was set.'),
    lastLogIn: nullable(described(Stamp, 'The last log-in.')),
    sessions: count('Open sessions.'),
    isLocked: flag('Whether log-ins pause, because passwords were tried too often.'),
  },
  {
    id: '01985b2e-5a00-7000-8000-000000000801',
    email: 'registrar@school.example',
    fullName: 'Grace Hopper',
    enabled: true,
    isStaff: true,
    roles: ['Academics User'],
    hasPassword: true,
    lastLogIn: '2026-09-14T07:55:00.000Z',
    sessions: 1,
    isLocked: false,
  },
)

const InviteUserBody = body(
  'InviteUserBody',
  'Somebody who is invited to log in.',
  {
    email: text('The address that is logged in with.', 140, 3),
    name: text('Full name.', 140, 1),
    roles: listOf(text('A role.', 140, 1), 'The roles, which may be none.'),
  },
  null,
  { email: 'registrar@school.example', name: 'Grace Hopper', roles: ['Academics User'] },
)

const UpdateUserBody = body(
  'UpdateStaffUserBody',
  'Whether the log-in is open.',
  { enabled: flag('Open or not.') },
  null,
  {
    enabled: false,
  },
)

const user = { shape: 'record', record: StaffUser, status: 200, idempotency: 'none', events: [] } as const

const TokenSecret = Type.Object(
  {
    lastFour: label('Its last four characters.'),
    createdAt: described(Stamp, 'When it was made.'),
    expiresAt: nullable(described(Stamp, 'Until when it is valid; null: without an end.')),
    lastUsedAt: nullable(described(Stamp, 'When it was used last, to the hour.')),
  },
  { additionalProperties: false, description: 'A secret, which is shown once and never again.' },
)

const tokenMembers = {
  id: Uuid,
  name: label('What it is for.'),
  scopes: listOf(oneOf(scopes, 'A scope.'), 'What it may do.'),
  masterDomains: listOf(oneOf(domains, 'A domain.'), 'The domains that it may write.'),
  requestsPerMinute: count('Its quota.'),
  createdAt: described(Stamp, 'When it was made.'),
  revokedAt: nullable(described(Stamp, 'When it was revoked.')),
  secrets: listOf(TokenSecret, 'Its secrets.'),
}

const tokenExample = {
  id: '01985b2e-5a00-7000-8000-000000000901',
  name: 'ERP sync',
  scopes: ['students:read' as const],
  masterDomains: [],
  requestsPerMinute: 600,
  createdAt: '2026-09-01T08:00:00.000Z',
  revokedAt: null,
  secrets: [{ lastFour: 'x7Qa', createdAt: '2026-09-01T08:00:00.000Z', expiresAt: null, lastUsedAt: null }],
}

/** A token of the Client API. */
export const ApiToken = record('ApiToken', 'A token of the Client API.', tokenMembers, tokenExample)

/** A token with its new secret. */
export const NewApiToken = record(
  'NewApiToken',
  'A token with its new secret, which is in no other answer.',
  { ...tokenMembers, secret: label('The secret. It is shown only now.') },
  { ...tokenExample, secret: 'mtk_…' },
)

const CreateApiTokenBody = body(
  'CreateApiTokenBody',
  'A new token.',
  {
    name: text('What it is for, such as "ERP sync".', 140, 1),
    scopes: listOf(oneOf(scopes, 'A scope.'), 'What it may do.'),
    masterDomains: optional(listOf(oneOf(domains, 'A domain.'), 'The domains that it may write; none by default.')),
    requestsPerMinute: optional(
      Type.Unsafe<number>({ type: 'integer', ...requestsPerMinute, description: 'Its quota.' }),
    ),
    expiresInDays: optional(
      nullable(
        Type.Unsafe<number>({
          type: 'integer',
          minimum: 1,
          maximum: 3650,
          description: 'After how many days it ends.',
        }),
      ),
    ),
  },
  null,
  { name: 'ERP sync', scopes: ['students:read'] },
)

const RotateApiTokenBody = body(
  'RotateApiTokenBody',
  'For how long the former secret stays valid.',
  {
    overlapHours: optional(
      Type.Unsafe<number>({
        type: 'integer',
        minimum: 0,
        maximum: administrationBounds.overlapHours,
        description: 'Hours; 24 by default.',
      }),
    ),
  },
  null,
)

const FailingJob = Type.Object(
  {
    job: label('Name of the job.'),
    since: described(Stamp, 'Since when it fails.'),
    code: nullable(label('What it fails of: the code of the error.')),
  },
  { additionalProperties: false, description: 'A job that fails for this institution.' },
)

/** How the service fares, as far as it is about this institution. */
export const ServiceState = record(
  'ServiceState',
  'How the service fares, as far as it is about this institution: what `matricula doctor` says of mails, jobs, backups and webhooks.',
  {
    mails: Type.Object(
      {
        areSent: flag('Whether the service sends mails at all.'),
        waiting: count('Mails that wait to be sent.'),
        oldestDueAt: nullable(described(Stamp, 'Since when the oldest of them is due.')),
        givenUp: count('Mails that were given up within a week.'),
      },
      { additionalProperties: false, description: 'Mails.' },
    ),
    jobs: Type.Object(
      {
        lastRunAt: nullable(described(Stamp, 'When a job ended last.')),
        failing: listOf(FailingJob, 'Jobs that fail.'),
      },
      { additionalProperties: false, description: 'Jobs.' },
    ),
    backups: Type.Object(
      {
        madeAt: nullable(described(Stamp, 'When the last full backup was made; null: never.')),
        failingSince: nullable(described(Stamp, 'Since when backups fail.')),
      },
      { additionalProperties: false, description: 'Full backups of the service.' },
    ),
    webhooks: Type.Object(
      {
        enabled: count('Endpoints that are delivered to.'),
        disabledByFailures: count('Endpoints that were disabled because deliveries failed.'),
      },
      { additionalProperties: false, description: 'Webhooks.' },
    ),
    readAt: described(Stamp, 'When this was read.'),
  },
  {
    mails: { areSent: true, waiting: 0, oldestDueAt: null, givenUp: 0 },
    jobs: { lastRunAt: '2026-09-14T09:29:30.000Z', failing: [] },
    backups: { madeAt: '2026-09-14T02:00:00.000Z', failingSince: null },
    webhooks: { enabled: 1, disabledByFailures: 0 },
    readAt: '2026-09-14T09:30:00.000Z',
  },
)

export const administrationOperations = {
  listStaffUsers: operation(group, {
    method: 'GET',
    path: '/users',
    scope: null,
    roles,
    idempotency: 'none',
    summary: 'List who logs in',
    description: `Staff, or whoever is found by what is typed; at most ${administrationBounds.users}, by name.`,
    query: Type.Object(
      { q: optional(text('A part of the name or the address; also of people who are no staff.', 200, 1)) },
      { additionalProperties: false },
    ),
    shape: 'list',
    record: StaffUser,
    status: 200,
    errors: [],
    events: [],
  }),
  inviteUser: operation(group, {
    method: 'POST',
    path: '/users',
    scope: null,
    roles,
    idempotency: 'required',
    summary: 'Invite somebody to log in',
    description: 'Makes the user, and mails a link to set a password.',
    body: InviteUserBody,
    shape: 'record',
    record: StaffUser,
    status: 201,
    errors: ['rule_violated', 'state_conflict'],
    events: [],
  }),
  updateStaffUser: operation(group, {
    ...user,
    method: 'PATCH',
    path: '/users/{id}',
    scope: null,
    roles,
    summary: 'Open or close a log-in',
    description: 'A log-in that is closed ends the sessions at once.',
    body: UpdateUserBody,
    errors: ['state_conflict'],
  }),
  mailPasswordLink: operation(group, {
    ...user,
    method: 'POST',
    path: '/users/{id}/password-link',
    scope: null,
    roles,
    summary: 'Mail a link to set a password',
    errors: ['state_conflict'],
  }),
  unlockUser: operation(group, {
    ...user,
    method: 'POST',
    path: '/users/{id}/unlock',
    scope: null,
    roles,
    summary: 'Let somebody log in again at once',
    description: 'Forgets how often passwords of the user were tried.',
    errors: [],
  }),
  endSessionsOfUser: operation(group, {
    ...user,
    method: 'POST',
    path: '/users/{id}/end-sessions',
    scope: null,
    roles,
    summary: 'End all sessions of a user',
    errors: [],
  }),
  listApiTokens: operation(group, {
    method: 'GET',
    path: '/tokens',
    scope: null,
    roles,
    idempotency: 'none',
    summary: 'List tokens of the Client API',
    description: 'With those that were revoked.',
    shape: 'list',
    record: ApiToken,
    status: 200,
    errors: [],
    events: [],
  }),
  createApiToken: operation(group, {
    method: 'POST',
    path: '/tokens',
    scope: null,
    roles,
    // A stored answer would keep the secret.
    idempotency: 'none',
    summary: 'Create a token of the Client API',
    description: 'The secret is in this answer alone.',
    body: CreateApiTokenBody,
    shape: 'record',
    record: NewApiToken,
    status: 201,
    errors: [],
    events: [],
  }),
  rotateApiToken: operation(group, {
    method: 'POST',
    path: '/tokens/{id}/rotate',
    scope: null,
    roles,
    idempotency: 'none',
    summary: 'Give a token a new secret',
    description: 'The former one stays valid for the overlap.',
    body: RotateApiTokenBody,
    bodyRequired: false,
    shape: 'record',
    record: NewApiToken,
    status: 200,
    errors: ['state_conflict'],
    events: [],
  }),
  revokeApiToken: operation(group, {
    method: 'POST',
    path: '/tokens/{id}/revoke',
    scope: null,
    roles,
    idempotency: 'none',
    summary: 'Revoke a token',
    description: 'With all its secrets, in every process within a second.',
    shape: 'record',
    record: ApiToken,
    status: 200,
    errors: [],
    events: [],
  }),
  readServiceState: operation(group, {
    method: 'GET',
    path: '/service-state',
    scope: null,
    roles,
    idempotency: 'none',
    summary: 'Read how the service fares',
    shape: 'record',
    record: ServiceState,
    status: 200,
    errors: [],
    events: [],
  }),
}
