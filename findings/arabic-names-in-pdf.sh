#!/bin/sh
# Guess:  a name in Arabic that is set with Noto Sans Arabic has one glyph for each letter, so that the PDF, which says one character for
#         each glyph, gives the name back to whoever searches or copies it.
# So is:  HarfBuzz draws letters and dots of Noto Sans Arabic (and Noto Naskh) apart: the letters ب ت ث ن at the beginning of a word are
#         two glyphs, told apart by dots that are glyphs of their own. With Vazirmatn each letter has a glyph of its own.
# Schools: report cards print the right name and are found under another one, or none; a class list that is copied out of a PDF has
#         letters that nobody is called by. Choose a font with a glyph for each letter.
. "$(dirname "$0")/lib.sh"

install harfbuzzjs@1.6.4 subset-font@2.9.0 @fontsource-variable/noto-sans-arabic@5.3.0 @fontsource-variable/noto-naskh-arabic@5.3.0 @fontsource-variable/vazirmatn@5.3.0
run <<'JS'
import { readFileSync } from 'node:fs';
import * as harfbuzz from 'harfbuzzjs';
import subsetFont from 'subset-font';
const glyphsOf = (font, text) => {
  const buffer = new harfbuzz.Buffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  harfbuzz.shape(font, buffer);
  return buffer.getGlyphInfos().map(({ codepoint }) => codepoint);
};
for (const family of ['noto-sans-arabic', 'noto-naskh-arabic', 'vazirmatn']) {
  const file = readFileSync(`node_modules/@fontsource-variable/${family}/files/${family}-arabic-wght-normal.woff2`);
  const bytes = await subsetFont(file, undefined, { targetFormat: 'truetype', keepAllGlyphs: true, variationAxes: { wght: 400 } });
  const font = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(new Uint8Array(bytes).buffer)));
  const name = 'بثينة';
  // The letter before another one: the last glyphs, because words are drawn from right to left.
  const firsts = ['ب', 'ت', 'ث', 'ن'].map((letter) => glyphsOf(font, `${letter}م`).at(-1));
  console.log(`${family}: ${name.length} letters of ${name} are ${glyphsOf(font, name).length} glyphs; ب ت ث ن begin with ${new Set(firsts).size} of them`);
}
JS
seen <<'TEXT'
noto-sans-arabic: 5 letters of بثينة are 10 glyphs; ب ت ث ن begin with 2 of them
noto-naskh-arabic: 5 letters of بثينة are 10 glyphs; ب ت ث ن begin with 2 of them
vazirmatn: 5 letters of بثينة are 5 glyphs; ب ت ث ن begin with 4 of them
TEXT
