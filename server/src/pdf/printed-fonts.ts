import { readFile } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { type Font, openFont } from './font.ts'
import { findFontFiles } from './font-files.ts'

/** One font in the two weights that are printed. */
export interface FontPair {
  readonly regular: Font
  readonly bold: Font
}

/** The fonts for the characters of one document. */
export type PrintedFonts = ReadonlyMap<number, FontPair>

/** Fonts that are ready to be drawn with. One is about 0.2 MB, a school's letters need a handful, those in Chinese about eighty. */
const cache = new LRUCache<string, Promise<FontPair>>({ max: 160 })

/** The letters of Windows-1252, which the fonts that every PDF reader has can show. */
const western = /^[\u0020-\u007e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\n\t]*$/

/** Whether a text is set in the fonts that every PDF reader has. */
export const isWestern = (text: string): boolean => western.test(text)

/**
 * Loads the fonts for some texts, those that are needed for the characters that are not Western. A character that no font has is left out.
 */
export async function loadFonts(texts: Iterable<string>): Promise<PrintedFonts> {
  const letters = new Set<string>()
  for (const text of texts) if (!isWestern(text)) for (const letter of withPlainForms(text)) letters.add(letter)
  const codePoints = [...letters].map((letter) => letter.codePointAt(0) as number)
  const found = new Map<number, FontPair>()
  for (const codePoint of codePoints) {
    const font = await findFont(codePoint)
    if (font !== null) found.set(codePoint, font)
  }
  return found
}

/** The characters of a text that are printed as a question mark: no installed font has them, with or without their marks. */
export async function findUnprintable(text: string): Promise<string[]> {
  const letters = new Set(text.normalize('NFC').replace(/[\s\p{C}]/gu, ''))
  const missing: string[] = []
  for (const letter of letters) {
    const forms = [letter, withoutMarks(letter)]
    const fonts = await Promise.all(forms.map((form) => findFont(form.codePointAt(0) ?? -1)))
    if (!isWestern(letter) && fonts.every((font) => font === null)) missing.push(letter)
  }
  return missing
}

/** The font for a code point, or null where no installed font has it. */
async function findFont(codePoint: number): Promise<FontPair | null> {
  for (const { path } of findFontFiles(codePoint)) {
    const font = await openFontPair(path)
    if (font.regular.hasGlyphForCodePoint(codePoint)) return font
  }
  return null
}

function openFontPair(path: string): Promise<FontPair> {
  let font = cache.get(path)
  if (font === undefined) {
    font = instantiate(path)
    cache.set(path, font)
    font.catch(() => cache.delete(path))
  }
  return font
}

/** The two weights of a variable font, which pdfkit cannot draw as it is. */
async function instantiate(path: string): Promise<FontPair> {
  // Loaded when something is first printed: it would be a good part of the service's start.
  const { default: subsetFont } = await import('subset-font')
  const variable = await readFile(path)
  const atWeight = async (wght: number) =>
    openFont(
      await subsetFont(variable, undefined, { targetFormat: 'truetype', keepAllGlyphs: true, variationAxes: { wght } }),
    )
  return { regular: await atWeight(400), bold: await atWeight(700) }
}

const undecomposed: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ħ: 'h', ı: 'i', '′': "'" }

/** Windows-1252 and the ellipsis of what is cut off: what stands beside other scripts is set in one style with them. */
const always = [
  ...Array.from({ length: 0xe0 }, (_, index) => String.fromCodePoint(index + 0x20)),
  ...'€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ',
]

/** The characters of a text in composed form (NFC), those without marks that stand for what no font has, and the Western ones. */
function withPlainForms(text: string): string[] {
  const composed = text.normalize('NFC')
  return [...composed, ...composed.normalize('NFD'), ...always]
}

/** A text without its marks, for characters that no font has. */
export function withoutMarks(letter: string): string {
  return undecomposed[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, '')
}
