/** So many of them are one period, after which the one before counts no more. */
const period = 64

/** How many of something are under way at once, and were lately. */
export class ConcurrencyWindow {
  #present = 0
  #begun = 0
  /** The most of this period and of the one before. */
  #max = 0
  #maxBefore = 0

  /** How many there were at most at once among the last 64 to 128 that began. */
  get most(): number {
    return Math.max(this.#max, this.#maxBefore)
  }

  enter(): void {
    this.#present += 1
    this.#begun += 1
    if (this.#begun === period) {
      this.#begun = 0
      this.#maxBefore = this.#max
      this.#max = 0
    }
    this.#max = Math.max(this.#max, this.#present)
  }

  leave(): void {
    this.#present -= 1
  }
}
