/**
 * The maximum number of endpoints that a process delivers to at once: many, because a hanging endpoint uses little and
 * lasts long.
 */
const maxEndpoints = 500

/** How many of these may be failing endpoints, so that working ones always find a slot. */
const maxFailing = 250

/** Slots of the endpoints that a process is delivering to. */
export class DeliverySlots {
  readonly #runs = new Map<string, { readonly run: Promise<void>; readonly isFailing: boolean }>()
  #failing = 0

  get size(): number {
    return this.#runs.size
  }

  has(webhookId: string): boolean {
    return this.#runs.has(webhookId)
  }

  /** Whether there is a slot for another endpoint. */
  hasFreeSlot(isFailing: boolean): boolean {
    return this.#runs.size < maxEndpoints && !(isFailing && this.#failing >= maxFailing)
  }

  /** Occupies a slot until the delivery run of the endpoint ends. */
  add(webhookId: string, isFailing: boolean, run: Promise<void>): void {
    if (isFailing) this.#failing += 1
    const over = run.finally(() => {
      this.#runs.delete(webhookId)
      if (isFailing) this.#failing -= 1
    })
    this.#runs.set(webhookId, { run: over, isFailing })
  }

  /** Resolves once every slot is free. */
  async settled(): Promise<void> {
    await Promise.all([...this.#runs.values()].map(({ run }) => run))
  }
}
