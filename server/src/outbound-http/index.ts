export { AddressGuard, AddressNotAllowed, isBare, type Network, parseNetworks } from './address-guard.ts'
export { type CallResponse, OutgoingCalls } from './outbound-requests.ts'
