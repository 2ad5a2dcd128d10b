const millisecondsBetween = 200

/** One line on a terminal that says how far something is; nothing where no terminal reads it. */
export class ProgressLine {
  readonly #title: string
  readonly #isShown: boolean
  #toldAt = 0

  constructor(title: string, isQuiet: boolean) {
    this.#title = title
    this.#isShown = !isQuiet && process.stderr.isTTY === true
  }

  tell(progress: string): void {
    if (!this.#isShown || performance.now() - this.#toldAt < millisecondsBetween) return
    this.#toldAt = performance.now()
    process.stderr.write(`\r\u001b[K${this.#title}: ${progress}`)
  }

  end(): void {
    if (this.#toldAt > 0) process.stderr.write('\r\u001b[K')
  }
}
