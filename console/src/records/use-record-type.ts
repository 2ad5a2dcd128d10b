import type { RecordType } from '@matricula/contract/record-types'
import { useMemo } from 'react'
import { useSession } from '../session/session.tsx'
import { typeAt } from '../shell/type-address.ts'
import { useWords } from '../words/words.tsx'
import { typeNamed } from './field-model.ts'
import type { Reader } from './shown-value.ts'

/** The type that an address means, where the person may read it; else null. */
export function useTypeAt(slug: string): RecordType | null {
  const { rights, may } = useSession()
  return useMemo(() => {
    const readable = rights.map(({ type }) => type).filter((type) => may(type, 'read'))
    const name = typeAt(slug, readable)
    return (name === null ? undefined : typeNamed(name)) ?? null
  }, [slug, rights, may])
}

/** How this person reads values. */
export function useReader(): Reader {
  const { language, named } = useWords()
  const { tenant } = useSession()
  return useMemo(() => ({ language, named, currency: tenant.currency }), [language, named, tenant])
}
