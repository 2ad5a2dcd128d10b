import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '../session/session.tsx'

/** What the address of a screen names, by the groups of its pattern. */
export interface Named {
  readonly type: string
  readonly name: string
  readonly date: string
}

/** Asks for what a screen will show, before it is shown; whoever needs it asks again, and says what is wrong. */
export type Prefetch = (queries: QueryClient, session: Session, named: Named) => Promise<void>
