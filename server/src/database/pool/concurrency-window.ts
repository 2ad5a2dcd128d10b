/** So many of them are one period, after which the one before counts no more. */
const period = 64

/** How many of something are under way at once, and were lately. */
export class Crowd {
  #present = 0
  #begun = 0
  /** The most of this period and of the one before. */
  #most = 0
  #mostBefore = 0

  /** How many there were at most at once among the last 64 to 128 that began. */
  get most(): number {
    return Math.max(this.#most, this.#mostBefore)
  }

  enter(): void {
    this.#present += 1
    this.#begun += 1
    if (this.#begun === period) {
      this.#begun = 0
      this.#mostBefore = this.#most
      this.#most = 0
    }
    this.#most = Math.max(this.#most, this.#present)
  }

  leave(): void {
    this.#present -= 1
  }
}
