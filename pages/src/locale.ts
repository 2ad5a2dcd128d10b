import { type Locale, locales } from './messages/index.ts'

/** The language of a tag such as `es-MX`, or null when the pages do not speak it (lookup of RFC 4647 §3.4). */
export function findLocale(tag: string | null | undefined): Locale | null {
  const language = tag?.trim().toLowerCase().split('-')[0]
  return locales.find((locale) => locale === language) ?? null
}

/**
 * The language of a page: the one that the visitor chose on it, else the one that the institution gave the page, else the best of
 * their browser's `Accept-Language` (RFC 9110 §12.5.4), else the institution's own.
 */
export function chooseLocale(
  explicit: string | null | undefined,
  acceptLanguage: string | undefined,
  ofThePage: string | null = null,
  ofTheInstitution: string | null = null,
): Locale {
  return (
    findLocale(explicit) ??
    findLocale(ofThePage) ??
    preferred(acceptLanguage ?? '') ??
    findLocale(ofTheInstitution) ??
    'en'
  )
}

function preferred(acceptLanguage: string): Locale | null {
  let best: { locale: Locale; weight: number } | null = null
  for (const part of acceptLanguage.split(',').slice(0, 50)) {
    const [tag, ...parameters] = part.split(';')
    const locale = findLocale(tag)
    const weight = getWeight(parameters)
    if (locale !== null && weight > (best?.weight ?? 0)) best = { locale, weight }
  }
  return best?.locale ?? null
}

/** From 0, which excludes, to 1, which is meant where nothing is said. What cannot be read excludes. */
function getWeight(parameters: readonly string[]): number {
  const pairs = parameters.map((parameter) => parameter.split('=', 2).map((part) => part.trim()))
  const text = pairs.find(([name, value]) => name?.toLowerCase() === 'q' && value)?.[1]
  if (text === undefined) return 1
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0
}
