const minute = 60
const hour = 60 * minute

/**
 * Retry schedule: the seconds to wait after each failed attempt. After one more the delivery has failed: ten attempts
 * in about 76 hours.
 */
const retryDelays = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** The maximum pause that an endpoint may ask for, in seconds. */
const maxPauseSeconds = 24 * hour

/** Jitter: the maximum share by which a wait is lengthened, so that simultaneous failures do not retry at once. */
const jitter = 0.2

/**
 * The seconds until the next attempt after `tried` failed ones, the last one included; null when there is none. Never
 * less than the endpoint asked for (`askedSeconds`).
 */
export function getRetryDelay(tried: number, askedSeconds: number | null): number | null {
  const wait = retryDelays[tried - 1]
  if (wait === undefined) return null
  return Math.max(wait * (1 + Math.random() * jitter), askedSeconds ?? 0)
}

/**
 * The seconds that a Retry-After asks for (RFC 9110 §10.2.3: seconds, or a date), at most a day; null when absent or
 * invalid. `now` is in milliseconds since 1970.
 */
export function parseRetryAfter(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null
  const text = retryAfter.trim()
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), maxPauseSeconds)
}
