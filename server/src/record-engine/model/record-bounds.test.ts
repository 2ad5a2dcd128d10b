import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRecordCaller } from '../../testing/fixtures/factories.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

/** A question with so many answers of the longest text there is. */
const aQuestion = (answers: number, sign: string) => ({
  question: 'Which one?',
  question_type: 'Single Correct Answer',
  options: Array.from({ length: answers }, (_, index) => ({
    option: sign.repeat(999_989) + index,
    is_correct: index === 0 ? 1 : 0,
  })),
})

test('a record has at most 8 MiB with all its rows, in whatever script, and one that would have more is told so and not stored', async () => {
  const tenant = await service.tenant()
  const resourceClient = await aRecordCaller(service, tenant)
  const rejected = await resourceClient.post('/api/resource/Question', aQuestion(9, 'a'))
  assert.deepEqual([rejected.status, rejected.body.exc_type], [417, 'CharacterLengthExceededError'], rejected.text)
  assert.match(rejected.text, /has at most 8388608\. Keep fewer rows, or shorter texts/)
  const wide = await resourceClient.post('/api/resource/Question', aQuestion(3, '€'))
  assert.deepEqual([wide.status, wide.body.exc_type], [417, 'CharacterLengthExceededError'], wide.text)
  const none = await resourceClient.get('/api/resource/Question')
  assert.deepEqual(none.body.data, [])
  const made = await resourceClient.post('/api/resource/Question', aQuestion(7, 'a'))
  assert.equal(made.status, 200, made.text.slice(0, 300))
  const path = `/api/resource/Question/${made.body.data.name}`
  const grown = await resourceClient.put(path, { options: aQuestion(9, 'a').options })
  assert.deepEqual([grown.status, grown.body.exc_type], [417, 'CharacterLengthExceededError'])
  assert.equal((await resourceClient.get(path)).body.data.options.length, 7)
})

test('the largest record of the longest characters is read, changed, listed row by row and removed', async () => {
  const resourceClient = await aRecordCaller(service, await service.tenant())
  const made = await resourceClient.post('/api/resource/Question', aQuestion(2, '€'))
  assert.equal(made.status, 200, made.text.slice(0, 300))
  const path = `/api/resource/Question/${made.body.data.name}`
  const read = await resourceClient.get(path)
  assert.equal(read.status, 200, read.text.slice(0, 300))
  assert.equal(read.body.data.options[1].option.length, 999_990)
  const changed = await resourceClient.put(path, { question: 'Which two?' })
  assert.equal(changed.status, 200, changed.text.slice(0, 300))
  const fields = encodeURIComponent('["name","options.option"]')
  const rows = await resourceClient.get(`/api/resource/Question?fields=${fields}&limit_page_length=0`)
  assert.deepEqual([rows.status, rows.body.data.length], [200, 2], rows.text.slice(0, 300))
  assert.equal((await resourceClient.delete(path)).status, 202)
})
