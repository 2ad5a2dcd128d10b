/** An IBAN without spaces, in upper case. */
export function normalIban(text: string): string {
  return text.replace(/\s/g, '').toUpperCase()
}

/** Whether a text without spaces is an IBAN with right check digits (ISO 13616, ISO 7064 MOD 97-10). */
export function isIban(text: string): boolean {
  return /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) && remainder(text.slice(4) + text.slice(0, 4)) === 1
}

/** The remainder of a text by 97, its letters counted as 10 to 35 (ISO 7064). */
function remainder(text: string): number {
  let rest = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97
  }
  return rest
}

/** Whether a text without spaces is a creditor reference with right check digits (ISO 11649). */
export function isCreditorReference(text: string): boolean {
  return /^RF\d{2}[A-Z0-9]{1,21}$/.test(text) && remainder(text.slice(4) + text.slice(0, 4)) === 1
}

/** A creditor reference (ISO 11649) over up to 21 letters and digits. */
export function creditorReference(reference: string): string {
  return `RF${String(98 - remainder(`${reference}RF00`)).padStart(2, '0')}${reference}`
}

/**
 * The creditor reference of a payment, by its id, in 21 digits, as banks of every country take them: 13 of the millisecond of a UUID
 * (RFC 9562 §5.7) and 8 of its sequence, which counts those of a process within a millisecond (§6.2), so that no two are equal.
 */
export function paymentReference(id: string): string {
  const number = BigInt(`0x${id.replaceAll('-', '')}`)
  const time = (number >> 80n) % 10n ** 13n
  const sequence = (((number >> 64n) & 0xfffn) << 20n) | ((number >> 42n) & 0xfffffn)
  return creditorReference(time.toString().padStart(13, '0') + (sequence % 10n ** 8n).toString().padStart(8, '0'))
}
