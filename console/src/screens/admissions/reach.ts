/** The address that begins a mail to somebody (RFC 6068). */
export const mailTo = (address: string) => `mailto:${encodeURIComponent(address)}`

/** The address that calls a number (RFC 3966). */
export const callTo = (number: string) => `tel:${number.replace(/[^+\d]/g, '')}`
