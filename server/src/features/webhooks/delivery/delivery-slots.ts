/** How many endpoints a process delivers to at once: many, because those that hang hold little and keep their turn for long. */
const maxTurns = 500

/** How many of them may be endpoints that fail, so that however many hang, those that answer find a place. */
const maxFailing = 250

/** The endpoints that a process delivers to just now. */
export class DeliverySlots {
  readonly #turns = new Map<string, { readonly turn: Promise<void>; readonly isFailing: boolean }>()
  #failing = 0

  get size(): number {
    return this.#turns.size
  }

  has(webhookId: string): boolean {
    return this.#turns.has(webhookId)
  }

  /** Whether another one finds a place. */
  hasPlace(isFailing: boolean): boolean {
    return this.#turns.size < maxTurns && !(isFailing && this.#failing >= maxFailing)
  }

  /** Holds the place of an endpoint until its turn is over. */
  add(webhookId: string, isFailing: boolean, turn: Promise<void>): void {
    if (isFailing) this.#failing += 1
    const over = turn.finally(() => {
      this.#turns.delete(webhookId)
      if (isFailing) this.#failing -= 1
    })
    this.#turns.set(webhookId, { turn: over, isFailing })
  }

  /** Resolves once all that are under way are over. */
  async settled(): Promise<void> {
    await Promise.all([...this.#turns.values()].map(({ turn }) => turn))
  }
}
