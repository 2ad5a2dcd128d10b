import { isIPv6 } from 'node:net'

/**
 * Whom an address stands for when attempts are counted: an address of IPv4 for itself, one of IPv6 for its /64 network, of
 * whose addresses everybody has countless (RFC 6177).
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || !isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
