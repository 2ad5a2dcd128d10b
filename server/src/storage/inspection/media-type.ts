const token = "[a-z0-9!#$%&'*+.^_`|~-]+"
const form = new RegExp(`^${token}/${token}$`)

/**
 * Type and subtype of a media type in lower case, without its parameters (RFC 9110 §8.3.1): `Text/CSV; charset=utf-8`
 * is `text/csv`. Null when it is not one, or longer than 127 characters to each side of the slash (RFC 6838 §4.2).
 */
export function findMediaType(text: string): string | null {
  const essence = (text.split(';', 1)[0] as string).trim().toLowerCase()
  if (!form.test(essence)) return null
  return essence.split('/').every((part) => part.length <= 127) ? essence : null
}

/** The same media type. Throws a TypeError when it has parameters, capitals or another form. */
export function requireMediaType(text: string): string {
  if (findMediaType(text) !== text)
    throw new TypeError('a media type is type/subtype in lower case, without parameters')
  return text
}
