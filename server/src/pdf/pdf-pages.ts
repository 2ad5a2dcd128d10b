import { createRequire } from 'node:module'
import type {} from 'pdfkit' // its types are a namespace that stands everywhere
import { numberText } from '../values/index.ts'
import type { Font } from './font.ts'
import { isWestern, loadFonts, type PrintedFonts } from './printed-fonts.ts'
import { type Line, setLines, setOneLine } from './set-lines.ts'

/** Loads pdfkit when something is first printed: it would be a good part of the service's start. */
const load = createRequire(import.meta.url)

/** The colours of printed pages. */
export const ink = { text: '#1c2733', faint: '#5b6b7b', line: '#cfd8e0', band: '#eef3f7' } as const

/** The layout of a text. Lengths are points, from the upper left corner of the page. */
export interface TextStyle {
  readonly x?: number
  readonly y?: number
  readonly width?: number
  readonly align?: 'left' | 'right'
  readonly size?: number
  readonly bold?: boolean
  readonly color?: string
  /** Whether what does not fit into one line is cut off. */
  readonly isOneLine?: boolean
  /** What the text is in the structure of the document (ISO 32000-1, 14.8.4); a paragraph unless given, null what is no content. */
  readonly role?: 'H1' | 'H2' | 'P' | null
}

/** What a document says of itself. */
export interface PrintedTitle {
  readonly title: string
  readonly author: string
  /** BCP 47; English unless given. */
  readonly language?: string
}

/** Anything with texts in it: a record, rows, a name. */
export type PrintedContent = string | number | boolean | null | undefined | object

/** Pages of A4 that fill from top to bottom: what letters, invoices and reports have in common. Tagged, with a title and a language. */
export class PrintedPages {
  readonly margin = 50
  /** The width between the margins. */
  readonly width: number
  readonly #document: PDFKit.PDFDocument
  readonly #structure: PDFKit.PDFStructureElement
  /** The part that is printed, where the document has parts. */
  #part: PDFKit.PDFStructureElement | null = null
  readonly #chunks: Buffer[] = []
  readonly #done: Promise<void>
  #fonts: PrintedFonts
  readonly #bottom: number
  /** The pages that nothing stands at the foot of. */
  readonly #footless = new Set<number>()

