import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeOnce, sql } from './statement.ts'

test('a statement that is made once has the values that it is asked with, each wherever it stands', () => {
  let made = 0
  const read = madeOnce((tenant: string, id: string | undefined) => {
    made += 1
    return sql`select ${id} from a where x = ${tenant} union select y from b where x = ${tenant}`
  })
  const [first, second] = [read('T', '1'), read('U', '2')]
  assert.equal(made, 1)
  assert.deepEqual(first.values, ['1', 'T', 'T'])
  assert.deepEqual(second.values, ['2', 'U', 'U'])
  assert.deepEqual([second.text, second.name], [first.text, first.name])
  assert.equal(first.text, 'select $1 from a where x = $2 union select y from b where x = $3')
})

test('a statement into which something else is put is made anew each time', () => {
  let day = 0
  const read = madeOnce((id: string) => {
    day += 1
    return sql`select ${id} where day = ${day}`
  })
  read('1')
  const [one, other] = [read('2').values, read('3').values]
  assert.deepEqual([one[0], other[0]], ['2', '3'])
  assert.notEqual(one[1], other[1])
})
