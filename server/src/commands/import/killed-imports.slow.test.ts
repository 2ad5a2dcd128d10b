import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { loadCommandLine } from '../../testing/fixtures/command-line.ts'
import { startTestService } from '../../testing/fixtures/test-service.ts'

const service = await startTestService()
const { folder, environment, run } = await loadCommandLine(service)
const program = fileURLToPath(new URL('../../../bin/matricula.js', import.meta.url))
const students = 8000
const moments = 20

test('import: killed at twenty random moments and started again, nothing is lost, doubled or half done', async () => {
  const tenant = await service.tenant()
  const file = join(folder, 'killed.csv')
  const rows = Array.from({ length: students }, (_, index) => `K${index},Name ${index},k${index}@school.example`)
  await writeFile(file, `externalId,fullName,email\n${rows.join('\n')}\n`)
  const args = ['import', 'students', file, '--tenant', tenant.slug, '--json']
  const count = async (statement: string) => {
    const [found] = await service.database.inspectAt<{ count: number }>(tenant.id, statement, [tenant.id])
    return found?.count
  }
  const begun = performance.now()
  const dryRun = await run([...args, '--dry-run'])
  assert.equal(dryRun.code, 0, dryRun.stderr)
  const longest = performance.now() - begun + 500
  let killed = 0
  for (let moment = 0; moment < moments; moment += 1) {
    const child = spawn(process.execPath, [program, ...args], { env: environment, stdio: 'ignore' })
    const ended = once(child, 'exit')
    await Promise.race([pause(Math.random() * longest), ended])
    if (child.kill('SIGKILL')) killed += 1
    await ended
    const total = await count('select count(*)::int as count from students where tenant_id = $1')
    assert.ok(total === 0 || total === students, `${total} students after the kill ${moment}`)
  }
  assert.ok(killed > 0)
  const last = await run(args)
  assert.equal(last.code, 0, last.stderr)
  const { created, unchanged } = JSON.parse(last.stdout).run
  assert.equal(created + unchanged, students)
  assert.equal((await tenant.api.get('/students?limit=1')).body.pagination.total, students)
  const distinct = 'select count(distinct external_id)::int as count from students where tenant_id = $1'
  assert.equal(await count(distinct), students)
  const events = "select count(*)::int as count from events where tenant_id = $1 and type = 'student.created'"
  assert.equal(await count(events), students)
})
