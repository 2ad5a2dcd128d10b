import type { Fault } from '@matricula/contract'
import type { RequestContext } from '../../../changes/index.ts'
import { Problem, validationProblem } from '../../../errors/index.ts'
import { isFinerThanMinorUnit } from '../../../money/index.ts'
import { todayIn } from '../../../tenancy/index.ts'

/** Throws `validation_failed` for a day after today in the institution's time zone. */
export function requireNotInFuture(context: RequestContext, field: string, day: string): void {
  if (day <= todayIn(context.tenant.timeZone)) return
  const fault: Fault = { in: 'body', pointer: `#/${field}`, code: 'too_large', detail: 'must not be in the future' }
  throw validationProblem([fault])
}

/** Throws `rule_violated` (`finer_than_minor_unit`) for an amount that its currency has no coin for. */
export function requireMinorUnits(currency: string, amounts: readonly number[]): void {
  const finer = amounts.find((amount) => isFinerThanMinorUnit(amount, currency))
  if (finer === undefined) return
  throw ruleProblem('finer_than_minor_unit', `${finer} has more digits than ${currency} has. Round it.`)
}

/** A rule that is broken, with what would be accepted. */
export function ruleProblem(rule: string, detail: string): Problem {
  return new Problem('rule_violated', detail, { rule })
}
