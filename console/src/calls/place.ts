const found = /^(\/t\/[^/]+)?\/console(?=\/|$)/.exec(globalThis.location?.pathname ?? '/console')

/** The address of the institution, from the root: empty on its own host, else `/t/` with its slug. */
export const institutionPath = found?.[1] ?? ''

/** Where the console stands there, without a slash at the end. */
export const consolePath = `${institutionPath}/console`

/** The address of a file that the institution keeps, or of one on the web; null for any other text: what somebody typed opens nothing. */
export function addressOfFile(text: string): string | null {
  if (/^\/(?:private\/)?files\//.test(text)) return institutionPath + text
  return /^https?:\/\//.test(text) ? text : null
}

/**
 * The address of a file that the institution keeps; null for any other text. A page may ask for it by itself, because it names a single
 * file below those of the institution: no other place of it, and none elsewhere, whatever was typed into a field.
 */
export function getStoredFileAddress(text: string): string | null {
  const [, name] = /^\/(?:private\/)?files\/([^/\\?#\p{Cc}]+)$/u.exec(text) ?? []
  if (name === undefined || /^(?:\.|%2e){1,2}$/i.test(name) || /%(?:2f|5c)/i.test(name)) return null
  return institutionPath + text
}
