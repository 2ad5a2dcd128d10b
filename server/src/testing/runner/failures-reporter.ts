import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** How many lines are told of a failure. */
const maxLines = 40

/**
 * A reporter for node's test runner that tells, when all have run, of what was skipped and what failed, and last of how many
 * tests there were: whoever sees but the end of a long run sees what to mend.
 * @public by its address, see `run-tests.ts`
 */
export default async function* failuresReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  let passed = 0
  const skips: string[] = []
  const failures: string[] = []
  for await (const event of events) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { name, file, line, skip, details } = event.data
    if (skip !== undefined) skips.push(`- ${name}: skipped, ${skip}\n`)
    if (event.type === 'test:pass') passed += 1
    if (event.type !== 'test:fail') continue
    const { error } = event.data.details
    const lines = inspect(error.cause ?? error).split('\n', maxLines)
    failures.push([`✖ ${name}`, `${file}:${line}, after ${Math.round(details.duration_ms)} ms`, ...lines].join('\n  '))
  }
  yield* skips
  for (const failure of failures) yield `${failure}\n`
  yield `${passed} tests passed, ${failures.length} failed\n`
}
