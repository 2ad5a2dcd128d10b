/**
 * The maximum number of ways in which a pattern may be matched against one answer: all of them take a few milliseconds.
 */
const maxWays = 100_000

/**
 * The error of a pattern for answers of at most `maxLength` characters, in one sentence; null for a usable pattern.
 *
 * Protection against regular-expression denial of service (CWE-1333): JavaScript matches by backtracking, which can
 * take exponential time. Each way to match is a choice of how often each repetition repeats and which alternative is
 * taken; their number bounds the work and follows from the pattern alone.
 */
export function findPatternError(pattern: string, maxLength: number): string | null {
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    return `is not a regular expression (${(error as Error).message.replace(/^Invalid regular expression: /, '')})`
  }
  if (/\(\?(?:<?[=!])/.test(withoutClasses(pattern))) return 'must not look ahead or behind: (?= (?! (?<= (?<!'
  if (/\\(?:[1-9]|k<)/.test(pattern.replace(/\\\\/g, ''))) return 'must not refer back to a group: \\1 or \\k<name>'
  if (new PatternWays(pattern, maxLength).count() <= maxWays) return null
  return `could take too long: repeat at most two parts without a bound, nothing inside a repeated group, and write [ab] instead of (a|b), or set maxLength lower than ${maxLength}`
}

/** Whether a whole answer matches a pattern that passed `findPatternError`. */
export function matchesPattern(pattern: string, answer: string): boolean {
  return new RegExp(`^(?:${pattern})$`, 'u').test(answer)
}

function withoutClasses(pattern: string): string {
  return pattern.replace(/\\./gu, '').replace(/\[[^\]]*(?:\]|$)/gu, '')
}

/** Parses a valid pattern (ECMA-262, flag `u`) and counts the ways in which it can match. */
class PatternWays {
  readonly #characters: readonly string[]
  readonly #maxLength: number
  #at = 0

  constructor(pattern: string, maxLength: number) {
    this.#characters = [...pattern]
    this.#maxLength = maxLength
  }

  count(): number {
    return this.#alternatives()
  }

  #alternatives(): number {
    let ways = this.#sequence()
    while (this.#takes('|')) ways += this.#sequence()
    return ways
  }

  #sequence(): number {
    let ways = 1
    while (this.#at < this.#characters.length && !this.#isNext('|') && !this.#isNext(')')) {
      const inner = this.#atom()
      ways *= this.#repeated(inner)
    }
    return ways
  }

  #atom(): number {
    if (this.#takes('(')) {
      if (this.#takes('?') && this.#takes('<')) this.#skipPast('>')
      else this.#takes(':')
      const ways = this.#alternatives()
      this.#takes(')')
      return ways
    }
    if (this.#takes('[')) this.#skipClass()
    else if (this.#takes('\\')) this.#skipEscape()
    else this.#at += 1
    return 1
  }

  /** The ways of an atom with its quantifier. */
  #repeated(inner: number): number {
    const [min, max] = this.#quantifier()
    this.#takes('?')
    const last = Math.min(max, this.#maxLength)
    const first = Math.min(min, last)
    if (inner === 1) return last - first + 1
    let ways = 0
    for (let times = first; times <= last && ways <= maxWays; times += 1) ways += inner ** times
    return ways
  }

  #quantifier(): [min: number, max: number] {
    if (this.#takes('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.#takes('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.#takes('?')) return [0, 1]
    if (!this.#takes('{')) return [1, 1]
    const [min = '', max] = this.#skipPast('}').split(',')
    return [Number(min), max === undefined ? Number(min) : max === '' ? Number.POSITIVE_INFINITY : Number(max)]
  }

  #skipClass(): void {
    while (!this.#takes(']')) this.#at += this.#isNext('\\') ? 2 : 1
  }

  #skipEscape(): void {
    const letter = this.#characters[this.#at]
    this.#at += 1
    if ((letter === 'p' || letter === 'P' || letter === 'u') && this.#isNext('{')) this.#skipPast('}')
  }

  #skipPast(end: string): string {
    const from = this.#at
    while (!this.#isNext(end)) this.#at += 1
    this.#at += 1
    return this.#characters.slice(from, this.#at - 1).join('')
  }

  #isNext(character: string): boolean {
    return this.#characters[this.#at] === character
  }

  #takes(character: string): boolean {
    if (!this.#isNext(character)) return false
    this.#at += 1
    return true
  }
}
