/** The days of a membership or a leave, both inclusive, as `YYYY-MM-DD`; without a bound where null. */
export interface Days {
  readonly from_date: string | null
  readonly to_date: string | null
}

/** Whether two spans of days have a day in common. */
export function sharesDays(one: Days, other: Days): boolean {
  const startsInTime = one.from_date === null || other.to_date === null || one.from_date <= other.to_date
  const endsInTime = one.to_date === null || other.from_date === null || one.to_date >= other.from_date
  return startsInTime && endsInTime
}
