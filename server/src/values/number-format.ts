const formats = new Map<string, Intl.NumberFormat>()

/** A number as people write it, with at least and at most so many digits behind the point. */
export function numberText(value: number, fewestDigits: number, mostDigits: number): string {
  const key = `${fewestDigits} ${mostDigits}`
  let format = formats.get(key)
  if (format === undefined) {
    // Making one costs far more than using it, and memory outside of the heap.
    format = new Intl.NumberFormat('en', { minimumFractionDigits: fewestDigits, maximumFractionDigits: mostDigits })
    formats.set(key, format)
  }
  return format.format(value)
}
