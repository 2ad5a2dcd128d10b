import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RecordType, recordTypes } from '@matricula/contract/record-types'
import fc from 'fast-check'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { RecordError } from '../model/record-error.ts'
import { countRecords, loadFieldValue, type RecordReader, recordReader } from './list-records.ts'
import type { ListParameters } from './list-request.ts'
import { allowedWords, createListedTables, declaredRecords, getCaller, list } from './query-fixture.ts'

const service = await startTestService()
await createListedTables(service.database)
const tenant = await service.tenant()
const staff = getCaller(tenant)
const lists = (type: string, parameters?: ListParameters) => list(service.data, staff, type, parameters)
const refusal =
  (type: string, message: RegExp = /./) =>
  (error: unknown) =>
    error instanceof RecordError && error.type === type && message.test(error.message)

const repeated = (field: string) => Array.from({ length: 21 }, (_, number) => `${field}${number}`)

test('what cannot be asked for is refused, and says how to ask', async () => {
  const rejected: [ListParameters, string, RegExp][] = [
    [{ fields: '["nope"]' }, 'DataError', /^Field not permitted in query: nope\. Name a field of Fees/],
    [{ fields: ['components'] }, 'DataError', /not permitted/],
    [{ fields: repeated('components.description as text') }, 'DataError', /more than 20 long texts or tables/],
    [{ fields: repeated('max(components.description) as text') }, 'DataError', /more than 20 long texts or tables/],
    [{ fields: ['parent'] }, 'DataError', /not permitted/],
    [{ fields: ['constructor'] }, 'DataError', /not permitted/],
    [{ fields: ['student.__proto__'] }, 'DataError', /not permitted/],
    [{ fields: ['`tabStudent`.`name`'] }, 'DataError', /not permitted/],
    [{ fields: ['sleep(10)'] }, 'DataError', /not permitted/],
    [{ fields: ['sum(student)'] }, 'DataError', /no number/],
    [{ fields: '["name"' }, 'JSONDecodeError', /fields/],
    [{ fields: '{"a": 1}' }, 'FrappeTypeError', /fields/],
    [{ fields: [1] }, 'FrappeTypeError', /fields/],
    [{ fields: Array.from({ length: 501 }, () => 'name') }, 'DataError', /500/],
    [{ filters: 'F-1' }, 'JSONDecodeError', /filters/],
    [{ filters: '[[' }, 'JSONDecodeError', /filters/],
    [{ filters: 7 }, 'FrappeTypeError', /filters/],
    [{ filters: [['name']] }, 'FrappeTypeError', /filters/],
    [{ filters: ['name', 'owner'] }, 'FrappeTypeError', /filters/],
    [{ or_filters: { nope: 1 } }, 'DataError', /nope/],
    [{ or_filters: [[['name', '=', 'a']], []] }, 'FrappeTypeError', /or_filters/],
    [{ or_filters: [[['nope', '=', 'a']], [['name', '=', 'b']]] }, 'DataError', /nope/],
    [
      { or_filters: Array.from({ length: 51 }, () => [...'ab'].map((name) => ['name', '=', name])) },
      'DataError',
      /100/,
    ],
    [{ filters: [['name', 'regexp', '.*']] }, 'ValidationError', /Operator must be one of =, !=/],
    [{ filters: { name: [] } }, 'ValidationError', /Operator/],
    [{ filters: { name: { a: 1 } } }, 'ValidationError', /list or an object/],
    [{ filters: { name: ['in', [['x']]] } }, 'ValidationError', /list or an object/],
    [{ filters: { name: 'a\0b' } }, 'ValidationError', /character/],
    [{ filters: { due_date: 'soon' } }, 'ValidationError', /not a date/],
    [{ filters: { name: ['is', 'here'] } }, 'ValidationError', /"set" or "not set"/],
    [{ filters: { due_date: ['timespan', 'ages'] } }, 'ValidationError', /last week/],
    [{ filters: { name: ['previous', '1 week'] } }, 'ValidationError', /no date/],
    [{ filters: { grand_total: ['between', [1]] } }, 'ValidationError', /two values/],
    [{ filters: Array.from({ length: 101 }, () => ['name', '=', 'x']) }, 'DataError', /100/],
    [{ filters: { name: ['in', Array.from({ length: 10_001 }, () => 'x')] } }, 'DataError', /10000/],
    [{ order_by: 'name; drop table fees' }, 'DataError', /not permitted/],
    [{ order_by: '(select 1)' }, 'DataError', /not permitted/],
    [{ order_by: 'name sideways' }, 'DataError', /not permitted/],
    [{ order_by: 'name,' }, 'DataError', /not permitted/],
    [{ order_by: 'components.amount' }, 'DataError', /of rows that fields does not ask for/],
    [{ order_by: '`tabFee Component`.`amount` desc' }, 'DataError', /of rows that fields does not ask for/],
    [{ order_by: 'name, components.idx asc', fields: ['grand_total'] }, 'DataError', /Add it to fields/],
    [{ order_by: { name: 'asc' } }, 'FrappeTypeError', /order_by/],
    [{ order_by: Array.from({ length: 21 }, () => 'name').join() }, 'DataError', /20/],
    [{ group_by: '1' }, 'DataError', /not permitted/],
    [{ group_by: 'n', fields: ['count(name) as n'] }, 'DataError', /not permitted/],
    [{ limit_page_length: '-1' }, 'FrappeTypeError', /limit_page_length/],
    [{ limit_start: '1e3' }, 'FrappeTypeError', /limit_start/],
  ]
  for (const [parameters, type, message] of rejected) {
    await assert.rejects(lists('Fees', parameters), refusal(type, message), JSON.stringify(parameters).slice(0, 99))
  }
  await assert.rejects(lists('Nothing'), refusal('DoesNotExistError'))
  const secret = { filters: { razorpay_secret: 'x' } }
  await assert.rejects(lists('Education Settings', secret), refusal('DataError', /razorpay_secret/))
})

