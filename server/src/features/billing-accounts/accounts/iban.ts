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

/** The creditor reference of a payment, by its id: time and random digits of a UUID (RFC 9562 §5.7), in 21 digits. */
export function paymentReference(id: string): string {
  const hex = id.replaceAll('-', '')
  const time = BigInt(`0x${hex.slice(0, 12)}`) % 10n ** 15n
  const random = BigInt(`0x${hex.slice(20)}`) % 10n ** 6n
  return creditorReference(time.toString().padStart(15, '0') + random.toString().padStart(6, '0'))
}
