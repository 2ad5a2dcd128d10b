export { AddressGuard, AddressNotAllowed, type Network, parseNetworks } from './address-guard.ts'
export { type CallAnswer, OutgoingCalls } from './outgoing-calls.ts'
