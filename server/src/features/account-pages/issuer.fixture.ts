import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** The claims of an account at the identity provider, by log-in name. */
export interface ProviderAccount {
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

/** A real OpenID Connect provider on this machine with one client, at which any name logs in. */
export async function anIdentityProvider(accounts: Record<string, ProviderAccount>, redirectUris: readonly string[]) {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const requests: string[] = []
  let isFailing = false
  const client = { clientId: 'school', clientSecret: 'a secret of this test & more' }
  const provider = new Provider(address, {
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [...redirectUris] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts[id] }) }),
    cookies: { keys: ['a key of this test'] },
    pkce: { required: () => true },
  })
  server.on('request', (request, response) => {
    requests.push(`${request.method} ${(request.url ?? '').split('?')[0]}`)
    if (isFailing) return response.writeHead(502).end('a gateway says that nothing is behind it')
    return provider.callback()(request, response)
  })
  return {
    address,
    ...client,
    requests,
    /** Responds to everything with 502, or no longer. */
    fails: (does: boolean) => {
      isFailing = does
    },
    /** Logs in at the provider as a browser does, and returns the address that it redirects to. */
    passThrough: (begun: string, login: string) => passThrough(begun, login, address),
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function passThrough(begun: string, login: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let next = begun
  for (let step = 0; step < 12; step += 1) {
    const isAsked = next.startsWith(`${issuer}/interaction/`)
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
    const page = await fetch(next, { headers, redirect: 'manual' })
    storeCookies(page)
    let response = page
    if (isAsked && page.status === 200) {
      const prompt = /name="prompt" value="(\w+)"/.exec(await page.text())?.[1] as string
      const body = new URLSearchParams({ prompt, login, password: 'any' })
      response = await fetch(next, { method: 'POST', headers, body, redirect: 'manual' })
      storeCookies(response)
    }
    const location = response.headers.get('location')
    if (location === null)
      throw new Error(`the issuer stopped at ${next} with ${response.status}: ${await response.text()}`)
    next = new URL(location, issuer).href
    if (!next.startsWith(issuer)) return new URL(next)
  }
  throw new Error('the issuer leads around in circles')

  function storeCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
  }
}
