import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveConformance } from './conformance.ts'
import { proveKills } from './kills.ts'
import { ServiceUnderProof } from './service.ts'

test('a new service keeps every rule of the conformance part', async () => {
  const service = await ServiceUnderProof.start()
  try {
    assert.equal(await proveConformance(service.place), true)
  } finally {
    await service.stop()
  }
})

test('after kills of service, database or both nothing is lost and nothing doubled', async () => {
  assert.equal(await proveKills(4), true)
})
