/** The amount as a number; null for what is none, or finer than the currency. */
export function readAmount(text: string, digits: number): number | null {
  if (!/^\d{1,12}(?:\.\d+)?$/.test(text)) return null
  const [, fraction = ''] = text.split('.')
  return fraction.length > digits ? null : Number(text)
}
