/**
 * A text as it is searched, so that names are found as people type them: without marks (`jose` finds `José`), in lower
 * case of any language (`IŞIK` finds `Işık`), full-width and other compatibility forms as plain ones (Unicode Standard
 * Annex 15, NFKD), letters that have no mark to lose by their nearest (`ł`, `ø`, `ß`, `đ`, …), without apostrophes.
 * The function `fold_for_search` of the database gives the same.
 */
export function foldForSearch(text: string): string {
  // The marks that a text has go first: to put many into order takes time by the square of their number.
  return withoutMarks(withoutMarks(text).replaceAll('´', "'").normalize('NFKD'))
    .toLowerCase()
    .normalize('NFC')
    .replace(special, (letter) => letters[letter] ?? '')
}

function withoutMarks(text: string): string {
  return text.replace(/\p{M}+/gu, '')
}

/** Letters that Unicode does not take apart, by what people type for them; spellings of Arabic that writers mix. */
const letters: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ı: 'i', ħ: 'h', ŋ: 'n', ŧ: 't', þ: 'th', ß: 'ss', æ: 'ae', œ: 'oe', ς: 'σ' },
  ...{ ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه' },
}

/** The letters above, and what is left out: apostrophes and what is typed for them, and the Arabic tatweel. */
const special = /[łøđðıħŋŧþßæœςىیکة'’‘‛ʼʻʹʿʾ`′ـ]/g

/** What a record is found by: the parts that it has, folded, one per line. */
export function searchText(...parts: (string | null | undefined)[]): string {
  return foldForSearch(parts.filter((part) => part).join('\n'))
}

/** Characters of Chinese, Japanese and Korean, which are written without spaces, family name first or last. */
const withoutSpaces = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]|[\ud840-\ud87f][\udc00-\udfff]/g

/**
 * LIKE patterns all of which match a folded text that has the words of a search, in any order; the wildcards of LIKE
 * are plain characters. Each character of Chinese, Japanese and Korean counts as a word. None for an empty search.
 */
export function searchPatterns(search: string): string[] {
  const terms = foldForSearch(search)
    .replace(withoutSpaces, ' $& ')
    .split(/[\s\u3000-]+/)
  const given = new Set(terms.filter((word) => word !== ''))
  return [...given].map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
}
