import type { Module, Scope } from '../access.ts'
import { sharedOperations } from './index.ts'

/**
 * The modules that people need for an operation. `platform_integrations` is none: it opens the Client API to programs,
 * and an institution without any has people all the same.
 */
export function modulesForPeople(modules: readonly Module[]): Module[] {
  return modules.filter((module) => module !== 'platform_integrations')
}

/** The modules without which people cannot use what a scope opens, by scope. */
export const scopeModules: ReadonlyMap<Scope, readonly Module[]> = new Map(
  Object.values(sharedOperations).flatMap(({ scope, modules }) =>
    scope === null ? [] : [[scope, modulesForPeople(modules)] as const],
  ),
)
