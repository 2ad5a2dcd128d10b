import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whom an address stands for when attempts are counted: an address of IPv4 for itself, one of IPv6 for its /64 network, of
 * whose addresses everybody has countless (RFC 6177).
 */
export function getNetwork(address: string): string {
  if (!address.includes(':') || !isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

/** Ranges that lead to no other network than the own one: loopback, private (RFC 1918, RFC 4193) and link-local (RFC 3927, RFC 4291 §2.5.6). */
const ownRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal'])

/** Whether an address is one of the own machine or of a private network; one of IPv4 that is written as IPv6 is what it stands for. */
export function isPrivateAddress(address: string): boolean {
  return ipaddr.isValid(address) && ownRanges.has(ipaddr.process(address).range())
}
