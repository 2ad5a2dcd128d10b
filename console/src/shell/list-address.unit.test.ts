import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  filterGroups,
  getSearchText,
  type ListAddress,
  type Operator,
  plainList,
  readListAddress,
  withFilter,
} from './list-address.ts'

const field = fc.stringMatching(/^[a-z][a-z_]{0,20}$/)
const operators: Operator[] = ['=', '!=', 'like', '>', '<', '>=', '<=', 'set', 'not set']
const addresses: fc.Arbitrary<ListAddress> = fc.record(
  {
    q: fc.string({ unit: 'grapheme' }),
    filters: fc.array(
      fc.record(
        {
          field,
          operator: fc.constantFrom(...operators),
          value: fc.string({ unit: 'grapheme' }),
          either: fc.integer({ min: 1, max: 9 }),
        },
        { noNullPrototype: true, requiredKeys: ['field', 'operator', 'value'] },
      ),
    ),
    sort: fc.oneof(
      fc.constant(''),
      field,
      field.map((name) => `-${name}`),
    ),
    page: fc.integer({ min: 1, max: 1_000_000 }),
    columns: fc.array(field),
    by: fc.oneof(fc.constant(''), field, fc.constant('_student_group')),
  },
  { noNullPrototype: true },
)

test('what an address shows is read from it again, whatever was searched and filtered for', () => {
  fc.assert(
    fc.property(addresses, (address) => {
      assert.deepEqual(readListAddress(getSearchText(address)), address)
    }),
  )
})

test('an address that somebody else made up is read as far as it says something, and nothing else', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { page, sort, columns } = readListAddress(`?${text}`)
      assert.ok(Number.isSafeInteger(page) && page > 0)
      assert.match(sort, /^(?:-?\w+)?$/)
      for (const column of columns) assert.match(column, /^\w+$/)
    }),
  )
  assert.deepEqual(readListAddress('?f=enabled:drop:1&f=enabled&page=-3&sort=a b&columns=;'), plainList)
  assert.equal(getSearchText(plainList), '')
})

test('a filter that is added beside another one is an alternative to it, and all others hold as before', () => {
  const filter = (value: string) => ({ field: 'city', operator: '=' as const, value })
  const [lima, quito] = [filter('Lima'), filter('Quito')]
  const both = withFilter([lima, filter('Cusco')], quito, lima)
  assert.deepEqual(
    filterGroups(both).map((group) => group.map(({ value }) => value)),
    [['Lima', 'Quito'], ['Cusco']],
  )
  const three = withFilter(both, filter('Arequipa'), both[0] ?? null)
  assert.deepEqual(
    filterGroups(three).map((group) => group.map(({ value }) => value)),
    [['Lima', 'Quito', 'Arequipa'], ['Cusco']],
  )
})