/**
 * Text that breaks things: quotes, comments, operators, control characters, halves of pairs, names that objects
 * inherit.
 */
const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    ...["'", '"', '`', ';', '--', '/*', '*/', '$1', '\\', '%', '_', '\0', '\ud800', '', ' ', ',', '()', '@@'],
  ),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'null',
    'NaN',
    '1e400',
    '-0',
    '☃',
    'ﬀ',
    '2026-02-30',
    '0000-00-00',
  ),
  fc.constantFrom(
    "x'; drop table fees; --",
    'name union select 1',
    'pg_sleep(9)',
    'r.tenant_id',
    'id',
    'tenant_id',
    'version',
  ),
)
const operator = fc.constantFrom(
  ...[
    '=',
    '!=',
    '<>',
    '>',
    '<',
    '>=',
    '<=',
    'like',
    'NOT LIKE',
    'in',
    'not in',
    'between',
    'is',
    'timespan',
    'previous',
  ],
  ...['next', 'descendants of', 'ancestors of', 'not descendants of', 'descendants of (inclusive)'],
)
const value = fc.oneof(
  nasty,
  fc.double(),
  fc.integer(),
  fc.constantFrom<unknown>(
    null,
    true,
    2 ** 31,
    32_768,
    1e21,
    5e-324,
    'set',
    'not set',
    'this year',
    '1 month',
    '9:00',
    [],
    {},
  ),
  fc.constantFrom('2026-02-02', '9999-12-31 23:59:59.999999', '0001-01-01', '2026-02-02T10:00:00Z', '23:59:59', '0.5'),
)

function getField(type: RecordType): fc.Arbitrary<string> {
  const own = Object.entries(type.fields).flatMap(([name, field]) => {
    if (field.type === 'Table') return Object.keys(field.rows.fields).map((row) => `${name}.${row}`)
    return field.type === 'Link' ? [name, `${name}.name`, `${name}.creation`] : [name]
  })
  const standard = ['name', 'owner', 'creation', 'modified', 'modified_by', 'docstatus', 'idx']
  const known = fc.constantFrom(...standard, ...own, ...own)
  return fc.oneof(
    { weight: 12, arbitrary: known },
    nasty,
    fc.tuple(known, nasty).map(([one, other]) => one + other),
  )
}

function getParameters(type: RecordType): fc.Arbitrary<ListParameters> {
  const field = getField(type)
  const computed = fc
    .tuple(fc.constantFrom('count', 'sum', 'avg', 'min', 'MAX', 'upper'), field, fc.oneof(fc.constant('n'), nasty))
    .map(([name, inside, alias]) => `${name}(${inside}) as ${alias}`)
  const filter = fc.oneof(
    { weight: 8, arbitrary: fc.tuple(field, operator, fc.oneof(value, fc.array(value, { maxLength: 3 }))) },
    fc.array(value, { maxLength: 5 }),
  )
  const filters = fc.oneof(fc.array(filter, { maxLength: 2 }), fc.dictionary(field, value, { maxKeys: 2 }), nasty)
  const order = fc.array(fc.tuple(field, fc.constantFrom('', ' asc', ' DESC')), { maxLength: 2 })
  const fields = fc.array(fc.oneof({ weight: 4, arbitrary: field }, computed, fc.constant('*')), { maxLength: 4 })
  const parameters = fc.record(
    {
      fields: fc.oneof({ weight: 5, arbitrary: fields }, nasty),
      filters,
      or_filters: filters,
      order_by: fc.oneof(
        order.map((terms) => terms.map((term) => term.join('')).join()),
        nasty,
      ),
      group_by: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, field, nasty),
      limit_page_length: fc.oneof({ weight: 5, arbitrary: fc.constantFrom<unknown>(0, '5', 20) }, value),
      limit_start: fc.oneof({ weight: 5, arbitrary: fc.constantFrom<unknown>(0, '1') }, value),
      as_dict: value,
    },
    { requiredKeys: [] },
  )
  return parameters as fc.Arbitrary<ListParameters>
}

test('no arguments, however formed, put a word of their own into a statement or make the database fail', async () => {
  const allowed = allowedWords()
  let read = 0
  const reader: RecordReader = {
    query: async (statement, isCheap) => {
      const text = statement.text.replace(/'(YYYY-MM-DD HH24:MI:SS\.US)?'/g, '')
      assert.match(text, /^[a-z0-9_$"().,:*=<>[\]\s]*$/)
      const strange = (text.match(/[a-z_][a-z0-9_]*/g) ?? []).filter((word) => !allowed.has(word))
      assert.deepEqual(strange, [])
      read += 1
      return recordReader(service.data, tenant.id).query(statement, isCheap)
    },
  }
  const some = fc.constantFrom(...recordTypes).chain((type) => fc.tuple(fc.constant(type), getParameters(type)))
  await fc.assert(
    fc.asyncProperty(some, async ([type, parameters]) => {
      const calls = [
        () => list(service.data, staff, type.name, parameters, reader),
        () => countRecords(reader, declaredRecords, staff, type.name, parameters),
        () =>
          loadFieldValue(reader, declaredRecords, staff, type.name, { ...parameters, fieldname: parameters.fields }),
      ]
      for (const call of calls) {
        await call().catch((error: unknown) => {
          assert.ok(error instanceof RecordError && error.status < 500, String(error))
        })
      }
    }),
    { numRuns: 1_500 },
  )
  assert.ok(read > 500, `${read} statements were read`)
})
