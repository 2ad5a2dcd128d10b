import { clientApi } from '../client-api/index.ts'
import type { Operation } from '../operation.ts'
import { bootOperations } from './boot.ts'

/** The operations of the console's own, by their ids. */
export const consoleApi = {
  ...bootOperations,
} satisfies Record<string, Operation>

const { getTokenContext: _, ...shared } = clientApi

/** The operations of the Client API that are mounted at the console's door as well: all but the one that tells of a token. */
export const sharedOperations: Readonly<Record<string, Operation>> = shared
