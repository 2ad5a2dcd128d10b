import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/**
 * A reporter for node's test runner that tells of what failed or was skipped, and last of how many tests there were.
 * @public by its address, see `run-tests.ts`
 */
export default async function* failuresReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  let passed = 0
  let failed = 0
  for await (const event of events) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { name, file, line, skip, details } = event.data
    if (skip !== undefined) yield `- ${name}: skipped, ${skip}\n`
    if (event.type === 'test:pass') passed += 1
    if (event.type !== 'test:fail') continue
    failed += 1
    const { error } = event.data.details
    yield `✖ ${name}\n  ${file}:${line}, after ${Math.round(details.duration_ms)} ms\n  ${inspect(error.cause ?? error).replaceAll('\n', '\n  ')}\n`
  }
  yield `${passed} tests passed, ${failed} failed\n`
}
