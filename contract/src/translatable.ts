import { Type } from 'typebox'
import { type PublicLocale, publicLocales } from './client-api/document-requests.ts'
import { text } from './schema.ts'

/** A text for people: in the institution's own language, or in several by language, of which that is one. */
export function translatable(description: string, maxLength: number, minLength = 0) {
  const plain = text(description, maxLength, minLength)
  return Type.Unsafe<string | Partial<Record<PublicLocale, string>>>({
    ...plain,
    type: ['string', 'object'],
    minProperties: 1,
    properties: Object.fromEntries(publicLocales.map((locale) => [locale, plain])),
    additionalProperties: false,
  })
}
