import { setTimeout } from 'node:timers/promises'
import type { Fault } from '@matricula/contract'
import { type AddressGuard, AddressNotAllowed, isBare } from '../../../outbound-http/index.ts'

/** How long the registration of an address waits for its name to be looked up, in milliseconds. */
const timeoutMs = 3_000

/**
 * What is wrong with an address that deliveries are to be sent to: its form, or where it leads. A name that has no address now is
 * taken, because whatever is connected to is looked at then.
 */
export async function addressErrors(guard: AddressGuard, url: string): Promise<Fault[]> {
  // What a browser would mend, such as blanks, backslashes and a host that is left out, is refused, so that what is stored reads as it is meant.
  const parsed = /^https?:\/\/[^\s\\/?#][^\s\\]*$/i.test(url) && URL.canParse(url) ? new URL(url) : null
  if (parsed === null) {
    return [fault('format', 'must be an https address, such as https://erp.example.org/hooks')]
  }
  if (parsed.username !== '' || parsed.password !== '') {
    return [fault('inconsistent', 'must not hold credentials: deliveries are signed with the secret')]
  }
  if (parsed.hash !== '') return [fault('inconsistent', 'must have no part behind #, which is never sent')]
  const isEncrypted = parsed.protocol === 'https:'
  const host = parsed.hostname.replace(/^\[|\]$/g, '')
  try {
    const looking = guard.loadAddresses(host, { isEncrypted })
    const addresses = await Promise.race([looking, setTimeout(timeoutMs, [], { ref: false })])
    if (addresses.length > 0 || (isEncrypted && !isBare(host))) return []
  } catch (error) {
    if (isEncrypted && !(error instanceof AddressNotAllowed)) return []
  }
  if (isBare(host)) {
    const own = 'or of a network that the operator has named in WEBHOOK_ALLOWED_NETWORKS'
    return [fault('inconsistent', `must have a host with a dot in its name, such as erp.example.org, ${own}`)]
  }
  const detail = isEncrypted
    ? 'must lead to public addresses only: its host is, or its name stands for, one of a private or special network'
    : 'must be an https address; http is for networks that the operator has named in WEBHOOK_ALLOWED_NETWORKS'
  return [fault('inconsistent', detail)]
}

function fault(code: Fault['code'], detail: string): Fault {
  return { in: 'body', pointer: '#/url', code, detail }
}
