import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The most dots of a canvas: A4 at some 295 dots an inch, and half of what a phone allows. */
const maxDots = 2 ** 23

/** How many times as high as it is wide the room of a page may be, or as wide as it is high; a longer page is drawn into it. */
const longestShape = 20

/** How long one page may be drawn, in milliseconds. */
const longestDrawing = 20_000

/** The most characters of a page that are told to those who hear it. */
const longestText = 20_000

/** A page on its sheet of paper: its room from the beginning, its picture while it is near what is looked at, its text for those who hear it. */
export class Sheet {
  readonly element = document.createElement('article')
  #page: PDFPageProxy | null = null
  #canvas: HTMLCanvasElement | null = null
  /** How it was drawn last, or could not be. */
  #tried = ''
  #hasText = false
  readonly #unreadable: string

  constructor(name: string, unreadable: string) {
    this.element.ariaLabel = name
    this.#unreadable = unreadable
  }

  set page(page: PDFPageProxy) {
    this.#page = page
  }

  /** Height by width of the page's room when it is turned; null while it is not read. */
  shape(turned: number): number | null {
    if (this.#page === null) return null
    const { width, height } = this.#viewport(turned)
    return Math.min(longestShape, Math.max(1 / longestShape, height / width))
  }

  /** Whether it is not drawn so, nor was tried in vain. */
  lacks(width: number, turned: number): boolean {
    return this.#page !== null && this.#tried !== getKey(width, turned)
  }

  /** Draws the page so many CSS pixels wide; what is there stays until the new picture is whole. */
  async draw(width: number, turned: number): Promise<void> {
    const page = this.#page
    if (page === null) return
    this.#tried = getKey(width, turned)
    const natural = this.#viewport(turned)
    const wanted = (width * devicePixelRatio) / natural.width
    const scale = Math.min(wanted, Math.sqrt(maxDots / (natural.width * natural.height)))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.floor(natural.width * scale))
    canvas.height = Math.max(1, Math.floor(natural.height * scale))
    canvas.ariaHidden = 'true'
    const task = page.render({ canvas, viewport: this.#viewport(turned, scale) })
    const late = setTimeout(() => task.cancel(), longestDrawing)
    try {
      await task.promise
      this.#show(canvas)
    } catch {
      this.#show(null)
    } finally {
      clearTimeout(late)
    }
    await this.#tellText(page).catch(() => {})
  }

  /** Gives the picture's memory back. */
  clear(): void {
    if (this.#canvas === null) return
    this.#canvas.width = 0
    this.#canvas.remove()
    this.#canvas = null
    this.#tried = ''
    this.#page?.cleanup()
  }

  #viewport(turned: number, scale = 1) {
    const page = this.#page as PDFPageProxy
    return page.getViewport({ scale, rotation: (page.rotate + turned) % 360 })
  }

  #show(canvas: HTMLCanvasElement | null): void {
    this.#canvas?.remove()
    this.#canvas = canvas
    if (canvas === null) this.element.dataset.fault = this.#unreadable
    else {
      delete this.element.dataset.fault
      this.element.prepend(canvas)
    }
  }

  async #tellText(page: PDFPageProxy): Promise<void> {
    if (this.#hasText) return
    this.#hasText = true
    const { items } = await page.getTextContent()
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
    const heard = document.createElement('p')
    heard.textContent = text.slice(0, longestText)
    this.element.append(heard)
  }
}

/** Under which a picture of a page is known. */
const getKey = (width: number, turned: number) => `${width} ${turned} ${devicePixelRatio}`
