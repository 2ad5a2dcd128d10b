/** Which tests a run has. */
export interface Choice {
  /** Parts of file names; with any, files of both tiers are chosen by them. */
  readonly names: readonly string[]
  /** Whether the second tier is run: what takes long, in files named `.slow.test.ts`, and the journeys, `.journey.test.ts`. */
  readonly slow: boolean
  /** With the second tier, which of `slowParts` parts of it is run, from 0; null for the whole. */
  readonly part: number | null
}

/**
 * Into how many parts the second tier is dealt, of which a run with `--part` has one. Hours of a day are no multiple of it, so that a run
 * at the same hour each day has another part each day.
 */
export const slowParts = 25

const hour = 3_600_000

/**
 * The choice that words of the command line make: `[--slow [--part auto|1…25]] [part of a file name …]`. With `auto`
 * the part follows from the hour, so that each comes about once a day. Throws a `RangeError` for another part.
 */
export function readChoice(args: readonly string[], now: Date): Choice {
  const at = args.indexOf('--part')
  const names = args.filter((word, index) => !word.startsWith('--') && (at < 0 || index !== at + 1))
  const slow = args.includes('--slow')
  if (at < 0) return { names, slow, part: null }
  const value = args[at + 1]
  const part = value === 'auto' ? Math.floor(now.getTime() / hour) % slowParts : Number(value) - 1
  if (!Number.isInteger(part) || part < 0 || part >= slowParts) {
    throw new RangeError(`--part takes auto or a number from 1 to ${slowParts}`)
  }
  return { names, slow, part }
}

/** The compiled test files of a choice, in their order. */
export function chooseFiles(files: readonly string[], { names, slow, part }: Choice): string[] {
  if (names.length > 0) return files.filter((file) => names.some((name) => file.includes(name)))
  const tier = files.filter((file) => /\.(?:slow|journey)\.test\.js$/.test(file) === slow)
  return part === null || !slow ? tier : tier.filter((_, index) => index % slowParts === part)
}
