import { setTimeout } from 'node:timers/promises'
import type { Fault } from '@matricula/contract'
import { type AddressGuard, AddressNotAllowed, isBare } from '../../../outbound-http/index.ts'

/** The timeout of the DNS look-up when an address is registered, in milliseconds. */
const lookupTimeoutMs = 3_000

/**
 * The validation errors of an endpoint's address: its form, or the network that it leads to. A name without an address
 * now is accepted, because each connection is checked again.
 */
export async function addressErrors(guard: AddressGuard, url: string): Promise<Fault[]> {
  // What the URL parser would correct, such as blanks, backslashes and a missing host, is rejected, so that the stored
  // address means what it says.
  const parsed = /^https?:\/\/[^\s\\/?#][^\s\\]*$/i.test(url) && URL.canParse(url) ? new URL(url) : null
  if (parsed === null) {
    return [error('format', 'must be an https address, such as https://erp.example.org/hooks')]
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return [error('inconsistent', 'must not hold credentials: deliveries are signed with the secret')]
  }
  if (parsed.hash !== '') return [error('inconsistent', 'must have no part behind #, which is never sent')]
  const isEncrypted = parsed.protocol === 'https:'
  const host = parsed.hostname.replace(/^\[|\]$/g, '')
  try {
    const lookup = guard.loadAddresses(host, { isEncrypted })
    const addresses = await Promise.race([lookup, setTimeout(lookupTimeoutMs, [], { ref: false })])
    if (addresses.length > 0 || (isEncrypted && !isBare(host))) return []
  } catch (error) {
    if (isEncrypted && !(error instanceof AddressNotAllowed)) return []
  }
  if (isBare(host)) {
    const own = 'or of a network that the operator has named in WEBHOOK_ALLOWED_NETWORKS'
    return [error('inconsistent', `must have a host with a dot in its name, such as erp.example.org, ${own}`)]
  }
  const detail = isEncrypted
    ? 'must lead to public addresses only: its host is, or its name stands for, one of a private or special network'
    : 'must be an https address; http is for networks that the operator has named in WEBHOOK_ALLOWED_NETWORKS'
  return [error('inconsistent', detail)]
}

function error(code: Fault['code'], detail: string): Fault {
  return { in: 'body', pointer: '#/url', code, detail }
}
