/** A text as it is searched: without accents, in lower case, so that `jose` finds `José`. */
export function foldForSearch(text: string): string {
  // The marks that a text has go first: to put many into order takes time by the square of their number.
  return withoutMarks(withoutMarks(text).normalize('NFKD')).toLowerCase()
}

function withoutMarks(text: string): string {
  return text.replace(/\p{M}+/gu, '')
}

/** What a record is found by: the parts that it has, folded, one per line. */
export function searchText(...parts: (string | null | undefined)[]): string {
  return foldForSearch(parts.filter((part) => part).join('\n'))
}

/** A LIKE pattern that matches the folded text anywhere, with the wildcards of LIKE taken as plain characters. */
export function likeAnywhere(search: string): string {
  return `%${foldForSearch(search).replace(/[\\%_]/g, '\\$&')}%`
}
