import { TenantContention } from '../../database/index.ts'

/** How many requests of a tenant are worked on at once while others have some too. */
const whileContended = 3

/** And while none has: more would only stand in the process and in the lines of the database, and keep both from looking up between them. */
const alone = 24

/** And of those that are answered with more records than so many, which are as much to take in and to write as several others. */
const aloneWithMany = 12
const manyRecords = 40

/** Those of the same kind that share a transaction cost the process little while they wait for it: two full ones are under way. */
const aloneTogether = 48

/** What takes longer waits for something, and keeps the process from nothing: it makes way for the next one. */
const shareMilliseconds = 250

/** As many of a tenant wait here at most; what follows behind, such as the rooms of the database, refuses the rest. */
const longestLine = 500

/** What is known of the work of a request before it begins. */
export interface WorkKind {
  /** Whether it shares a transaction with others of its kind, see `GroupCommit`. */
  readonly meets?: boolean
  /** How many records its answer has at most. */
  readonly records?: number | undefined
}

/** A request that is worked on, or waits for that. */
export interface Turn {
  readonly share: Share
  /** How many of a tenant that is alone may be worked on for it to begin. */
  readonly most: number
  /** When the work began, in milliseconds of the process. */
  begun: number
  readonly begin: () => void
}

/** What one tenant has under way. */
interface Share {
  readonly tenantId: string
  /** Whether others have requests too. */
  isContended: boolean
  /** Those that are worked on and have not made way, as they began. */
  readonly running: Turn[]
  readonly waiting: Turn[]
  /** Looks, while somebody waits, whether one that is worked on has to make way. */
  timer: NodeJS.Timeout | undefined
}

/**
 * Shares the one thread of a process between tenants: while requests of several come in, only a few of each are worked on at
 * once, so that a request of one of them never stands behind dozens of another's. A tenant that is alone has more, as many as keep the
 * database busy: what is begun all at once is answered all at once, and nothing else is done meanwhile.
 */
export class TenantShares {
  readonly #shares = new Map<string, Share>()
  readonly #contention = new TenantContention()

  /** A turn as soon as the tenant has a share free, which may be at once. Whoever has it does its work with `during`. */
  enter(tenantId: string, kind: WorkKind = {}): Turn | Promise<Turn> {
    const share = this.#getShare(tenantId)
    share.isContended = this.#contention.meets(tenantId)
    const max = maxAlone(kind)
    // Nobody overtakes who waits: what needs more room would wait for as long as the others come.
    const hasRoom = share.waiting.length === 0 && hasRoomFor(max, share)
    if (!hasRoom && share.waiting.length < longestLine) return waitIn(share, max)
    const turn = { share, most: max, begun: performance.now(), begin: () => {} }
    if (hasRoom) share.running.push(turn)
    return turn
  }

  /** Whether a tenant has no more than one request under way. */
  isAlone(tenantId: string): boolean {
    const { running = [], waiting = [] } = this.#shares.get(tenantId) ?? {}
    return running.length + waiting.length <= 1
  }

  /** Does the work of a turn, which is over with it. */
  during<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result> {
    let working: Promise<Result>
    try {
      working = work()
    } catch (error) {
      working = Promise.reject(error)
    }
    const end = () => this.#end(turn)
    working.then(end, end)
    return working
  }

  /** Runs `work` when the tenant has a share free. */
  run<Result>(tenantId: string, work: () => Promise<Result>, kind?: WorkKind): Promise<Result> {
    const entering = this.enter(tenantId, kind)
    if (entering instanceof Promise) return entering.then((turn) => this.during(turn, work))
    return this.during(entering, work)
  }

  #getShare(tenantId: string): Share {
    const known = this.#shares.get(tenantId)
    if (known !== undefined) return known
    const share: Share = { tenantId, isContended: false, running: [], waiting: [], timer: undefined }
    this.#shares.set(tenantId, share)
    return share
  }

  #end(turn: Turn): void {
    const { share } = turn
    makeWay(share, turn)
    if (share.running.length === 0 && this.#shares.get(share.tenantId) === share) this.#shares.delete(share.tenantId)
  }
}

function maxAlone({ meets = false, records = 1 }: WorkKind): number {
  if (meets) return aloneTogether
  return records > manyRecords ? aloneWithMany : alone
}

function hasRoomFor(max: number, { isContended, running }: Share): boolean {
  return running.length < (isContended ? whileContended : max)
}

function waitIn(share: Share, max: number): Promise<Turn> {
  return new Promise((resolve) => {
    const turn: Turn = { share, most: max, begun: 0, begin: () => resolve(turn) }
    share.waiting.push(turn)
    lookLater(share)
  })
}

/** Lets those begin whose turn it is now that one is over, or takes long. */
function makeWay(share: Share, turn: Turn): void {
  const { running, waiting } = share
  const position = running.indexOf(turn)
  if (position >= 0) running.splice(position, 1)
  for (let [next] = waiting; next !== undefined && hasRoomFor(next.most, share); [next] = waiting) {
    waiting.shift()
    next.begun = performance.now()
    running.push(next)
    next.begin()
  }
}

function lookLater(share: Share): void {
  const [first] = share.running
  if (share.timer !== undefined || first === undefined) return
  share.timer = setTimeout(
    () => {
      share.timer = undefined
      const latest = performance.now() - shareMilliseconds
      for (const turn of share.running.filter(({ begun }) => begun <= latest)) makeWay(share, turn)
      if (share.waiting.length > 0) lookLater(share)
    },
    Math.max(1, first.begun + shareMilliseconds - performance.now()),
  )
}
