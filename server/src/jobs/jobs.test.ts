import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Database } from '../database/index.ts'
import { loadCommandLine } from '../testing/fixtures/command-line.ts'
import { until } from '../testing/fixtures/service-process.ts'
import { startTestService } from '../testing/fixtures/test-service.ts'
import { type JobState, jobStatesStatement } from './job-states.ts'
import { inBatches, type Job, startJobs } from './jobs.ts'
import { retentionJob } from './retention.ts'

const service = await startTestService()

/** Runs a job until it has had so many turns. */
async function loadSlot(count: number, run: Job['run'], name = `test-${Math.random()}`) {
  const logged: object[] = []
  const log = { info: () => {}, error: (facts: object) => void logged.push(facts) }
  const turns: string[] = []
  let enough = () => {}
  const had = new Promise<void>((resolve) => (enough = resolve))
  const job: Job = {
    name,
    everySeconds: 0.05,
    run: async (database, tenant, hasTime) => {
      turns.push(tenant.slug)
      if (turns.length >= count) enough()
      await run(database, tenant, hasTime)
    },
  }
  const stop = startJobs(service.data, [job], log)
  await had
  await stop()
  return { turns, logged }
}

test('a job goes on with the next tenant when one fails, and the log names the one', async () => {
  const tenants = [await service.tenant(), await service.tenant(), await service.tenant()]
  const slugs = tenants.map(({ slug }) => slug).sort()
  const failing = slugs[0]
  const { turns, logged } = await loadSlot(3, async (_, tenant) => {
    if (tenant.slug === failing) throw Object.assign(new Error('broken'), { code: '23505' })
  })
  assert.deepEqual(turns.slice(0, 3), slugs)
  assert.deepEqual((logged[0] as { tenant: string; reason: string }).tenant, failing)
  assert.deepEqual((logged[0] as { tenant: string; reason: string }).reason, '23505')
})

test('a tenant with much to do leaves the rest when its time is over', async () => {
  let batches = 0
  await inBatches(
    10,
    () => batches < 3,
    async () => {
      batches += 1
      return 10
    },
  )
  assert.equal(batches, 3)
  await inBatches(
    10,
    () => true,
    async () => {
      batches += 1
      return batches < 6 ? 10 : 4
    },
  )
  assert.equal(batches, 6)
})

test('metrics and doctor tell what fails since when, until it does no more; doctor names the tenant, metrics do not', async () => {
  const tenant = await service.tenant()
  let fails = true
  const run: Job['run'] = async (_, { id }) => {
    if (fails && id === tenant.id) throw Object.assign(new Error('broken'), { code: '23505' })
  }
  const state = async () =>
    (await service.database.inspect<JobState>(jobStatesStatement.text)).find(({ job }) => job === 'told') as JobState
  const metrics = async () => (await fetch(`${service.address}/metrics`)).text()
  const tenants = (await service.database.inspect('select from tenants')).length
  await loadSlot(2 * tenants + 1, run, 'told')
  const failing = await state()
  assert.ok(failing.failingSince !== null && failing.succeededAt === null && failing.failedRuns >= 2)
  assert.deepEqual(
    [failing.failingTenants, failing.failing[0]?.tenantId, failing.failing[0]?.code],
    [1, tenant.id, '23505'],
  )
  assert.ok((failing.failing[0]?.since as string) <= failing.endedAt)
  // What is read of the deployment is told for some seconds.
  const isTold = async (line: RegExp) => until(async () => line.test(await metrics()), String(line))
  await isTold(/^matricula_job_failing_tenants\{job="told"\} 1$/m)
  const reported = await metrics()
  assert.match(reported, /^matricula_job_failing_seconds\{job="told"\} [0-9.e-]+$/m)
  assert.ok(!reported.includes(tenant.slug) && !reported.includes(tenant.id))
  const { json } = await loadCommandLine(service)
  const checkOfJobs = async () =>
    (await json(['doctor'])).checks.find(({ name }: { name: string }) => name === 'jobs') as Record<string, string>
  const check = await checkOfJobs()
  assert.equal(check.status, 'warning')
  assert.ok(check.detail?.includes(`told since ${failing.failingSince} for ${tenant.slug} (23505)`), check.detail)
  fails = false
  await loadSlot(tenants + 1, run, 'told')
  const sound = await state()
  assert.deepEqual([sound.failingSince, sound.failedRuns, sound.failingTenants, sound.failing], [null, 0, 0, []])
  assert.ok(sound.succeededAt !== null)
  await isTold(/^matricula_job_failing_tenants\{job="told"\} 0$/m)
  assert.match(await metrics(), /^matricula_job_last_success_timestamp_seconds\{job="told"\} \d/m)
})

test('mails are forgotten so many days after they were sent or given up, never while they wait', async () => {
  const tenant = await service.tenant()
  const put = (name: string, columns: string) =>
    service.database.inspect(
      `insert into outgoing_mails (tenant_id, id, kind, entity_id, recipient, locale, created_at, sent_at, failed_at)
       values ($1, gen_random_uuid(), 'welcome', gen_random_uuid(), $2, 'en', now() - interval '1 year', ${columns})`,
      [tenant.id, name],
    )
  await put('sent long ago', `now() - interval '31 days', null`)
  await put('given up long ago', `null, now() - interval '31 days'`)
  await put('sent lately', `now() - interval '29 days', null`)
  await put('waits', 'null, null')
  await retentionJob({ mailKeepDays: 30 }).run(service.data, tenant)
  const left = await service.database.inspect<{ recipient: string }>(
    'select recipient from outgoing_mails where tenant_id = $1 order by recipient',
    [tenant.id],
  )
  assert.deepEqual(
    left.map(({ recipient }) => recipient),
    ['sent lately', 'waits'],
  )
  const reported = await (await fetch(`${service.address}/metrics`)).text()
  assert.match(reported, /^matricula_retention_removed_total\{kind="mails"\} 2$/m)
})

test('several processes run a job as often as one would, never two at once', async () => {
  const tenant = await service.tenant()
  const everySeconds = 0.4
  const begun: number[] = []
  let running = 0
  const job: Job = {
    name: 'shared',
    everySeconds,
    run: async (_, { id }) => {
      if (id !== tenant.id) return
      assert.equal(running, 0, 'only one process does it')
      running += 1
      begun.push(performance.now())
      await nextTurn()
      running -= 1
    },
  }
  const failures: object[] = []
  const log = { info: () => {}, error: (facts: object) => void failures.push(facts) }
  const processes = Array.from({ length: 4 }, () => new Database(service.database.connection))
  const stops = processes.map((database) => startJobs(database, [job], log))
  await until(() => begun.length >= 6, 'some runs')
  for (const stop of stops) await stop()
  const gaps = begun.slice(1).map((time, index) => time - (begun[index] as number))
  // From the end of one run to the beginning of the next, told in whole milliseconds.
  for (const gap of gaps) assert.ok(gap >= everySeconds * 1000 - 5, `${gaps} ms`)
  for (const database of processes) await database.close()
  assert.deepEqual(failures, [])
})
