/** What a naive model keeps of an obligation. Amounts are whole minor units. */
export interface ModelObligation {
  readonly id: string
  readonly account: string
  /** The fee that it is of; null for a payment that was made by itself. */
  readonly fee: string | null
  readonly dueOn: string
  amount: number
  paid: number
  adjusted: number
  /** What credit notes took back and what was written off, also beyond what was open. */
  taken: number
  isClosed: boolean
  status: 'due' | 'paid' | 'cancelled' | 'refunded'
}

/** What a naive model keeps of a receipt. */
export interface ModelReceipt {
  readonly id: string
  readonly account: string
  readonly isFromCredit: boolean
  readonly amount: number
  readonly parts: readonly { readonly obligation: ModelObligation; readonly amount: number }[]
  isReversed: boolean
}

/** Whether what was asked for is done, or refused with nothing changed. */
type Outcome = 'done' | 'refused'

/** Accounts, obligations and receipts of one family, in whole numbers. */
export class BooksModel {
  readonly obligations: ModelObligation[] = []
  readonly receipts: ModelReceipt[] = []
  readonly #credit = new Map<string, number>()

  credit(account: string): number {
    return this.#credit.get(account) ?? 0
  }

  open({ amount, paid, adjusted, isClosed }: ModelObligation): number {
    return isClosed ? 0 : amount - paid - adjusted
  }

  charge(made: Pick<ModelObligation, 'id' | 'account' | 'fee' | 'dueOn' | 'amount'>): void {
    this.obligations.push({ ...made, paid: 0, adjusted: 0, taken: 0, isClosed: false, status: 'due' })
  }

  /** What an amount pays of an account, oldest first. */
  allocate(account: string, amount: number): ModelReceipt['parts'] {
    let rest = amount
    return this.obligations
      .filter((each) => each.account === account && this.open(each) > 0)
      .sort((one, other) => (one.dueOn === other.dueOn ? 0 : one.dueOn < other.dueOn ? -1 : 1))
      .map((obligation) => {
        const part = Math.min(rest, this.open(obligation))
        rest -= part
        return { obligation, amount: part }
      })
      .filter((part) => part.amount > 0)
  }

  mayReceive(account: string, amount: number, isFromCredit: boolean, parts: ModelReceipt['parts']): Outcome {
    const allocated = parts.reduce((sum, part) => sum + part.amount, 0)
    if (allocated > amount) return 'refused'
    if (parts.some((part) => part.amount > this.open(part.obligation))) return 'refused'
    if (isFromCredit && (amount > this.credit(account) || allocated < amount)) return 'refused'
    return 'done'
  }

  receive(made: Omit<ModelReceipt, 'isReversed'>): void {
    this.receipts.push({ ...made, isReversed: false })
    const allocated = made.parts.reduce((sum, part) => sum + part.amount, 0)
    this.#addCredit(made.account, made.isFromCredit ? -made.amount : made.amount - allocated)
    for (const { obligation, amount } of made.parts) {
      obligation.paid += amount
      this.#settle(obligation)
    }
  }

  reverse(receipt: ModelReceipt): Outcome {
    if (receipt.isReversed) return 'refused'
    const allocated = receipt.parts.reduce((sum, part) => sum + part.amount, 0)
    const rest = receipt.amount - allocated
    if (!receipt.isFromCredit && rest > this.credit(receipt.account)) return 'refused'
    receipt.isReversed = true
    this.#addCredit(receipt.account, receipt.isFromCredit ? receipt.amount : -rest)
    for (const { obligation, amount } of receipt.parts) {
      obligation.paid -= amount
      this.#settle(obligation)
    }
    return 'done'
  }

  payOut(account: string, amount: number): Outcome {
    if (amount > this.credit(account)) return 'refused'
    this.#addCredit(account, -amount)
    return 'done'
  }

  /** What was paid out comes back. */
  payBack(account: string, amount: number): void {
    this.#addCredit(account, amount)
  }

  split(obligation: ModelObligation, first: number, id: string, dueOn: string): void {
    const rest = this.open(obligation) - first
    obligation.amount -= rest
    const { account, fee, status } = obligation
    this.charge({ id, account, fee, dueOn, amount: rest })
    ;(this.obligations.at(-1) as ModelObligation).status = status
  }

  writeOff(obligation: ModelObligation, amount: number): Outcome {
    if (amount > this.open(obligation)) return 'refused'
    obligation.adjusted += amount
    obligation.taken += amount
    this.#settle(obligation)
    return 'done'
  }

  creditNote(obligation: ModelObligation, amount: number): Outcome {
    const open = this.open(obligation)
    if (open === 0 || amount > obligation.amount - obligation.taken) return 'refused'
    const applied = Math.min(amount, open)
    obligation.adjusted += applied
    obligation.taken += amount
    this.#addCredit(obligation.account, amount - applied)
    this.#settle(obligation)
    return 'done'
  }

  /** The posted receipts of an obligation, or null where one of them pays others too. */
  #ownReceipts(obligation: ModelObligation): ModelReceipt[] | null {
    const own = this.receipts.filter(
      (receipt) => !receipt.isReversed && receipt.parts.some((part) => part.obligation === obligation),
    )
    return own.some((receipt) => receipt.parts.length > 1) ? null : own
  }

  /** Says that a payment is refunded, cancelled or to be paid again. */
  setStatus(obligation: ModelObligation, status: 'refunded' | 'cancelled' | 'due'): Outcome {
    if (obligation.status === status) return 'done'
    if (obligation.status === 'paid') {
      const own = this.#ownReceipts(obligation)
      if (own === null) return 'refused'
      const rest = own.reduce((sum, { amount, parts }) => sum + amount - (parts[0]?.amount ?? 0), 0)
      if (rest > this.credit(obligation.account)) return 'refused'
      for (const receipt of own) this.reverse(receipt)
    } else if (obligation.paid > 0 && status !== 'due') return 'refused'
    obligation.status = status
    if (obligation.fee === null) obligation.isClosed = status === 'cancelled'
    return 'done'
  }

  cancelFee(fee: string): Outcome {
    const own = this.obligations.filter((each) => each.fee === fee)
    if (own.some(({ paid }) => paid > 0)) return 'refused'
    for (const obligation of own) {
      obligation.isClosed = true
      if (obligation.status !== 'refunded') obligation.status = 'cancelled'
    }
    return 'done'
  }

  #addCredit(account: string, by: number): void {
    this.#credit.set(account, this.credit(account) + by)
  }

  #settle(obligation: ModelObligation): void {
    if (obligation.isClosed) return
    const { status, paid } = obligation
    if (this.open(obligation) === 0) obligation.status = paid > 0 ? 'paid' : 'cancelled'
    else if (status !== 'refunded' || paid > 0) obligation.status = 'due'
  }
}
