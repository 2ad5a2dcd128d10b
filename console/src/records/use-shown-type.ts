import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useSession } from '../session/session.tsx'
import { type ShownType, typeSeenBy } from './form/field-model.ts'
import { loadType } from './load-type.ts'

/** What is shown of a type to this person, with the institution's own fields; asks for nothing where the name is null. */
export function useShownType(name: string | null): UseQueryResult<ShownType | null> {
  const { user, customFieldTypes, may } = useSession()
  const { roles } = user
  const select = useCallback(
    (type: ShownType | null) => (type === null ? null : typeSeenBy(type, roles, (other) => may(other, 'read'))),
    [roles, may],
  )
  return useQuery({
    queryKey: ['type', name, name !== null && customFieldTypes.includes(name)],
    queryFn: () => loadType(name ?? '', customFieldTypes),
    select,
    enabled: name !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}
