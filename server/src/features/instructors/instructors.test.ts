import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResourceClient } from '../../testing/fixtures/resource-client.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()

async function institution(namedBy: string) {
  const resourceClient = new ResourceClient(service, await service.tenant())
  await resourceClient.update('Education Settings', 'Education Settings', { instructor_created_by: namedBy })
  const employee = await resourceClient.make('Employee', { first_name: 'Grace', last_name: 'Hopper', gender: 'Female' })
  return { resourceClient, employee: employee.name }
}

for (const namedBy of ['Full Name', 'User']) {
  test(`an instructor is named by the full name with ${namedBy}, and nobody else has that name`, async () => {
    const { resourceClient } = await institution(namedBy)
    assert.equal((await resourceClient.make('Instructor', { instructor_name: 'Grace Hopper' })).name, 'Grace Hopper')
    const second = await resourceClient.create('Instructor', { instructor_name: 'Grace Hopper' })
    assert.deepEqual([second.status, second.error], [409, 'DuplicateEntryError'])
  })
}

for (const namedBy of ['Naming Series', 'Instructor']) {
  test(`an instructor is named by the series with ${namedBy}`, async () => {
    const { resourceClient } = await institution(namedBy)
    const { name } = await resourceClient.make('Instructor', { instructor_name: 'Grace Hopper' })
    assert.match(name, /^EDU-INS-\d{4}-00001$/)
  })
}

test('an instructor without a name lacks what is required', async () => {
  const { resourceClient } = await institution('Full Name')
  const { status, error, told: reported } = await resourceClient.create('Instructor', {})
  assert.deepEqual([status, error], [417, 'MandatoryError'])
  assert.match(reported, /Instructor Name/)
})

test('an instructor is named by the employee number, which must be there, with Employee Number', async () => {
  const { resourceClient, employee } = await institution('Employee Number')
  assert.equal((await resourceClient.make('Instructor', { employee })).name, employee)
  const nobody = await resourceClient.create('Instructor', { instructor_name: 'Grace Hopper' })
  assert.deepEqual([nobody.status, nobody.error], [417, 'ValidationError'])
})

test('an instructor is named by the employee, or by the series without one, with Employee', async () => {
  const { resourceClient, employee } = await institution('Employee')
  assert.equal((await resourceClient.make('Instructor', { employee })).name, employee)
  assert.match(
    (await resourceClient.make('Instructor', { instructor_name: 'Alan Turing' })).name,
    /^EDU-INS-\d{4}-00001$/,
  )
})

test('no instructor is made while the naming is not set up', async () => {
  const { resourceClient } = await institution('Full Name')
  await service.database.inspect('update education_settings set instructor_created_by = null')
  const made = await resourceClient.create('Instructor', { instructor_name: 'Grace Hopper' })
  assert.deepEqual([made.status, made.error], [417, 'ValidationError'])
  assert.match(made.told, /Set up the naming/)
})

test('an employee is one instructor, whose name, gender and department come from there', async () => {
  const { resourceClient, employee } = await institution('Naming Series')
  const made = await resourceClient.make('Instructor', { employee, gender: 'Male' })
  assert.deepEqual([made.instructor_name, made.gender, made.status], ['Grace Hopper', 'Female', 'Active'])
  const second = await resourceClient.create('Instructor', { employee, instructor_name: 'Somebody else' })
  assert.deepEqual([second.status, second.error], [417, 'ValidationError'])
  assert.match(second.told, new RegExp(made.name))
})
