import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError } from './config.ts'

type Address = Pick<Config, 'host' | 'port'>

/** Listens; returns the address. Throws `ConfigError` where HOST or PORT is one that this machine or this user cannot have. */
export async function listen(app: FastifyInstance, { host, port }: Address): Promise<string> {
  await app.listen({ host, port }).catch((error) => refuse(error, { host, port }))
  const { address, port: actualPort } = app.server.address() as AddressInfo
  return `http://${address.includes(':') ? `[${address}]` : address}:${actualPort}`
}

/**
 * Throws the `ConfigError` of `listen` before anything is begun that takes its time, such as a database that is made or
 * brought up to date.
 */
export async function requireFreeAddress({ host, port }: Address): Promise<void> {
  const probe = createServer().listen({ host, port })
  await once(probe, 'listening').catch((error) => refuse(error, { host, port }))
  await new Promise((resolve) => probe.close(resolve))
}

function refuse(error: NodeJS.ErrnoException, { host, port }: Address): never {
  const reason = obstacles[error.code ?? '']?.(host, port)
  throw reason === undefined ? error : new ConfigError(reason)
}

const obstacles: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) => `Another program listens on port ${port} of ${host}. Set PORT to a free one.`,
  EACCES: (_, port) => `Port ${port} may not be used by this user. Set PORT to one above 1023, with a proxy in front.`,
  EADDRNOTAVAIL: (host) => `${host} is no address of this machine. Set HOST to one, or to 0.0.0.0 for all.`,
  ENOTFOUND: (host) => `The host ${host} is not known. Set HOST to an address of this machine.`,
  EAI_AGAIN: (host) => `The host ${host} cannot be looked up. Set HOST to an address of this machine.`,
  EINVAL: (host) => `${host} cannot be listened on. Set HOST to an address of this machine.`,
}
