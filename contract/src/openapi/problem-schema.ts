import { Type } from 'typebox'
import { faultCodes, maximumFaults, problems } from '../problems.ts'
import { count, freeObject, label, listOf, oneOf, optional, record, type Static, text, Uuid } from '../schema.ts'

/** A schema of its own, because a generator that names an enumeration after its property writes `in`, a word of the language. */
const FaultLocation = Type.Unsafe<'body' | 'query' | 'path' | 'header'>({
  ...oneOf(['body', 'query', 'path', 'header'], 'The part of the request.'),
  title: 'FaultLocation',
})

/** One validation error of a request, as a member of `errors`. */
const FaultSchema = record('Fault', 'One fault of a request.', {
  in: FaultLocation,
  pointer: optional(label('In a body: the place, a JSON Pointer (RFC 6901) in a URI fragment.')),
  name: optional(label('Elsewhere: the name of the parameter or header.')),
  code: oneOf(faultCodes, 'What is wrong there.'),
  detail: label('The error as text.'),
})

/** What is wrong with a bank statement, as a member of `errors` of `statement_rejected`. */
const StatementFaultSchema = record('StatementFault', 'What is wrong with a bank statement.', {
  line: count('The line of the file, from 1.'),
  column: count('The column of the line, from 1.'),
  code: label('What is wrong there.'),
  detail: label('The error as text.'),
})

/**
 * The body of every refusal (RFC 9457): its standard members, then those that some codes carry. Codes may be added, so
 * the list of them is open.
 */
export const ProblemSchema = record('Problem', 'A refusal (RFC 9457). Which other members it has depends on `code`.', {
  type: Type.Unsafe<string>({ type: 'string', format: 'uri', description: 'Address of a page on this code.' }),
  title: label('The code as text, the same every time.'),
  status: Type.Unsafe<number>({ type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' }),
  code: Type.Unsafe<string>({
    type: 'string',
    description: 'What to decide by. Codes may be added: treat one that you do not know by its status.',
    'x-extensible-enum': Object.keys(problems),
  }),
  detail: label('What was wrong with this very request, for people.'),
  instance: Type.Unsafe<string>({ type: 'string', format: 'uri', description: 'This very occurrence.' }),
  requestId: label('Id of the request, as in the Request-Id header.'),
  errors: optional(
    listOf(
      Type.Unsafe<Static<typeof FaultSchema>>({ anyOf: [FaultSchema, StatementFaultSchema] }),
      `Every fault that was found, at most ${maximumFaults}; of a bank statement by line and column.`,
    ),
  ),
  requiredScope: optional(label('The scope that is needed.')),
  grantedScopes: optional(words('The scopes of the token.')),
  requiredRoles: optional(words('The roles of which one is needed.')),
  missingModules: optional(words('All modules that are needed and not enabled.')),
  domain: optional(label('The domain of the operation.')),
  masterDomains: optional(words('The domains that the token may write.')),
  systemOfRecord: optional(label('The tenant’s setting for the domain.')),
  existingId: optional({ ...Uuid, description: 'Id of the record that has the value.' }),
  currentState: optional(label('The state that the record is in.')),
  allowed: optional(words('What would be accepted.')),
  missing: optional(
    listOf(
      Type.Object(
        { requirementId: { ...Uuid, description: 'Id of the requirement.' }, label: text('What is asked for.') },
        { description: 'A requirement that is not satisfied.' },
      ),
      'The requirements that are not satisfied.',
    ),
  ),
  earliest: optional(label('The position after which all events are still there.')),
  limit: optional(count('How many there may be.')),
  maxBytes: optional(count('The most bytes that are taken.')),
  originalOperation: optional(label('The operation that used the key.')),
  data: optional(
    listOf(freeObject('An item of the batch.'), 'What would have become of each item of a batch, in the order sent.'),
  ),
  rule: optional(label('The rule that the request breaks.')),
  expected: optional(freeObject('What the file had to be, such as its `sizeBytes`, `checksumSha256` or `mimeType`.')),
  found: optional(
    freeObject('What the file is, in the members of `expected`; `mimeType` is null where it is unknown.'),
  ),
})

function words(description: string) {
  return listOf(label('One of them.'), description)
}
