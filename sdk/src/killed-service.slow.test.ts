import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aUsedFolder, start, untilReady } from '../../server/dist/testing/fixtures/service-process.js'
import { createClient } from './client.ts'
import { collected } from './testing/collected.ts'

test('what is created while the service is killed and started again is there once, and nothing is missing', async () => {
  const { folder, token } = await aUsedFolder()
  const first = await start(folder)
  await untilReady(first)
  const client = createClient({ url: first.address, token, attempts: 30 })
  let made = 0
  let kill = () => {}
  const killed = new Promise<void>((resolve) => {
    kill = resolve
  })
  const create = async (worker: number) => {
    for (let number = 0; number < 25; number += 1) {
      await client.students.create({ fullName: `Ada ${worker} ${number}` })
      made += 1
      if (made === 60) kill()
    }
  }
  const workers = Promise.all(Array.from({ length: 8 }, (_, worker) => create(worker)))
  await killed
  first.child.kill('SIGKILL')
  await first.ended
  assert.ok(made < 200)
  await start(folder, { PORT: new URL(first.address).port })
  await workers
  const names = (await collected(client.students.list())).map(({ fullName }) => fullName)
  assert.equal(names.length, 200)
  assert.equal(new Set(names).size, 200)
})
