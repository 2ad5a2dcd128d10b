import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fittingText, type PrintedFont, type PrintedFonts } from './pdf-fonts.ts'

const aFont = (name: string): PrintedFonts => ({ regular: { source: name }, bold: { source: `${name} Bold` } })
const [slavic, chinese] = [aFont('Slavic'), aFont('Chinese')]
const letters: Readonly<Record<string, RegExp>> = { Slavic: /[ -~ŁłżółćА-я]/, Chinese: /[ -~\p{Script=Han}]/u }

function has({ source }: PrintedFont, codePoint: number): boolean {
  return letters[source]?.test(String.fromCodePoint(codePoint)) ?? false
}

const printed = (text: string, installed: readonly PrintedFonts[] = [slavic, chinese]) => {
  const { text: fitting, fonts } = fittingText(text, installed, has)
  return [fitting, fonts.regular.source]
}

test('a text is set in the fonts of every reader where they do, else in the first that has its letters', () => {
  assert.deepEqual(printed('José “x” €'), ['José “x” €', 'Helvetica'])
  assert.deepEqual(printed('Łukasz'), ['Łukasz', 'Slavic'])
  assert.deepEqual(printed('Анна, 2026'), ['Анна, 2026', 'Slavic'])
  assert.deepEqual(printed('李明, 2026'), ['李明, 2026', 'Chinese'])
})

test('where no font has all letters the one with most is taken, and what it lacks loses its marks or is a question mark', () => {
  assert.deepEqual(printed('Анна 李'), ['Анна ?', 'Slavic'])
  assert.deepEqual(printed('Łukasz Żółć Nguyễn José ß 李', []), ['Lukasz Zólc Nguyen José ß ?', 'Helvetica'])
  assert.deepEqual(printed('Nguyễn А', [slavic]), ['Nguyen А', 'Slavic'])
})

test('words that are read from right to left stay together, so that they stand in their order', () => {
  const arabic = fittingText('محمد عبد الرحمن · made on 2026', [aFont('Any')], () => true)
  assert.equal(arabic.text, 'محمد\u00a0عبد\u00a0الرحمن  · made on 2026')
})