  private constructor({ title, author, language = 'en' }: PrintedTitle, fonts: PrintedFonts) {
    const { margin } = this
    const Document = load('pdfkit') as new (options: PDFKit.PDFDocumentOptions) => PDFKit.PDFDocument
    this.#fonts = fonts
    this.#document = new Document({
      size: 'A4',
      margins: { top: margin, left: margin, right: margin, bottom: 0 },
      bufferPages: true,
      pdfVersion: '1.7',
      tagged: true,
      lang: language,
      displayTitle: true,
      info: { Title: title, Author: author, Creator: 'Matricula' },
    })
    this.#structure = this.#document.struct('Document')
    this.#document.addStructure(this.#structure)
    this.width = this.#document.page.width - 2 * margin
    this.#bottom = this.#document.page.height - margin - 30
    this.#done = collected(this.#document, this.#chunks)
  }

  /**
   * Begins a document. Fonts are loaded for every text in `content`, which therefore has what is printed further down, whatever its shape: a
   * character of another script that is not in it is printed as a question mark.
   */
  static async open(title: PrintedTitle, content: PrintedContent): Promise<PrintedPages> {
    return new PrintedPages(title, await loadFonts(listTexts([title.title, title.author, content])))
  }

  /** Loads the fonts for more content, before it is printed. */
  async prepare(content: PrintedContent): Promise<void> {
    this.#fonts = new Map([...this.#fonts, ...(await loadFonts(listTexts(content)))])
  }

  /** Where the next text goes. */
  get y(): number {
    return this.#document.y
  }

  set y(value: number) {
    this.#document.y = value
  }

  text(text: string, style: TextStyle = {}): void {
    this.#mark(style.role === undefined ? 'P' : style.role, () => {
      if (isWestern(text)) this.#westernText(text, style)
      else this.#anyText(text, style)
    })
  }

  /** Text in the fonts of every reader. */
  #westernText(text: string, style: TextStyle): void {
    const { x = this.margin, y = this.y, width = this.width, align = 'left', size = 10, color = ink.text } = style
    this.#document.font(westernFont(style.bold)).fontSize(size).fillColor(color)
    const oneLine = style.isOneLine ? { height: size, ellipsis: '…' } : {}
    this.#document.text(text, x, y, { width, align, ...oneLine })
  }

  /** Text in any script, run by run. */
  #anyText(text: string, style: TextStyle): void {
    const { x = this.margin, y = this.y, width = this.width, align = 'left', size = 10, color = ink.text } = style
    const setting = this.#setting(style.bold ?? false, width, size)
    const lines = style.isOneLine ? [setOneLine(text, setting)] : setLines(text, setting)
    let top = y
    for (const line of lines) {
      const { height, ascent } = this.#lineSize(line, size)
      let left = align === 'right' ? x + width - line.width : x
      // What is read or copied are the characters, not the shapes in the order in which they were drawn. Readers turn round what they read
      // from right to left, whichever way it was given.
      const isReordered = line.text !== '' && line.runs.every(({ direction }) => direction === 'ltr')
      if (isReordered) this.#document.markContent('Span', { actual: line.text })
      for (const run of line.runs) {
        this.#use(run.font).fontSize(size).fillColor(color)
        const features = [run.direction] as unknown as PDFKit.Mixins.OpenTypeFeatures[]
        this.#document.text(run.text, left, top + ascent, { lineBreak: false, baseline: 'alphabetic', features })
        left += run.width
      }
      if (isReordered) this.#document.endMarkedContent()
      top += height
    }
    this.#document.y = top
  }

  #setting(bold: boolean, width: number, size: number) {
    return { fonts: this.#fonts, bold, width, size }
  }

  #lineSize({ runs }: Line, size: number): { height: number; ascent: number } {
    let [height, ascent] = [size * 1.15, size * 0.8]
    for (const { font } of runs) {
      height = Math.max(height, this.#use(font).fontSize(size).currentLineHeight(true))
      ascent = Math.max(ascent, (font.ascent / font.unitsPerEm) * size)
    }
    return { height, ascent }
  }

  /** The height of a text in bold. */
  getHeight(text: string, width: number, size: number): number {
    if (!isWestern(text)) {
      const lines = setLines(text, this.#setting(true, width, size))
      return lines.reduce((total, line) => total + this.#lineSize(line, size).height, 0)
    }
    this.#document.font(westernFont(true))
    return this.#document.fontSize(size).heightOfString(text || ' ', { width })
  }

  /** A line over the whole width. */
  rule(color: string): void {
    const { margin, width, y } = this
    this.#mark(null, () => {
      this.#document
        .moveTo(margin, y)
        .lineTo(margin + width, y)
        .lineWidth(0.7)
        .stroke(color)
    })
  }

  /** A shaded band over the whole width, from here down. */
  band(height: number): void {
    this.#mark(null, () => this.#document.rect(this.margin, this.y, this.width, height).fill(ink.band))
  }

  /**
   * A picture (PNG or JPEG), as large as fits into a width and a height, in points. False where the bytes are none; then
   * nothing is printed.
   *
   * @param alt What it shows, for those who do not see it
   */
  picture(
    bytes: Buffer,
    {
      x,
      y,
      width,
      height,
    }: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
    alt: string,
  ): boolean {
    const document = this.#document as unknown as { openImage(bytes: Buffer): unknown }
    let opened: unknown
    try {
      opened = document.openImage(bytes)
    } catch {
      return false
    }
    this.#mark('Figure', () => this.#document.image(opened as Buffer, x, y, { fit: [width, height] }), { alt })
    return true
  }

  /** A code of black and white squares, such as a QR code, at a place with a width in points. */
  squares(
    rows: readonly (readonly boolean[])[],
    { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
    alt: string,
  ): void {
    const size = width / rows.length
    const draw = () => {
      for (const [row, cells] of rows.entries()) {
        for (const [column, isBlack] of cells.entries()) {
          if (isBlack) this.#document.rect(x + column * size, y + row * size, size, size)
        }
      }
      this.#document.fill('#000')
    }
    this.#mark('Figure', draw, { alt })
  }

  /** A page of its own that another library draws, with nothing at its foot. */
  drawnPage(alt: string, draw: (document: PDFKit.PDFDocument) => void): void {
    this.#document.addPage()
    const { start, count } = this.#document.bufferedPageRange()
    this.#footless.add(start + count - 1)
    this.#mark('Figure', () => draw(this.#document), { alt })
  }

  /** Starts a new page where less than this height, in points, is left, and returns whether it did. */
  keep(height: number): boolean {
    if (this.y + height <= this.#bottom) return false
    this.#document.addPage()
    return true
  }

  /** The letterhead: the institution and the kind of document, with a line under them. */
  head(institution: string, kind: string): void {
    this.text(institution, { bold: true, size: 18 })
    this.text(kind, { size: 12, color: ink.faint, role: 'H1' })
    this.y += 5
    this.rule(ink.text)
    this.y += 8
  }

  /** Facts with their labels, two beside each other. */
  facts(shown: readonly (readonly [string, string])[], labelWidth = 80): void {
    const half = this.width / 2
    for (let index = 0; index < shown.length; index += 2) {
      const pair = shown.slice(index, index + 2)
      this.keep(Math.max(...pair.map(([, value]) => this.getHeight(value, half - labelWidth - 12, 10))) + 3)
      const { y } = this
      const ends = pair.map(([label, value], side) => {
        const x = this.margin + side * half
        this.text(label, { x, y, width: labelWidth, size: 9, color: ink.faint })
        const labelEnd = this.y
        this.text(value, { x: x + labelWidth + 2, y, width: half - labelWidth - 12, bold: true })
        return Math.max(labelEnd, this.y)
      })
      this.y = Math.max(...ends) + 3
    }
  }

  /** Goes on at the top of a new page. */
  nextPage(): void {
    this.#document.addPage()
  }

  /**
   * Puts a text and the page's number at the foot of every page since the last part, and lets go of them, so that a document of
   * many parts takes the memory of one.
   */
  endPart(foot: string): void {
    this.#number(foot, pageOf)
    // What is ended is written, so that the structure of what was printed before is not kept either.
    this.#part?.end()
    this.#part = null
    this.#document.flushPages()
  }

  /** Begins the next part on a page of its own, where there is one before it. */
  beginPart(): void {
    if (this.#document.bufferedPageRange().count === 0) this.#document.addPage()
    this.#part = this.#document.struct('Part')
    this.#structure.add(this.#part)
  }

  /** The bytes that are made and were not taken yet. */
  take(): Buffer {
    return Buffer.concat(this.#chunks.splice(0))
  }

  /** Ends a document of parts, and returns the bytes that were not taken yet. */
  async end(): Promise<Buffer> {
    this.#structure.end()
    this.#document.end()
    await this.#done
    return this.take()
  }

  /** Puts a text and the page's number at the foot of every page, and ends the document. */
  async finish(foot: string, numberOf = pageOf): Promise<Buffer> {
    this.#number(foot, numberOf)
    return this.end()
  }

  #number(foot: string, numberOf: typeof pageOf): void {
    const { start, count } = this.#document.bufferedPageRange()
    for (let page = start; page < start + count; page += 1) {
      if (this.#footless.has(page)) continue
      this.#document.switchToPage(page)
      const style = { y: this.#document.page.height - this.margin, size: 8, color: ink.faint, role: null }
      this.text(foot, { ...style, width: this.width - 80, isOneLine: true })
      this.text(numberOf(page - start + 1, count), { ...style, align: 'right' })
    }
  }

  /** Draws something as a part of the document's structure, or as what is no content (ISO 32000-1, 14.8.2.2). */
  #mark(role: string | null, draw: () => void, options: { readonly alt?: string } = {}): void {
    if (role === null) this.#document.markContent('Artifact', { type: 'Layout' })
    else
      (this.#part ?? this.#structure).add(
        this.#document.struct(role, options, this.#document.markStructureContent(role)),
      )
    draw()
    this.#document.endMarkedContent()
  }

  #use(font: Font): PDFKit.PDFDocument {
    return this.#document.font(font as unknown as PDFKit.Mixins.PDFFontSource)
  }
}

const pageOf = (page: number, count: number) => `Page ${page} of ${count}`

const westernFont = (bold = false) => (bold ? 'Helvetica-Bold' : 'Helvetica')

/** Every text in a value, at any depth. */
function listTexts(value: PrintedContent): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(listTexts)
}

function collected(document: PDFKit.PDFDocument, chunks: Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', () => resolve())
    document.on('error', reject)
  })
}

/** A number as people write it, with at least so many digits behind the point. */
export function printedNumber(value: number, digits = 0): string {
  return numberText(value, digits, Math.max(digits, 2))
}
