import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A file of a font: a part of the characters of one script. */
export interface FontFile {
  readonly path: string
  /** First and last code points. */
  readonly ranges: readonly (readonly [first: number, last: number])[]
}

/**
 * The fonts that are installed with the product, as `@fontsource-variable/…` packages, in the order in which they are asked for a
 * character. Vazirmatn has one glyph for each letter of Arabic, so that what is read back are letters; Noto draws letters and dots apart.
 * Chinese comes before Japanese and Korean: characters that they share are drawn as in mainland China.
 */
const families = [
  'noto-sans',
  'vazirmatn',
  'noto-sans-arabic',
  'noto-sans-hebrew',
  'noto-sans-devanagari',
  'noto-sans-bengali',
  'noto-sans-gurmukhi',
  'noto-sans-gujarati',
  'noto-sans-oriya',
  'noto-sans-tamil',
  'noto-sans-telugu',
  'noto-sans-kannada',
  'noto-sans-malayalam',
  'noto-sans-sinhala',
  'noto-sans-thai',
  'noto-sans-lao',
  'noto-sans-khmer',
  'noto-sans-myanmar',
  'noto-serif-tibetan',
  'noto-sans-georgian',
  'noto-sans-armenian',
  'noto-sans-ethiopic',
  'noto-sans-syriac',
  'noto-sans-thaana',
  'noto-sans-cherokee',
  'noto-sans-canadian-aboriginal',
  'noto-sans-adlam',
  'noto-sans-sc',
  'noto-sans-kr',
  'noto-sans-jp',
] as const

const { resolve } = createRequire(import.meta.url)

/** CSS's `unicode-range`: `U+102-103, U+2116` (CSS Fonts 4, section 4.5). */
function parseRanges(text: string): [number, number][] {
  return text.split(',').map((range) => {
    const [first, last] = range
      .trim()
      .slice(2)
      .split('-')
      .map((digits) => Number.parseInt(digits, 16)) as [number, number?]
    return [first, last ?? first]
  })
}

let files: readonly FontFile[] | undefined

/** Every file of the installed fonts, read once. */
function listFontFiles(): readonly FontFile[] {
  files ??= families.flatMap((family) => {
    const subsets = resolve(`@fontsource-variable/${family}/unicode.json`)
    const ranges = JSON.parse(readFileSync(subsets, 'utf8')) as Record<string, string>
    return Object.entries(ranges).map(([subset, text]) => {
      const name = `${family}-${subset.replace(/[[\]]/g, '')}-wght-normal.woff2`
      return { path: join(dirname(subsets), 'files', name), ranges: parseRanges(text) }
    })
  })
  return files
}

const candidates = new Map<number, readonly FontFile[]>()

/** The files that say to have a code point, the first the best. */
export function findFontFiles(codePoint: number): readonly FontFile[] {
  let found = candidates.get(codePoint)
  if (found === undefined) {
    found = listFontFiles().filter(({ ranges }) =>
      ranges.some(([first, last]) => codePoint >= first && codePoint <= last),
    )
    candidates.set(codePoint, found)
  }
  return found
}
