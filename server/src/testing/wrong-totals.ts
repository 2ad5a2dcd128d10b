import { wrongTotals as wrongTotalsOf } from '../commands/wrong-totals.ts'
import type { TestService } from './test-service.ts'

/** The lists whose kept totals are not those of their rows, in any tenant of the service, as `matricula doctor` finds them. */
export function wrongTotals(service: TestService): Promise<string[]> {
  return wrongTotalsOf((text, values) => service.database.inspect(text, values))
}
