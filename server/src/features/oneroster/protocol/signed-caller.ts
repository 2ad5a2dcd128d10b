import type { FastifyRequest } from 'fastify'
import type { Database } from '../../../database/index.ts'
import { findOAuthConsumer, type SecretSeal, useNonce } from '../../../identity/index.ts'
import { isUuid } from '../../../values/index.ts'
import {
  hashNonce,
  isCurrent,
  isKnownMethod,
  isSignedWith,
  maxClockSkew,
  type OAuthParameters,
} from './oauth-signature.ts'
import { OneRosterError } from './oneroster-error.ts'

const refused = (detail: string) =>
  new OneRosterError('unauthorisedrequest', detail, { 'www-authenticate': 'OAuth realm="matricula"' })

/**
 * The token of the key that signed a request by OAuth 1.0a (RFC 5849), HMAC-SHA1 or HMAC-SHA256 in the header; the caller
 * authenticates it. Throws `unauthorisedrequest`, also for a nonce that was used before.
 */
export async function findSigningToken(
  { database, seal }: { readonly database: Database; readonly seal: SecretSeal },
  request: FastifyRequest,
  parameters: OAuthParameters,
  publicUrl: string,
): Promise<string> {
  const consumerKey = parameters.get('oauth_consumer_key') ?? ''
  const version = parameters.get('oauth_version') ?? '1.0'
  if (!isKnownMethod(parameters.get('oauth_signature_method')) || version !== '1.0') {
    throw refused('Sign requests by OAuth 1.0 with HMAC-SHA1 or HMAC-SHA256.')
  }
  if (!isCurrent(parameters.get('oauth_timestamp'), Date.now())) {
    throw refused('The timestamp is more than five minutes off. Set the clock of the client.')
  }
  const nonce = parameters.get('oauth_nonce') ?? ''
  if (nonce === '' || nonce.length > 500) throw refused('Send a nonce of at most 500 characters.')
  const consumer = isUuid(consumerKey) ? await findOAuthConsumer(database, seal, consumerKey) : null
  const [path = '', query = ''] = request.url.split('?')
  const addresses = getAddresses(request, publicUrl).map((origin) => origin + path)
  const secret = consumer?.secrets.find((each) =>
    isSignedWith(each, parameters, { method: request.method, addresses, query }),
  )
  if (consumer === null || secret === undefined) {
    throw refused('The signature is not that of a token made with matricula token create --oauth1.')
  }
  const isFresh = await useNonce(database, consumer.tenantId, consumerKey, hashNonce(parameters), 2 * maxClockSkew + 60)
  if (!isFresh) throw refused('This nonce was used before. Send another with each request.')
  return secret
}

/** The schemes and hosts under which a client may have reached the service. */
function getAddresses({ host, protocol }: FastifyRequest, publicUrl: string): string[] {
  const name = host.toLowerCase()
  return [
    ...new Set([
      `${protocol}://${withoutPort(name, protocol)}`,
      `https://${withoutPort(name, 'https')}`,
      new URL(publicUrl).origin,
    ]),
  ]
}

function withoutPort(host: string, protocol: string): string {
  return host.replace(protocol === 'https' ? /:443$/ : /:80$/, '')
}
