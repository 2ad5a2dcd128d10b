/** Whose work it is: a tenant's, for somebody at an address. */
export interface Origin {
  readonly tenantId: string
  readonly address: string
}

/** Too many wait already; the work was not begun. */
export class QueueFull extends Error {}

interface Waiting {
  readonly begin: () => void
  readonly refuse: () => void
}

/** Those who wait from one address of a tenant, in the order in which they came. */
interface Line extends Origin {
  readonly waiting: Waiting[]
}

/**
 * Lets a few works run at once while the others wait: by turns among the tenants, and for each by turns among its addresses,
 * so that it takes as long as there are others, not as long as the longest line is. When the room is full the last of the
 * longest line is refused, who may be the newcomer. Made for hundreds who wait, not for thousands.
 */
export class FairQueue {
  readonly #atOnce: number
  readonly #max: number
  /** Those with somebody in them, by turns. */
  #lines: Line[] = []
  #running = 0

  /** @param options How many run at once, and how many wait at most. */
  constructor(options: { readonly atOnce: number; readonly most: number }) {
    this.#atOnce = options.atOnce
    this.#max = options.most
  }

  /** How many wait. */
  get waiting(): number {
    return this.#lines.reduce((count, line) => count + line.waiting.length, 0)
  }

  /** Whether one more from there would be refused now. */
  isFullFor(origin: Origin): boolean {
    const own = this.#getLine(origin)
    return this.waiting >= this.#max && this.#longestWith(own) === own
  }

  /** Runs `work` when its turn comes. Throws `QueueFull`: at once, or when its place goes to a newcomer with a shorter line. */
  async run<Result>(origin: Origin, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#atOnce) this.#running += 1
    else await this.#turn(origin)
    try {
      return await work()
    } finally {
      this.#beginNext()
    }
  }

  #turn(origin: Origin): Promise<void> {
    if (this.isFullFor(origin)) throw new QueueFull()
    const own = this.#getLine(origin)
    if (this.waiting >= this.#max) {
      const longest = this.#longestWith(own)
      longest.waiting.pop()?.refuse()
      if (longest.waiting.length === 0) this.#lines = this.#lines.filter((line) => line !== longest)
    }
    if (own.waiting.length === 0) this.#lines.push(own)
    return new Promise((resolve, reject) => {
      own.waiting.push({ begin: resolve, refuse: () => reject(new QueueFull()) })
    })
  }

  /** Gives the place of a work that has ended to the first line, which goes behind the others of its tenant, and they behind all. */
  #beginNext(): void {
    const [line, ...others] = this.#lines
    if (line === undefined) {
      this.#running -= 1
      return
    }
    const isOfTenant = ({ tenantId }: Line) => tenantId === line.tenantId
    const next = line.waiting.shift()
    this.#lines = [...others.filter((other) => !isOfTenant(other)), ...others.filter(isOfTenant)]
    if (line.waiting.length > 0) this.#lines.push(line)
    next?.begin()
  }

  #getLine({ tenantId, address }: Origin): Line {
    const found = this.#lines.find((line) => line.tenantId === tenantId && line.address === address)
    return found ?? { tenantId, address, waiting: [] }
  }

  /** The longest line of the tenant with the most who wait, with one more in `own`, which it is among equals. */
  #longestWith(own: Line): Line {
    const lines = [own, ...this.#lines.filter((line) => line !== own)]
    const getLength = (line: Line) => line.waiting.length + (line === own ? 1 : 0)
    const totals = new Map<string, number>()
    for (const line of lines) totals.set(line.tenantId, (totals.get(line.tenantId) ?? 0) + getLength(line))
    const max = Math.max(...totals.values())
    const { tenantId } = lines.find((line) => totals.get(line.tenantId) === max) as Line
    const ofTenant = lines.filter((line) => line.tenantId === tenantId)
    const longest = Math.max(...ofTenant.map(getLength))
    return ofTenant.find((line) => getLength(line) === longest) as Line
  }
}
