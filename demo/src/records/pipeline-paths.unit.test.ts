import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defaultPipeline } from '../demo.fixture.ts'
import { Random } from '../random.ts'
import { type PipelineStep, pathTo } from './pipeline-paths.ts'

const categories = ['open', 'accepted', 'rejected', 'withdrawn', 'enrolled'] as const

const pipelines = fc.integer({ min: 1, max: 7 }).chain((size) => {
  const keys = Array.from({ length: size }, (_, index) => `status_${index}`)
  return fc.tuple(
    ...keys.map((key, index) =>
      fc.record({
        key: fc.constant(key),
        category: fc.constantFrom(...categories),
        isInitial: fc.constant(index === 0),
        allowedNext: fc.option(fc.subarray(keys), { nil: null }),
      }),
    ),
  )
})

test('a path ends at its status and makes no move that the pipeline forbids', () => {
  fc.assert(
    fc.property(pipelines, fc.nat(), fc.integer(), (pipeline, choice, start) => {
      const target = pipeline[choice % pipeline.length] as PipelineStep
      const path = pathTo(new Random(start, 0, 0, 0), pipeline, target)
      assert.equal(path.at(-1), target.key)
      assert.equal(new Set(path).size, path.length)
      for (const [index, key] of path.slice(1).entries()) {
        const before = pipeline.find((step) => step.key === path[index])
        assert.ok(before?.allowedNext === null || before?.allowedNext?.includes(key))
      }
    }),
  )
})

test('the enrolled were new at first and accepted before', () => {
  const enrolled = defaultPipeline.at(-1) as PipelineStep
  for (let start = 0; start < 50; start += 1) {
    const path = pathTo(new Random(start, 0, 0, 0), defaultPipeline, enrolled)
    assert.equal(path[0], 'new')
    assert.deepEqual(path.slice(-2), ['accepted', 'enrolled'])
  }
})
