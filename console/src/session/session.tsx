import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { CallError } from '../calls/http.ts'
import { type Boot, boot, type Right } from '../calls/session-calls.ts'

/** Who is logged in and what such a one may do. */
export interface Session extends Boot {
  may(type: string, right: Right): boolean
  has(scope: string): boolean
  /** Who keeps a domain elsewhere, so that it is only read here; else null. */
  ownerElsewhere(domain: string | undefined): string | null
}

const SessionContext = createContext<Session | null>(null)

/** The session that everything below the log-in has. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('nobody is logged in here')
  return session
}

interface Props {
  readonly children: ReactNode
  readonly logIn: ReactNode
  readonly waiting: ReactNode
  readonly failed: (error: Error, again: () => void) => ReactNode
}

/** Who is there. It is asked before anything is drawn, and not again by what is drawn then. */
export const bootQuery = { queryKey: ['boot'], queryFn: boot, staleTime: 300_000, retryOnMount: false }

/** Asks who is there before anything is shown; a guest gets the log-in. */
export function SessionGate({ children, logIn, waiting, failed }: Props) {
  const { data, error, refetch } = useQuery(bootQuery)
  const session = useMemo(() => (data === undefined ? null : getSession(data)), [data])
  if (session !== null) return <SessionContext value={session}>{children}</SessionContext>
  if (error instanceof CallError && (error.status === 401 || error.status === 403)) return logIn
  if (error !== null) return failed(error, () => void refetch())
  return waiting
}

/** What is known of whoever is there. */
export function getSession(response: Boot): Session {
  const rights = new Map(response.rights.map(({ type, rights: own }) => [type, new Set(own)]))
  return {
    ...response,
    may: (type, right) => rights.get(type)?.has(right) === true,
    has: (scope) => response.scopes.includes(scope),
    ownerElsewhere: (domain) => {
      const owner = domain === undefined ? undefined : response.systemOfRecord[domain]
      return owner?.value === 'integration' ? (owner.owner ?? '') : null
    },
  }
}
