const minute = 60
const hour = 60 * minute

/** The seconds to wait after each attempt that failed; after one more it is given up: ten attempts in some 76 hours. */
const waits = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour] as const

/** The longest that an endpoint may ask to be left alone, in seconds. */
const longestRest = 24 * hour

/** By how much a wait is longer at most, so that what failed together does not come back together. */
const jitter = 0.2

/**
 * The seconds until the next attempt, after so many that failed, the last one included; null where it is given up. Never sooner
 * than the endpoint has asked for.
 */
export function waitAfter(tried: number, askedSeconds: number | null): number | null {
  const wait = waits[tried - 1]
  if (wait === undefined) return null
  return Math.max(wait * (1 + Math.random() * jitter), askedSeconds ?? 0)
}

/**
 * The seconds that a Retry-After asks for (RFC 9110 §10.2.3: seconds, or a date), at most a day; null where it asks for nothing
 * that can be understood.
 */
export function findSeconds(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null
  const text = retryAfter.trim()
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), longestRest)
}
