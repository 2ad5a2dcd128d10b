import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getMaxConnections, getMinConnections, getShares } from './connection-shares.ts'
import { allParts, getConnections, getLocations, minPartitions, openPartitions } from './partitions.ts'
import { getShare, TooFewConnections } from './service-registry.ts'

test('rooms have as many places together as there may be connections, at least one each, and usually those that they are made for', () => {
  for (let connections = minPartitions; connections <= 60; connections += 1) {
    const locations = Object.values(getLocations(connections))
    assert.equal(
      locations.reduce((sum, count) => sum + count, 0),
      connections,
    )
    assert.ok(locations.every((count) => count >= 1))
    const partitions = openPartitions(connections)
    assert.equal(
      getConnections(partitions, { patient: true }) + getConnections(partitions, { patient: false }),
      connections,
    )
  }
  assert.deepEqual(getLocations(allParts), { writes: 12, reads: 6, lists: 8, long: 4, notes: 2, jobs: 2 })
  assert.deepEqual(getLocations(1), { writes: 1, reads: 1, lists: 1, long: 1, notes: 1, jobs: 1 })
})

test('the processes of a service never take more than it may, whatever that is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 256 }), fc.integer({ min: 0, max: 20_000 }), (workers, more) => {
      const all = getMinConnections(workers) + more
      const { first, worker } = getShares(all, workers)
      const beside = 3
      const size = ({ connections, readers, hasBriefReader }: typeof first) =>
        connections + readers + Number(hasBriefReader) + beside
      const taken = 1 + (workers === 1 ? size(first) : size(first) + workers * size(worker))
      assert.ok(taken <= all, `${taken} of ${all}`)
      assert.ok(worker.connections >= minPartitions && worker.connections <= allParts)
      if (all >= getMaxConnections(workers)) {
        assert.deepEqual(worker, { connections: allParts, readers: workers === 1 ? 4 : 1, hasBriefReader: true })
      }
    }),
  )
})

const options = { wanted: null, suits: () => 40, least: 12 }
const others = (...connections: number[]) => connections.map((count) => ({ knows: '0001', connections: count }))

test('a service takes what suits, less where others leave less, and says what to do where that is too little', () => {
  const share = (max: number, services = others(), more = {}) =>
    getShare({ most: max, open: 0, services }, { ...options, ...more })
  assert.equal(share(97), 40)
  assert.equal(share(97, others(40, 30)), 19)
  assert.equal(share(97, others(40), { wanted: 44 }), 44)
  assert.throws(
    () => share(97, others(40, 40)),
    (error) =>
      error instanceof TooFewConnections &&
      /takes 97 connections, of which 8 are kept.* 2 other services may take 80\. This service needs at least 12/.test(
        error.message,
      ),
  )
  assert.throws(() => share(97, others(), { wanted: 5 }), /^Error: DATABASE_CONNECTIONS is 5\. This service needs/)
})
