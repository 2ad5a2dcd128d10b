import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { aPerson } from '../../../testing/fixtures/factories.ts'
import { until } from '../../../testing/fixtures/service-process.ts'
import { startTestService } from '../../../testing/fixtures/test-service.ts'

const service = await startTestService()
const path = '/console/v1/imports'
const rows = 50_000

test('imports of the console: 50 000 rows are checked and imported, with a progress that only grows', async () => {
  const tenant = await service.tenant()
  const { caller } = await aPerson(service, tenant, ['Academics User'])
  const lines = Array.from({ length: rows }, (_, index) => `R-${index},Given ${index},Family ${index % 500}`)
  const content = Buffer.from(`externalId,givenNames,familyNames\n${lines.join('\n')}\n`)
  const uploaded = await caller.send('POST', `${path}?kind=students&fileName=students.csv`, content, {
    'content-type': 'application/octet-stream',
  })
  const { id } = uploaded.body.data
  const follow = async (action: string, during: string, body: object = {}) => {
    const begun = await caller.send('POST', `${path}/${id}/${action}`, body)
    assert.equal(begun.status, 200, begun.text)
    const progress: number[] = []
    const isOver = async () => {
      await pause(200)
      const { data } = (await caller.get(`${path}/${id}`)).body
      if (data.status === during) progress.push(data.rows)
      return data.status !== during
    }
    await until(isOver, () => `the import is no longer ${during} after ${progress.at(-1)} rows`, 300)
    assert.ok(new Set(progress).size > 2, `${action}: the progress is told on the way: ${progress}`)
    assert.deepEqual(
      progress,
      progress.toSorted((one, other) => one - other),
      action,
    )
    return (await caller.get(`${path}/${id}`)).body.data
  }
  const checked = await follow('check', 'checking')
  assert.deepEqual([checked.status, checked.report.created, checked.report.unchanged], ['checked', rows, 0])
  const imported = await follow('commit', 'importing', { created: rows, updated: 0 })
  assert.deepEqual([imported.status, imported.report.created, imported.rows], ['imported', rows, rows])
  assert.equal((await tenant.api.get('/students?limit=1')).body.pagination.total, rows)
})
