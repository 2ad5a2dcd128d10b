import { Type } from 'typebox'
import { scopes } from '../access.ts'
import { type OperationGroup, operation } from '../operation.ts'
import { allOptional, body, flag, label, listOf, oneOf, record } from '../schema.ts'

const rights = ['read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend'] as const

const RightsOverType = Type.Object(
  {
    type: label('Name of the record type.'),
    rights: listOf(oneOf(rights, 'A right.'), 'What the role may do with records of it.'),
    taken: listOf(oneOf(rights, 'A right.'), 'What the institution has taken of that.'),
  },
  { additionalProperties: false, description: 'What a role may do with a record type.' },
)

/** What a role may do, and what the institution has taken of it. */
export const AccessRule = record(
  'AccessRule',
  'What a role may do everywhere, and what this institution has taken from it.',
  {
    role: label('Name of the role.'),
    isFixed: flag('Whether nothing can be taken from it: somebody must always be able to give it back.'),
    scopes: listOf(oneOf(scopes, 'A scope.'), 'What it opens below `console/v1`.'),
    takenScopes: listOf(oneOf(scopes, 'A scope.'), 'What the institution has taken of that.'),
    records: listOf(RightsOverType, 'What it may do on the Resource API, by record type.'),
  },
  {
    role: 'Accounts User',
    isFixed: false,
    scopes: ['students:read', 'payments:read', 'payments:write'],
    takenScopes: ['payments:write'],
    records: [{ type: 'Fees', rights: ['read', 'write', 'create', 'delete', 'submit'], taken: ['delete'] }],
  },
)

/** What the institution takes from a role. */
export const AccessRuleChange = body(
  'AccessRuleChange',
  'What is taken from the role. A list that is there takes the place of what there was; an empty one gives everything back.',
  allOptional({
    takenScopes: listOf(oneOf(scopes, 'A scope.'), 'Scopes that the role opens everywhere.'),
    takenRights: listOf(
      Type.Object(
        {
          type: label('Name of a record type.'),
          rights: listOf(oneOf(rights, 'A right.'), 'Rights that the role has everywhere.'),
        },
        { additionalProperties: false, description: 'What is taken of a record type.' },
      ),
      'Rights by record type.',
    ),
  }),
  null,
  { takenScopes: ['payments:write'], takenRights: [{ type: 'Fees', rights: ['delete'] }] },
)

const group: OperationGroup = { tag: 'Access', modules: [], domain: null }

export const accessRuleOperations = {
  listAccessRules: operation(group, {
    method: 'GET',
    path: '/access-rules',
    scope: null,
    roles: ['Education Manager'],
    idempotency: 'none',
    summary: 'Read who may do what',
    description: 'Every role that may do something, in the order of their names.',
    shape: 'list',
    record: AccessRule,
    status: 200,
    errors: [],
    events: [],
  }),
  updateAccessRule: operation(group, {
    method: 'PATCH',
    path: '/access-rules/{role}',
    scope: null,
    roles: ['System Manager'],
    idempotency: 'none',
    summary: 'Take rights from a role, or give them back',
    description:
      'Rights of a role can be restricted, never extended: a right that the role does not have by default is rejected. Applies to people and to keys of the Resource API, within a second in every process.',
    body: AccessRuleChange,
    shape: 'record',
    record: AccessRule,
    status: 200,
    errors: ['rule_violated'],
    events: [],
  }),
}
