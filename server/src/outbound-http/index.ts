export { AddressGuard, AddressNotAllowed, isBare, type Network, parseNetworks } from './address-guard.ts'
export { type CallAnswer, OutgoingCalls } from './outbound-requests.ts'
