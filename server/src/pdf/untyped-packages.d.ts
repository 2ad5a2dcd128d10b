/** What is used of packages that have no types. */
declare module 'subset-font' {
  /** Makes another font of a font: here one weight of a variable one, with all of its glyphs. */
  export default function subsetFont(
    font: Buffer,
    text: undefined,
    options: { targetFormat: 'truetype'; keepAllGlyphs: true; variationAxes: { wght: number } },
  ): Promise<Buffer>
}

declare module 'fontkit' {
  export interface Glyph {
    readonly id: number
  }

  export interface Font {
    readonly unitsPerEm: number
    /** Above the baseline, in units of the font. */
    readonly ascent: number
    hasGlyphForCodePoint(codePoint: number): boolean
    getGlyph(id: number, codePoints: readonly number[]): Glyph
  }

  export function create(bytes: Buffer): Font
}
