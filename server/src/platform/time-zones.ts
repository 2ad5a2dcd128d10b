/** Today's calendar date in a time zone, `YYYY-MM-DD`. */
export function todayIn(timeZone: string, now = new Date()): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
}

/**
 * The day that a stamp means in a time zone, `YYYY-MM-DD`. A stamp at midnight UTC is what a bare day becomes, and means that day
 * everywhere; any other is the day on which it falls.
 */
export function dayOf(stamp: string, timeZone: string): string {
  return stamp.endsWith('T00:00:00.000Z') ? stamp.slice(0, 10) : todayIn(timeZone, new Date(stamp))
}

/** Whether the runtime knows a time zone of the IANA database by this name. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
