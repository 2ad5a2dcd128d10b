import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The fonts of printed pages: names that pdfkit has itself, or files. */
export interface PrintedFonts {
  readonly regular: string
  readonly bold: string
  /** Makes a text one that the fonts have letters for. */
  readonly printable: (text: string) => string
}

const builtIn = { regular: 'Helvetica', bold: 'Helvetica-Bold' }

/** Where systems keep fonts with the letters of most languages, and what they are called there. */
const systemFonts = [
  ['/usr/share/fonts/truetype/noto', 'NotoSans-Regular.ttf', 'NotoSans-Bold.ttf'],
  ['/usr/share/fonts/noto', 'NotoSans-Regular.ttf', 'NotoSans-Bold.ttf'],
  ['/usr/share/fonts/truetype/dejavu', 'DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'],
  ['/usr/share/fonts/dejavu', 'DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'],
  ['/usr/share/fonts/TTF', 'DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'],
  ['/Library/Fonts', 'Arial Unicode.ttf', 'Arial Unicode.ttf'],
  ['/System/Library/Fonts/Supplemental', 'Arial.ttf', 'Arial Bold.ttf'],
  ['C:\\Windows\\Fonts', 'arial.ttf', 'arialbd.ttf'],
] as const

/** The letters of Windows-1252, which the fonts that every PDF reader has can show. */
const western = /^[\u0020-\u007e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/

/**
 * The fonts for some texts: those of every PDF reader where they do, else the first on this system that has more letters. Where
 * there is none, letters lose the marks that cannot be shown, and those of other scripts become question marks.
 */
export function fontsFor(texts: readonly string[]): PrintedFonts {
  if (texts.every((text) => western.test(text))) return { ...builtIn, printable: (text) => text }
  for (const [folder, regular, bold] of systemFonts) {
    const files = { regular: join(folder, regular), bold: join(folder, bold) }
    if (existsSync(files.regular) && existsSync(files.bold)) return { ...files, printable: (text) => text }
  }
  return { ...builtIn, printable: asWestern }
}

const undecomposed: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ħ: 'h', ı: 'i', '′': "'" }

/** A text in the letters of Windows-1252. */
export function asWestern(text: string): string {
  return [...text]
    .map((letter) => {
      if (western.test(letter)) return letter
      const plain = undecomposed[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, '')
      return western.test(plain) ? plain : '?'
    })
    .join('')
}
