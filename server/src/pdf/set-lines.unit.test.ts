import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { findUnprintable, loadFonts, type PrintedFonts } from './printed-fonts.ts'
import { setLines, setOneLine } from './set-lines.ts'

const texts = ['Łukasz Żółć', 'محمد (الصف 3)', '王小明是一名學生。', 'Анна Ковалёва', 'ḁ']
let fonts: PrintedFonts

before(async () => {
  fonts = await loadFonts(texts)
})

const setting = (width: number) => ({ fonts, bold: false, size: 10, width })
const drawn = (text: string, width = 500) =>
  setLines(text, setting(width)).map(({ runs }) => runs.map((run) => run.text).join('|'))

test('words that are read from right to left are drawn from right to left, numbers among them from left to right', () => {
  const [line] = setLines('محمد (الصف 3)', setting(500))
  assert.deepEqual(
    line?.runs.map(({ text, direction }) => [text, direction]),
    [
      [')', 'rtl'],
      ['3', 'ltr'],
      [' ', 'rtl'],
      ['الصف', 'rtl'],
      ['(', 'rtl'],
      [' ', 'rtl'],
      ['محمد', 'rtl'],
    ],
  )
  assert.equal(line?.text, 'محمد (الصف 3)')
})

test('a line ends between words, in Chinese between characters, and never before a closing mark', () => {
  assert.deepEqual(drawn('Анна Ковалёва', 60), ['Анна', 'Ковалёва'])
  const lines = setLines('王小明是一名學生。', setting(41)).map(({ text }) => text)
  assert.equal(lines.join(''), '王小明是一名學生。')
  assert.ok(lines.length >= 3)
  assert.ok(lines.every((line) => !line.startsWith('。')))
})

test('a word that is wider than the line breaks inside', () => {
  const lines = setLines('Ж'.repeat(40).replaceAll('Ж', 'а'), setting(50))
  assert.ok(lines.length > 3)
  assert.ok(lines.every(({ width }) => width <= 50))
})

test('what does not fit into one line is cut off with an ellipsis', () => {
  const line = setOneLine('Анна Ковалёва', setting(50))
  assert.ok(line.width <= 50)
  assert.match(line.text, /^Анна.*…$/)
  assert.equal(setOneLine('Анна', setting(50)).text, 'Анна')
})

test('a character that no font has loses its marks, or is a question mark', async () => {
  assert.deepEqual(drawn('Łukasz 😀'), ['Ł|ukasz| |?'])
  assert.deepEqual(await findUnprintable('Łukasz 王 محمد 😀 \u{1F680}'), ['😀', '\u{1F680}'])
})
