/**
 * A secret, or an address that ends with one, with another character in it that counts: of the last ones of base64url (RFC 4648 §5) some
 * bits may not.
 */
export function altered(secret: string): string {
  const place = secret.length - 8
  return `${secret.slice(0, place)}${secret[place] === '0' ? '1' : '0'}${secret.slice(place + 1)}`
}
