import { isIP } from 'node:net'
import type { Config } from '../../app/config.ts'
import type { Check } from './check.ts'

/** A key of so few different characters was typed, not drawn. */
const minCharacters = 12

/** Whether a host name or address is of this machine alone. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '')
  return plain === 'localhost' || plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

/** What can be used and should not be left so where others come to the service. */
export function checkSettings(config: Config): Check[] {
  const { host, publicUrl, secretKey, metricsToken, mail, databaseUrl, trustedProxies } = config
  const weak: string[] = []
  const publicHost = new URL(publicUrl)
  const isPublic = !isLoopback(publicHost.hostname)
  if (secretKey !== null && new Set(secretKey).size < minCharacters) {
    weak.push('SECRET_KEY can be guessed: take the output of openssl rand -base64 32')
  }
  if (isPublic && publicHost.protocol === 'http:') {
    weak.push('PUBLIC_URL is http: put a proxy with TLS in front and set it to https://…')
  }
  if (!isPublic && !isLoopback(host)) {
    weak.push(
      'PUBLIC_URL is not set, so that links in mails lead to this machine alone: set it to the address of the service',
    )
  }
  const isBehindUnknownProxy = isPublic && isLoopback(host) && trustedProxies === null
  if (metricsToken === null && (!isLoopback(host) || isBehindUnknownProxy)) {
    weak.push(
      'METRICS_TOKEN is not set, so that whoever comes from a private address or over a proxy that is not in TRUSTED_PROXIES reads /metrics: set it, or keep the proxy from passing it on',
    )
  }
  if (isBehindUnknownProxy) {
    weak.push('TRUSTED_PROXIES is not set, so that all visitors count as the proxy: set it to 127.0.0.1')
  }
  if (mail === null) weak.push('SMTP_URL is not set, so that no mail is sent: set it and MAIL_FROM')
  if (databaseUrl !== null && isUnencrypted(new URL(databaseUrl))) {
    weak.push('DATABASE_URL leads to another machine without TLS: add ?sslmode=verify-full')
  }
  if (weak.length > 0) return weak.map((detail) => ({ name: 'settings', status: 'warning', detail }))
  return [{ name: 'settings', status: 'ok', detail: 'none of them is weak' }]
}

function isUnencrypted({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  if (host === '' || host.startsWith('/') || isLoopback(host)) return false
  return [null, 'disable', 'allow', 'prefer'].includes(searchParams.get('sslmode'))
}
