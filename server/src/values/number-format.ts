const formats = new Map<string, Intl.NumberFormat>()

/** A number as people write it, with at least and at most so many digits behind the point. */
export function numberText(value: number, minDigits: number, maxDigits: number): string {
  const key = `${minDigits} ${maxDigits}`
  let format = formats.get(key)
  if (format === undefined) {
    // Making one costs far more than using it, and memory outside of the heap.
    format = new Intl.NumberFormat('en', { minimumFractionDigits: minDigits, maximumFractionDigits: maxDigits })
    formats.set(key, format)
  }
  return format.format(value)
}
