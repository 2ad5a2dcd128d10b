/** Between which hours of the institution's clock payers have mail: reminders at night are sent in the morning. */
const open = { from: 8, until: 20 } as const

/**
 * The end of the quiet hours that a clock is in, as a local time `YYYY-MM-DD HH:MM`; null where it is in none.
 *
 * @param clock A local time, `YYYY-MM-DD HH:MM:SS`
 */
export function findQuietEnd(clock: string): string | null {
  const [day = '', time = ''] = clock.split(' ')
  const hour = Number(time.slice(0, 2))
  if (hour >= open.from && hour < open.until) return null
  const morning = new Date(`${day}T00:00:00.000Z`)
  if (hour >= open.until) morning.setUTCDate(morning.getUTCDate() + 1)
  return `${morning.toISOString().slice(0, 10)} ${String(open.from).padStart(2, '0')}:00`
}
