import { bootOperations } from '@matricula/contract'
import { implement, type Route } from '../../http/implement.ts'
import type { RecordRegistry } from '../../records/index.ts'
import { readBoot } from './boot.ts'

/** What answers the console's own operations about the session and the rights of who has it. */
export function consoleRoutes(registry: RecordRegistry): Route[] {
  return implement(bootOperations, {
    getBoot: async (database, request) => ({ record: await readBoot(database, request, registry), entityTag: null }),
  })
}
