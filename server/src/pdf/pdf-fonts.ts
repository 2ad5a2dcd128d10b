import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** A font: a name that pdfkit has itself, or a file, with the name of the face where the file has several. */
export interface PrintedFont {
  readonly source: string
  readonly face?: string
}

/** The fonts of one kind of letters. */
export interface PrintedFonts {
  readonly regular: PrintedFont
  readonly bold: PrintedFont
}

const builtIn: PrintedFonts = { regular: { source: 'Helvetica' }, bold: { source: 'Helvetica-Bold' } }

/**
 * Where systems keep fonts with the letters of many languages, and what they are called there; the more common ones
 * first.
 */
const systemFonts: readonly (readonly [folder: string, regular: string, bold: string, face?: string])[] = [
  ['/usr/share/fonts/truetype/noto', 'NotoSans-Regular.ttf', 'NotoSans-Bold.ttf'],
  ['/usr/share/fonts/noto', 'NotoSans-Regular.ttf', 'NotoSans-Bold.ttf'],
  ['/usr/share/fonts/truetype/dejavu', 'DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'],
  ['/usr/share/fonts/dejavu', 'DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'],
  ['/usr/share/fonts/TTF', 'DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'],
  ['/System/Library/Fonts/Supplemental', 'Arial.ttf', 'Arial Bold.ttf'],
  ['C:\\Windows\\Fonts', 'arial.ttf', 'arialbd.ttf'],
  ...[
    'Arabic',
    'Hebrew',
    'Devanagari',
    'Bengali',
    'Tamil',
    'Telugu',
    'Thai',
    'Ethiopic',
    'Georgian',
    'Armenian',
  ].flatMap((script) =>
    ['/usr/share/fonts/truetype/noto', '/usr/share/fonts/noto'].map(
      (folder) => [folder, `NotoSans${script}-Regular.ttf`, `NotoSans${script}-Bold.ttf`] as const,
    ),
  ),
  ['/usr/share/fonts/truetype/wqy', 'wqy-microhei.ttc', 'wqy-microhei.ttc', 'WenQuanYiMicroHei'],
  ['/usr/share/fonts/truetype/wqy', 'wqy-zenhei.ttc', 'wqy-zenhei.ttc', 'WenQuanYiZenHei'],
  ['/usr/share/fonts/truetype/droid', 'DroidSansFallbackFull.ttf', 'DroidSansFallbackFull.ttf'],
  ['/usr/share/fonts-droid-fallback/truetype', 'DroidSansFallback.ttf', 'DroidSansFallback.ttf'],
  ['/Library/Fonts', 'Arial Unicode.ttf', 'Arial Unicode.ttf'],
  ['/System/Library/Fonts/Supplemental', 'Arial Unicode.ttf', 'Arial Unicode.ttf'],
  ['C:\\Windows\\Fonts', 'simhei.ttf', 'simhei.ttf'],
]

/** The fonts of this system that have more letters than those of every reader of PDF. */
export function installedFonts(): readonly PrintedFonts[] {
  return systemFonts.flatMap(([folder, regular, bold, face]) => {
    const [source, boldSource] = [join(folder, regular), join(folder, bold)]
    if (!existsSync(source) || !existsSync(boldSource)) return []
    const named = face === undefined ? {} : { face }
    return [{ regular: { source, ...named }, bold: { source: boldSource, ...named } }]
  })
}

/** The letters of Windows-1252, which the fonts that every PDF reader has can show. */
const western = /^[\u0020-\u007e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\n]*$/

/** A text as it is printed, and the fonts for it. */
export interface FittingText {
  readonly text: string
  readonly fonts: PrintedFonts
}

/**
 * The fonts for a text: those of every PDF reader where they do, else the first of some that has all of its letters,
 * or most of them. Letters that it lacks lose their marks, and those of which nothing is left become question marks.
 */
export function fittingText(
  text: string,
  installed: readonly PrintedFonts[],
  hasLetter: (font: PrintedFont, codePoint: number) => boolean,
): FittingText {
  if (western.test(text)) return { text, fonts: builtIn }
  const letters = [...new Set(text.replace(/\s/g, ''))]
  let best: FittingText = { text: withoutMissing(text, (letter) => western.test(letter)), fonts: builtIn }
  let max = letters.filter((letter) => western.test(letter)).length
  for (const fonts of installed) {
    const has = (letter: string) => hasLetter(fonts.regular, letter.codePointAt(0) as number)
    const count = letters.filter(has).length
    if (count <= max) continue
    max = count
    best = { text: withoutMissing(text, has), fonts }
    if (count === letters.length) break
  }
  return { ...best, text: inOrderOfReading(best.text) }
}

const undecomposed: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ħ: 'h', ı: 'i', '′': "'" }

function withoutMissing(text: string, has: (letter: string) => boolean): string {
  return [...text]
    .map((letter) => {
      if (/\s/.test(letter) || has(letter)) return letter
      const plain = undecomposed[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, '')
      return plain !== '' && [...plain].every(has) ? plain : '?'
    })
    .join('')
}

const rightToLeft = '[\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}]'
const spaceBetween = new RegExp(` (?<=${rightToLeft}\\p{M}* )(?=${rightToLeft})`, 'gu')
const spaceAfter = new RegExp(` (?<=${rightToLeft}\\p{M}* )(?=\\S)`, 'gu')

/**
 * Words are set one by one from left to right, each with the space behind it. Those that are read the other way must
 * be one to stand in their order, and have their own space before them, so that another must follow.
 */
function inOrderOfReading(text: string): string {
  return text.replace(spaceBetween, '\u00a0').replace(spaceAfter, '  ')
}
