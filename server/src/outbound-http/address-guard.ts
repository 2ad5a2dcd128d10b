import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A network by its first address and the bits that all of its addresses have in common. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Reads networks that are separated by commas, such as `10.0.0.0/8,::1`. Throws an error that says which is none. */
export function parseNetworks(text: string): Network[] {
  const entries = text.split(',').map((word) => word.trim())
  return entries.map((word): Network => {
    if (ipaddr.isValidCIDR(word)) return ipaddr.parseCIDR(word)
    if (isIP(word) === 0) throw new Error(`${JSON.stringify(word)} is neither an address nor a network`)
    const address = ipaddr.parse(word)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  })
}

/** A call would go where it must not. */
export class AddressNotAllowed extends Error {
  readonly code = 'ADDRESS_NOT_ALLOWED'
}

/** How an address is to be called: with TLS or without. */
export interface Manner {
  readonly isEncrypted: boolean
}

/** How long a name is looked up, in milliseconds, at each of two tries. */
const lookUpMilliseconds = 2_000

/**
 * SSRF protection: only public addresses may be called, and only with TLS; those in networks that the operator allows
 * also without.
 */
export class AddressGuard {
  readonly #own: readonly Network[]
  readonly #resolver = new Resolver({ timeout: lookUpMilliseconds, tries: 2 })

  /** With the operator's own networks; asks the name servers of the system, unless others are given. */
  constructor(own: readonly Network[], nameServers?: readonly string[]) {
    this.#own = own
    if (nameServers !== undefined) this.#resolver.setServers(nameServers)
  }

  /** Whether an address of IPv4 or IPv6 may be called. */
  mayCall(address: string, { isEncrypted }: Manner): boolean {
    const found = ipaddr.process(address) // an IPv4-mapped one is what it maps (RFC 4291 §2.5.5.2)
    if (this.#own.some(([network, bits]) => found.kind() === network.kind() && found.match(network, bits))) return true
    return isEncrypted && isPublic(found)
  }

  /**
   * All addresses of a host, each of which may be called. They are asked for over DNS alone, so that a slow name
   * server keeps none of the few threads busy that look up names through the system.
   * @throws AddressNotAllowed when one of them may not; else the error of node's resolver, such as ENOTFOUND
   */
  async loadAddresses(host: string, manner: Manner): Promise<string[]> {
    if (isBare(host)) return this.#loadOwnAddresses(host)
    const addresses = await this.#resolve(host)
    const rejected = addresses.find((address) => !this.mayCall(address, manner))
    if (rejected === undefined) return addresses
    throw new AddressNotAllowed(`${host} stands for an address that is not public`)
  }

  /** The addresses of a name without a dot, which means something in the operator's own networks alone. */
  async #loadOwnAddresses(host: string): Promise<string[]> {
    const addresses = await this.#resolve(host).catch((): string[] => [])
    if (addresses.length > 0 && addresses.every((address) => this.mayCall(address, { isEncrypted: false }))) {
      return addresses
    }
    throw new AddressNotAllowed(`${host} is no name of the public internet`)
  }

  async #resolve(host: string): Promise<string[]> {
    if (isIP(host) !== 0) return [host]
    if (/^(.*\.)?localhost\.?$/i.test(host)) return ['127.0.0.1', '::1'] // RFC 6761 §6.3
    const [four, six] = await Promise.allSettled([this.#resolver.resolve4(host), this.#resolver.resolve6(host)])
    const addresses = [four, six].flatMap((response) => (response.status === 'fulfilled' ? response.value : []))
    if (addresses.length > 0) return addresses
    throw four.status === 'rejected' ? four.reason : new AddressNotAllowed(`${host} has no address`)
  }
}

/** Whether a host is a name without a dot, such as one of the operator's own machines. */
export function isBare(host: string): boolean {
  return isIP(host) === 0 && !host.replace(/\.$/, '').includes('.')
}

const globalUnicast: Network = ipaddr.parseCIDR('2000::/3') // all that is given out (RFC 4291 §2.4)
const nat64: Network = ipaddr.parseCIDR('64:ff9b::/96') // RFC 6052 §2.1

/**
 * Whether an address is one of the public internet: of no range with a special purpose (RFC 6890 and its registries),
 * no 6to4 and no Teredo, whose relays are gone. One of the well-known prefix of NAT64 is what it stands for.
 */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.kind() === 'ipv4') return address.range() === 'unicast'
  if (address.match(nat64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)))
  return address.match(globalUnicast) && address.range() === 'unicast'
}
