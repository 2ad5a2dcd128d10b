import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type Session, useSession } from '../session/session.tsx'
import { type ShownType, typeSeenBy } from './form/field-model.ts'
import { loadType } from './load-type.ts'

/** What is declared of a type: asked for once. */
export const declaredTypeQuery = (name: string, customFieldTypes: readonly string[]) => ({
  queryKey: ['type', name, customFieldTypes.includes(name)],
  queryFn: () => loadType(name, customFieldTypes),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** What is shown of a declared type to a person. */
export function seenBy({ user, may }: Pick<Session, 'user' | 'may'>, type: ShownType): ShownType {
  return typeSeenBy(type, user.roles, (other) => may(other, 'read'))
}

/** What is shown of a type to this person, with the institution's own fields; asks for nothing where the name is null. */
export function useShownType(name: string | null): UseQueryResult<ShownType | null> {
  const { user, customFieldTypes, may } = useSession()
  const select = useCallback(
    (type: ShownType | null) => (type === null ? null : seenBy({ user, may }, type)),
    [user, may],
  )
  return useQuery({ ...declaredTypeQuery(name ?? '', customFieldTypes), select, enabled: name !== null })
}
