import type * as fontkit from 'fontkit'
import type * as HarfBuzz from 'harfbuzzjs'

/** A direction of writing, as OpenType calls it. */
export type Direction = 'ltr' | 'rtl'

/** The glyphs of some characters from left to right. Lengths are units of the font. */
export interface GlyphRun {
  readonly glyphs: readonly fontkit.Glyph[]
  readonly positions: readonly { xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }[]
  readonly advanceWidth: number
}

/** A font that pdfkit can draw with. */
export interface Font extends fontkit.Font {
  /** Shapes characters. pdfkit passes on what it was given as features. */
  layout(text: string, features?: readonly Direction[]): GlyphRun
}

/**
 * Opens a TrueType font. HarfBuzz shapes, because fontkit stops at marks of Arabic and Indic fonts that it has no anchor for; fontkit knows
 * what pdfkit embeds.
 */
export async function openFont(bytes: Buffer): Promise<Font> {
  const { create } = await import('fontkit')
  const harfbuzz = await import('harfbuzzjs')
  const font = create(bytes)
  const shaper = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(new Uint8Array(bytes).buffer)))
  return Object.create(font, {
    layout: {
      value: (text: string, [direction = 'ltr']: readonly Direction[] = []) =>
        shape(harfbuzz, shaper, font, text, direction),
    },
  }) as Font
}

function shape(
  harfbuzz: typeof HarfBuzz,
  shaper: HarfBuzz.Font,
  font: fontkit.Font,
  text: string,
  direction: Direction,
): GlyphRun {
  const buffer = new harfbuzz.Buffer()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  // A mark is a cluster of its own, so that what is read back are the characters in their order.
  buffer.setClusterLevel(harfbuzz.ClusterLevel.MONOTONE_CHARACTERS)
  buffer.setDirection(direction === 'rtl' ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR)
  harfbuzz.shape(shaper, buffer)
  const positions = buffer.getGlyphPositions().map(({ xAdvance, yAdvance, xOffset, yOffset }) => ({
    xAdvance,
    yAdvance,
    xOffset,
    yOffset,
  }))
  const infos = buffer.getGlyphInfos()
  const starts = [...new Set(infos.map(({ cluster }) => cluster))].sort((a, b) => a - b)
  const seen = new Set<number>()
  const glyphs = infos.map(({ codepoint, cluster }) => {
    const end = starts[starts.indexOf(cluster) + 1] ?? text.length
    const characters = seen.has(cluster) ? '' : text.slice(cluster, end)
    seen.add(cluster)
    return font.getGlyph(
      codepoint,
      [...characters].map((character) => character.codePointAt(0) as number),
    )
  })
  return { glyphs, positions, advanceWidth: positions.reduce((total, { xAdvance }) => total + xAdvance, 0) }
}
