import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadCommandLine } from '../testing/fixtures/command-line.ts'
import { aPayment, aStudent } from '../testing/fixtures/factories.ts'
import { until } from '../testing/fixtures/service-process.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'

const service = await startTestService()
const { environment, json: matricula, run } = await loadCommandLine(service)
const program = fileURLToPath(new URL('../../bin/matricula.js', import.meta.url))

const getTypes = (events: { type: string }[]) => events.map(({ type }) => type)

test('events tail shows the last events, those after a position, and those of some types', async () => {
  const tenant = await service.tenant()
  const { events, next } = await matricula(['events', 'tail', '--tenant', tenant.slug])
  assert.deepEqual(getTypes(events), ['api_key.created'])
  const payment = await aPayment(tenant.api)
  const all = await matricula(['events', 'tail', '--tenant', tenant.slug, '--after', next])
  assert.deepEqual(getTypes(all.events), ['student.created', 'payment.created', 'billing_account.created'])
  const chosen = await matricula(['events', 'tail', '--tenant', tenant.slug, '--after', '0', '--types', 'payment.*'])
  assert.deepEqual(getTypes(chosen.events), ['payment.created'])
  const { stdout } = await run(['events', 'tail', '--tenant', tenant.slug])
  assert.match(stdout, new RegExp(`payment\\.created +${payment.id}`))
})

test('events tail refuses positions and types that are none, with the status of wrong usage', async () => {
  const { slug } = await service.tenant()
  for (const args of [
    ['--after', 'x'],
    ['--after', '-1'],
    ['--after', '9'.repeat(100)],
    ['--types', 'payment.exploded'],
  ]) {
    const { code, stderr } = await run(['events', 'tail', '--tenant', slug, ...args])
    assert.equal(code, 2, stderr)
    assert.doesNotMatch(stderr, /\n {4}at /)
  }
  const future = await run(['events', 'tail', '--tenant', slug, '--after', '1000000'])
  assert.equal(future.code, 1)
  assert.match(future.stderr, /No event has it yet/)
})

test('events tail --follow prints an event a line as it happens, until it is stopped', async () => {
  const tenant = await service.tenant()
  const args = ['events', 'tail', '--tenant', tenant.slug, '--follow', '--json']
  const child = spawn(process.execPath, [program, ...args], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  try {
    await until(() => text.includes('api_key.created'), 'the first line')
    const student = await aStudent(tenant.api)
    await until(() => text.includes(student.id), 'the line of the student')
    const lines = text.trimEnd().split('\n')
    assert.deepEqual(getTypes(lines.map((line) => JSON.parse(line))), ['api_key.created', 'student.created'])
  } finally {
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
  }
})
