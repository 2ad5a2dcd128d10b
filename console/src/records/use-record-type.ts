import type { RecordType } from '@matricula/contract/record-types'
import { useCallback, useMemo } from 'react'
import type { Right } from '../calls/session-calls.ts'
import { useSession } from '../session/session.tsx'
import { typeAt } from '../shell/type-address.ts'
import { useWords } from '../words/words.tsx'
import { typeNamed, typeSeenBy } from './field-model.ts'
import type { Reader } from './shown-value.ts'

/** The type that an address means, where the person may read it; else null. */
export function useTypeAt(slug: string): RecordType | null {
  const { rights, may, user } = useSession()
  return useMemo(() => {
    const readable = rights.map(({ type }) => type).filter((type) => may(type, 'read'))
    const name = typeAt(slug, readable)
    const type = name === null ? undefined : typeNamed(name)
    return type === undefined ? null : typeSeenBy(type, user.roles)
  }, [slug, rights, may, user])
}

/** What the person may do with records of a type: by right, and nothing but read where another system keeps them. */
export function useRights({ name, domain }: RecordType): (right: Right) => boolean {
  const { may, ownerElsewhere } = useSession()
  const isElsewhere = ownerElsewhere(domain) !== null
  return useCallback((right) => may(name, right) && (right === 'read' || !isElsewhere), [may, name, isElsewhere])
}

/** How this person reads values. */
export function useReader(): Reader {
  const { language, named } = useWords()
  const { tenant } = useSession()
  return useMemo(() => ({ language, named, currency: tenant.currency }), [language, named, tenant])
}
