import type { Language } from './messages.tsx'

/** What records of a type are for, in a language but English, where the declaration of the type says it; loaded where it is asked for. */
export async function purposesIn(language: Language): Promise<Readonly<Record<string, string>>> {
  if (language === 'es') return (await import('./spanish-purposes.ts')).spanishPurposes
  return language === 'pt' ? (await import('./portuguese-purposes.ts')).portuguesePurposes : {}
}
