import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'
import { getFingerprint, isOwnSecretKey } from './secret-key-fingerprint.ts'

const service = await startTestService()
const commandLine = await loadCommandLine(service)
const [first, other] = ['first-key-of-a-test-0123456789abcdef', 'other-key-of-a-test-0123456789abcdef']

test('the first SECRET_KEY of a database is its own, and another one is noticed, by what tells nothing of it', async () => {
  const isOwn = (key: string) => isOwnSecretKey(service.database.connection, key)
  assert.deepEqual(
    [await isOwn(first), await isOwn(first), await isOwn(other), await isOwn(first)],
    [true, true, false, true],
  )
  const marks = await service.database.inspect<{ fingerprint: string }>('select fingerprint from secret_key_marks')
  assert.deepEqual(marks, [{ fingerprint: getFingerprint(first) }])
  assert.match(getFingerprint(first), /^[0-9a-f]{16}$/)
  const check = async (SECRET_KEY: string) => {
    const { stdout } = await commandLine.run(['doctor', '--json'], { environment: { SECRET_KEY } })
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'secret key')
  }
  assert.equal((await check(first)).status, 'ok')
  const wrong = await check(other)
  assert.equal(wrong.status, 'failure')
  assert.match(wrong.detail, /SECRET_KEY is not the one that this database was used with before/)
  // What doctor says where the former key is lost for good.
  await service.database.inspect('delete from secret_key_marks')
  assert.ok(await isOwn(other))
})
