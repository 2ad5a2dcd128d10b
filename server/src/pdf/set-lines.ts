import createBidi, { type Bidi } from 'bidi-js'
import type { Direction, Font } from './font.ts'
import { type FontPair, type PrintedFonts, withoutMarks } from './printed-fonts.ts'

/** Characters that are drawn together: of one font, one direction and one word. */
export interface Run {
  readonly text: string
  readonly font: Font
  readonly direction: Direction
  readonly width: number
}

/** A line of a text that is not Western: its runs from left to right, and what they say in the order of reading. */
export interface Line {
  readonly runs: readonly Run[]
  readonly width: number
  readonly text: string
}

/** How a text is set. */
export interface LineSetting {
  readonly fonts: PrintedFonts
  readonly bold: boolean
  /** The width of a line, in points. */
  readonly width: number
  /** The size of the letters, in points. */
  readonly size: number
}

/** A run before lines are broken. */
interface Piece extends Run {
  /** Even from left to right, odd from right to left (UAX 9, BD2). */
  readonly level: number
}

// Its types are those of a module of the other kind.
const bidi = (createBidi as unknown as () => Bidi)()
const wordSegmenter = new Intl.Segmenter('und', { granularity: 'word' })
const characters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Breaks a text into lines and puts each in the order in which it is drawn: Unicode's bidirectional algorithm (UAX 9), lines broken between
 * words as ICU knows them, so that Chinese, Thai and their like break without spaces.
 */
export function setLines(text: string, setting: LineSetting): Line[] {
  return text
    .normalize('NFC')
    .split('\n')
    .flatMap((paragraph) => breakLines(paragraph, setting))
}

/** The first line of a text, cut off with an ellipsis where there is more. */
export function setOneLine(text: string, setting: LineSetting): Line {
  const [first, second] = setLines(text, setting) as [Line, Line?]
  if (second === undefined) return first
  const letters = [...characters.segment(first.text)].map(({ segment }) => segment)
  while (letters.length > 0) {
    const [line, more] = setLines(`${letters.join('').trimEnd()}…`, setting) as [Line, Line?]
    if (more === undefined && line.width <= setting.width) return line
    letters.pop()
  }
  return first
}

function breakLines(paragraph: string, setting: LineSetting): Line[] {
  const { levels } = bidi.getEmbeddingLevels(paragraph)
  const lines: Line[] = []
  let pieces: Piece[] = []
  let width = 0
  let position = 0
  const add = (part: string): void => {
    const next = cutPieces(part, position, levels, setting)
    const shown = sum(next.filter(({ text }) => text.trim() !== ''))
    if (shown > setting.width && [...part].length > 1) {
      // What is longer than a line breaks anywhere.
      for (const { segment } of characters.segment(part)) add(segment)
      return
    }
    if (pieces.length > 0 && width + shown > setting.width) {
      lines.push(finishLine(pieces))
      pieces = []
      width = 0
    }
    pieces.push(...next)
    width += sum(next)
    position += part.length
  }
  for (const part of unbreakable(paragraph)) add(part)
  lines.push(finishLine(pieces))
  return lines
}

const sum = (pieces: readonly Run[]) => pieces.reduce((total, { width }) => total + width, 0)

/** The parts of a text between which a line may end: words with the spaces and closing marks behind them. */
function unbreakable(text: string): string[] {
  const parts: string[] = []
  let isOpen = false
  for (const { segment, isWordLike } of wordSegmenter.segment(text)) {
    const opens = /^[\p{Ps}\p{Pi}]$/u.test(segment)
    const starts = opens || isWordLike === true
    const last = parts.at(-1)
    if (last === undefined || (starts && !isOpen)) parts.push(segment)
    else parts[parts.length - 1] = last + segment
    isOpen = opens
  }
  return parts
}

/** The runs of a word that begins at a place of a paragraph with these levels. */
function cutPieces(word: string, start: number, levels: Uint8Array, setting: LineSetting): Piece[] {
  const pieces: { text: string; font: Font; level: number; isSpace: boolean }[] = []
  for (const { segment, index } of characters.segment(word)) {
    const level = levels[start + index] ?? 0
    const previous = pieces.at(-1)
    const { text, font } = findLetter(segment, setting, previous?.font)
    const isSpace = /^\s+$/.test(segment)
    if (previous?.font === font && previous.level === level && previous.isSpace === isSpace) {
      previous.text += text
    } else pieces.push({ text, font, level, isSpace })
  }
  return pieces.map(({ text, font, level }) => {
    const direction = level % 2 === 1 ? 'rtl' : 'ltr'
    const width = (font.layout(text, [direction]).advanceWidth * setting.size) / font.unitsPerEm
    return { text, font, level, direction, width }
  })
}

/** What is drawn for a character, and in which font: its own, else without marks, else a question mark. */
function findLetter(
  segment: string,
  { fonts, bold }: LineSetting,
  current: Font | undefined,
): { text: string; font: Font } {
  const pick = (pair: FontPair) => (bold ? pair.bold : pair.regular)
  const find = (text: string): Font | undefined => {
    const codePoint = text.codePointAt(0)
    if (codePoint === undefined) return undefined
    // Spaces, digits and marks stay in the font of the word.
    if (current !== undefined && !/^\p{L}/u.test(text) && current.hasGlyphForCodePoint(codePoint)) return current
    const pair = fonts.get(codePoint)
    return pair && pick(pair)
  }
  const font = find(segment)
  if (font !== undefined) return { text: segment, font }
  const plain = withoutMarks(segment)
  const plainFont = find(plain)
  if (plainFont !== undefined) return { text: plain, font: plainFont }
  return { text: '?', font: find('?') as Font }
}

/** Puts the runs of a line in the order in which they are drawn (UAX 9, rule L2), without the spaces at its end. */
function finishLine(pieces: readonly Piece[]): Line {
  const runs = [...pieces]
  while (runs.at(-1)?.text.trim() === '') runs.pop()
  const text = runs.map(({ text: part }) => part).join('')
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  for (let level = highest; level > 0; level -= 1) {
    for (let start = 0; start < runs.length; start += 1) {
      let end = start
      while ((runs[end]?.level ?? -1) >= level) end += 1
      if (end > start) runs.splice(start, end - start, ...runs.slice(start, end).reverse())
      start = Math.max(start, end)
    }
  }
  return { runs, width: sum(runs), text }
}
