import { formatSize, typesText } from './file-words.ts'
import { language, phrase } from './phrases.ts'

/** What a place takes. No types at all: any. */
export interface FileLimits {
  readonly types: readonly string[]
  readonly maxBytes: number
}

/** Why a file would be refused, in words, or null. What the browser cannot tell is left to the service. */
export function findError(file: File, { types, maxBytes }: FileLimits): string | null {
  const { name, size, type } = file
  if (size === 0) return phrase('empty', { name })
  if (size > maxBytes) {
    return phrase('tooLarge', { name, size: formatSize(language, size), limit: formatSize(language, maxBytes) })
  }
  if (types.length > 0 && type !== '' && !types.includes(type)) {
    return phrase('wrongType', { name, types: typesText(language, types) })
  }
  return null
}
