import { createRequire } from 'node:module'
import type {} from 'pdfkit' // its types are a namespace that stands everywhere
import { numberText } from '../values/index.ts'
import { type FittingText, fittingText, installedFonts, type PrintedFont } from './pdf-fonts.ts'

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
}

/** What a document says of itself. */
export interface PrintedTitle {
  readonly title: string
  readonly author: string
}

/** What pdfkit knows of a font that is read from a file. */
interface FontFile {
  hasGlyphForCodePoint(codePoint: number): boolean
}

/** Pages of A4 that fill from top to bottom: what letters, invoices and reports have in common. */
export class PrintedPages {
  readonly margin = 50
  /** The width between the margins. */
  readonly width: number
  readonly #document: PDFKit.PDFDocument
  readonly #chunks: Buffer[] = []
  readonly #done: Promise<void>
  readonly #fonts = installedFonts()
  readonly #bottom: number

  constructor({ title, author }: PrintedTitle) {
    const { margin } = this
    const Document = load('pdfkit') as new (options: PDFKit.PDFDocumentOptions) => PDFKit.PDFDocument
    this.#document = new Document({
      size: 'A4',
      margins: { top: margin, left: margin, right: margin, bottom: 0 },
      bufferPages: true,
      lang: 'en',
      displayTitle: true,
      info: { Title: title, Author: author, Creator: 'Matricula' },
    })
    this.width = this.#document.page.width - 2 * margin
    this.#bottom = this.#document.page.height - margin - 30
    this.#done = collected(this.#document, this.#chunks)
  }

  /** Where the next text goes. */
  get y(): number {
    return this.#document.y
  }

  set y(value: number) {
    this.#document.y = value
  }

  text(text: string, style: TextStyle = {}): void {
    const { x = this.margin, y = this.y, width = this.width, align = 'left', size = 10, color = ink.text } = style
    const { text: fitting, fonts } = this.#fitting(text)
    this.#setFont(style.bold ? fonts.bold : fonts.regular)
    this.#document.fontSize(size).fillColor(color)
    const oneLine = style.isOneLine ? { height: size, ellipsis: '…' } : {}
    this.#document.text(fitting, x, y, { width, align, ...oneLine })
  }

  /** The height of a text in bold. */
  getHeight(text: string, width: number, size: number): number {
    const { text: fitting, fonts } = this.#fitting(text)
    this.#setFont(fonts.bold)
    return this.#document.fontSize(size).heightOfString(fitting || ' ', { width })
  }

  /** A line over the whole width. */
  rule(color: string): void {
    const { margin, width, y } = this
    this.#document
      .moveTo(margin, y)
      .lineTo(margin + width, y)
      .lineWidth(0.7)
      .stroke(color)
  }

  /** A shaded band over the whole width, from here down. */
  band(height: number): void {
    this.#document.rect(this.margin, this.y, this.width, height).fill(ink.band)
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
    this.text(kind, { size: 12, color: ink.faint })
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

  /**
   * Puts a text and the page's number at the foot of every page since the last part, and lets go of them, so that a document of
   * many parts takes the memory of one.
   */
  endPart(foot: string): void {
    this.#number(foot)
    this.#document.flushPages()
  }

  /** Begins the next part on a page of its own, where there is one before it. */
  beginPart(): void {
    if (this.#document.bufferedPageRange().count === 0) this.#document.addPage()
  }

  /** The bytes that are made and were not taken yet. */
  take(): Buffer {
    return Buffer.concat(this.#chunks.splice(0))
  }

  /** Ends a document of parts, and returns the bytes that were not taken yet. */
  async end(): Promise<Buffer> {
    this.#document.end()
    await this.#done
    return this.take()
  }

  /** Puts a text and the page's number at the foot of every page, and ends the document. */
  async finish(foot: string): Promise<Buffer> {
    this.#number(foot)
    return this.end()
  }

  #number(foot: string): void {
    const { start, count } = this.#document.bufferedPageRange()
    for (let page = start; page < start + count; page += 1) {
      this.#document.switchToPage(page)
      const style = { y: this.#document.page.height - this.margin, size: 8, color: ink.faint }
      this.text(foot, { ...style, width: this.width - 80, isOneLine: true })
      this.text(`Page ${page - start + 1} of ${count}`, { ...style, align: 'right' })
    }
  }

  #fitting(text: string): FittingText {
    return fittingText(text, this.#fonts, (font, codePoint) => {
      this.#setFont(font)
      // pdfkit tells nobody which letters its font has.
      const { font: file } = (this.#document as unknown as { _font: { font: FontFile } })._font
      return file.hasGlyphForCodePoint(codePoint)
    })
  }

  #setFont({ source, face }: PrintedFont): void {
    if (face === undefined) this.#document.font(source)
    else this.#document.font(source, face)
  }
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
