import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Handover } from './messages.ts'
import { Sheet } from './sheet.ts'

/** How many pages before and behind those that are looked at keep their pictures. */
const near = 1

/** The pages of a paper, one below the other. Those that are looked at are drawn, one after the other, and the next ones to them. */
export class Sheets {
  readonly #document: PDFDocumentProxy
  readonly #sheets: readonly Sheet[]
  readonly #seen = new Set<number>()
  #turned = 0
  #isDrawing = false

  private constructor(document: PDFDocumentProxy, sheets: readonly Sheet[]) {
    this.#document = document
    this.#sheets = sheets
  }

  /** Makes room for the first `count` pages; the first one is read. Throws where that cannot be. */
  static async of(paper: PDFDocumentProxy, count: number, { page, unreadable }: Handover): Promise<Sheets> {
    const getName = (index: number) => page.replace('{page}', `${index + 1}`).replace('{pages}', `${paper.numPages}`)
    const sheets = Array.from({ length: count }, (_, index) => new Sheet(getName(index), unreadable))
    const all = new Sheets(paper, sheets)
    await all.#read(0)
    document.body.append(...sheets.map(({ element }) => element))
    return all
  }

  get count(): number {
    return this.#sheets.length
  }

  /** Turns all pages, by degrees clockwise from how they lie in the paper. */
  turn(degrees: number): void {
    this.#turned = degrees
    this.#arrange()
  }

  /** Draws what is looked at from now on, and tells the height of all pages as often as it changes. */
  watch(tell: (height: number) => void): void {
    const seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const index = this.#sheets.findIndex(({ element }) => element === target)
        if (isIntersecting) this.#seen.add(index)
        else this.#seen.delete(index)
      }
      void this.#draw()
    })
    for (const { element } of this.#sheets) seen.observe(element)
    new ResizeObserver(() => {
      tell(document.body.offsetHeight)
      void this.#draw()
    }).observe(document.body)
  }

  /** Reads the other pages, whose shapes give them their room; one that cannot be read keeps that of the first. */
  async readOthers(): Promise<void> {
    for (let index = 1; index < this.count; index += 1) {
      await this.#read(index).catch(() => {})
      if (index % 10 === 0) this.#arrange()
    }
    this.#arrange()
  }

  async #read(index: number): Promise<void> {
    const sheet = this.#sheets[index] as Sheet
    sheet.page = await this.#document.getPage(index + 1)
  }

  #arrange(): void {
    const first = this.#sheets[0]?.shape(this.#turned) ?? 1
    for (const sheet of this.#sheets) {
      sheet.element.style.aspectRatio = `${1 / (sheet.shape(this.#turned) ?? first)}`
    }
    void this.#draw()
  }

  /** Draws until nothing that is looked at, or is next to it, is missing; what changes meanwhile is looked at anew after each page. */
  async #draw(): Promise<void> {
    if (this.#isDrawing) return
    this.#isDrawing = true
    for (let wanted = this.#wanted(); ; wanted = this.#wanted()) {
      for (const [index, sheet] of this.#sheets.entries()) if (!wanted.includes(index)) sheet.clear()
      const width = document.body.clientWidth
      const lacking = width > 0 && wanted.find((index) => this.#sheets[index]?.lacks(width, this.#turned))
      if (typeof lacking !== 'number') break
      await this.#sheets[lacking]?.draw(width, this.#turned)
    }
    this.#isDrawing = false
  }

  /** Those that are looked at, then their neighbours; the first one before anything is. */
  #wanted(): number[] {
    const seen = this.#seen.size === 0 ? [0] : [...this.#seen].sort((a, b) => a - b)
    const beside = seen.flatMap((index) => [index + near, index - near])
    return [...new Set([...seen, ...beside])].filter((index) => index >= 0 && index < this.count)
  }
}
