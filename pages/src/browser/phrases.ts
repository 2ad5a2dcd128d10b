/** What the page gave its script to say, in the page's language. */
const phrases = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as Record<string, string>

/** A phrase with what is put in at its names in braces. */
export function phrase(name: string, values: Readonly<Record<string, string>> = {}): string {
  return (phrases[name] ?? '').replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '')
}

/** What a problem document says (RFC 9457); the service says it in the page's language. */
export function findDetail(text: string): string | null {
  try {
    return (JSON.parse(text) as { detail?: string }).detail ?? null
  } catch {
    return null
  }
}

/** The page's language. */
export const language = document.documentElement.lang

/** Says something to whoever listens to the page; the same again is said again. */
export function announce(text: string): void {
  const live = document.getElementById('live')
  if (live === null) return
  live.textContent = live.textContent === text ? `${text}\u00a0` : text
}
