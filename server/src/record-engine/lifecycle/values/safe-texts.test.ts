import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResourceClient } from '../../../testing/fixtures/resource-client.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'

const service = await startTestService()
const tenant = await service.tenant()
const resourceClient = new ResourceClient(service, tenant)

test('texts come in without what a page would run, in records and rows; what only looks like it stays', async () => {
  const { data } = await resourceClient.create('Student', {
    first_name: '<script>alert(1)</script>Ann',
    last_name: 'a < b & c > d',
    address_line_1: '<b onclick=x>1</b> Main St <img src=x onerror=x>',
    siblings: [{ full_name: '<iframe>Ben', date_of_birth: '2015-01-01' }],
  })
  assert.deepEqual(
    [data.first_name, data.last_name, data.address_line_1, data.siblings[0].full_name],
    ['&lt;script&gt;alert(1)&lt;/script&gt;Ann', 'a < b & c > d', '<b>1</b> Main St <img src>', '&lt;iframe&gt;Ben'],
  )
  const changed = await resourceClient.update('Student', data.name, { address_line_1: '<p>2</p><form>' })
  assert.equal(changed.data.address_line_1, '<p>2</p>&lt;form&gt;')
})

test('secrets, of which nobody is told more than their length, and addresses of files are kept as they are sent', async () => {
  const secret = '<script>&</script>'
  const settings = await resourceClient.update('Education Settings', 'Education Settings', { razorpay_secret: secret })
  assert.equal(settings.status, 200)
  assert.equal(settings.data.razorpay_secret, '*'.repeat(secret.length))
  const image = '/files/a<b>.png'
  assert.equal(
    (await resourceClient.create('Course', { course_name: 'Art', hero_image: image })).data.hero_image,
    image,
  )
})

test('a text that is too long once it is safe is refused', async () => {
  const long = await resourceClient.create('Student', { first_name: 'x<x>'.repeat(30) })
  assert.deepEqual([long.status, long.error], [417, 'CharacterLengthExceededError'])
})

test('texts with elements that are together longer than a million characters are refused, in rows too', async () => {
  const marked = (length: number) => '<p>'.padEnd(length, 'x')
  const one = await resourceClient.create('Article', { title: 'One', content: marked(1_000_000) })
  assert.equal(one.error, null, one.told)
  const plain = await resourceClient.create('Article', {
    title: 'Two',
    content: 'x'.repeat(1_000_000),
    author: '<b>A</b>',
  })
  assert.equal(plain.error, null, plain.told)
  const many = [600_000, 600_001].map((length, position) => ({ option: marked(length), is_correct: position }))
  const rows = await resourceClient.create('Question', {
    question: 'Q',
    question_type: 'Single Correct Answer',
    options: many,
  })
  assert.deepEqual([rows.status, rows.error], [417, 'CharacterLengthExceededError'])
  assert.match(rows.told, /Shorten them, or save some of them first/)
  const changed = await resourceClient.update('Article', 'One', { author: '<b>A</b>' })
  assert.equal(changed.error, null, changed.told)
})

test('what the Client API keeps as it was sent stays so when a record is changed here', async () => {
  const address = '<b onclick=x>1</b> Main St'
  const made = await tenant.api.post('/students', { givenNames: 'Ann', familyNames: 'Bee', address })
  assert.equal(made.status, 201)
  const { studentCode, id } = made.body.data
  const changed = await resourceClient.update('Student', studentCode, { city: '<i>Leeds</i><script>' })
  assert.deepEqual([changed.data.address_line_1, changed.data.city], [address, '<i>Leeds</i>&lt;script&gt;'])
  const again = await resourceClient.update('Student', studentCode, {
    address_line_1: address,
    city: '<i>Leeds</i><script>',
  })
  assert.equal(again.data.modified, changed.data.modified)
  assert.equal((await tenant.api.get(`/students/${id}`)).body.data.address, address)
})
