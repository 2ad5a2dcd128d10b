/** How many entries make a period; maxima older than the previous period are dropped. */
const period = 64

/** The number of operations in progress, and its recent maximum. */
export class ConcurrencyWindow {
  #present = 0
  #begun = 0
  /** The maxima of this period and of the previous one. */
  #max = 0
  #maxBefore = 0

  /** The maximum number in progress at once during the last 64 to 128 entries. */
  get max(): number {
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
