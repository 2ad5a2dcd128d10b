/** A bucket, or a part of one. */
export interface S3Location {
  readonly bucket: string
  /** What every object's name begins with: empty, or ending with a slash. */
  readonly prefix: string
  /** Null: that of AWS for the region. */
  readonly endpoint: string | null
  /** Null: from the usual AWS variables. With an endpoint it is `us-east-1` unless said otherwise. */
  readonly region: string | null
}

/** A variable has a value that names no storage. The message says what it takes. */
export class StorageUrlError extends Error {}

const form = 's3://bucket/prefix?endpoint=https://…&region=…'

/**
 * Reads a STORAGE_URL, or another one. Throws `StorageUrlError`, whose message never repeats the value, since it may
 * hold a secret.
 */
export function parseStorageUrl(text: string, name = 'STORAGE_URL'): S3Location {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 's3:') throw new StorageUrlError(`${name} must have the form ${form}`)
  if (url.username !== '' || url.password !== '') {
    throw new StorageUrlError(
      `${name} must not hold credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead`,
    )
  }
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/.test(url.hostname) || url.port !== '' || url.hash !== '') {
    throw new StorageUrlError(`${name} must name a bucket: ${form}`)
  }
  const prefix = withoutSlashes(url.pathname)
  if (!/^(?:[A-Za-z0-9!_.*()-]+(?:\/(?!\/)|$))*$/.test(prefix)) {
    throw new StorageUrlError(`${name} must have a prefix of letters, digits and !-_.*() in parts between slashes`)
  }
  for (const parameter of url.searchParams.keys()) {
    if (parameter !== 'endpoint' && parameter !== 'region') {
      throw new StorageUrlError(`${name} takes the parameters endpoint and region, not ${parameter}`)
    }
  }
  const endpoint = endpointOf(url.searchParams.get('endpoint'), name)
  const region = findRegion(url.searchParams.get('region'), name) ?? (endpoint === null ? null : 'us-east-1')
  return { bucket: url.hostname, prefix: prefix === '' ? '' : `${prefix}/`, endpoint, region }
}

function endpointOf(text: string | null, name: string): string | null {
  if (text === null) return null
  const endpoint = URL.canParse(text) ? new URL(text) : null
  const isPlain = endpoint?.pathname === '/' && endpoint.search === '' && endpoint.hash === '' && !endpoint.username
  if (endpoint !== null && isPlain && /^https?:$/.test(endpoint.protocol)) return endpoint.origin
  throw new StorageUrlError(`${name} must have an endpoint such as https://storage.example.org, without a path`)
}

function findRegion(text: string | null, name: string): string | null {
  if (text === null || /^[a-z0-9-]{1,64}$/i.test(text)) return text
  throw new StorageUrlError(`${name} must have a region such as eu-central-1`)
}

/** A path without the slashes at its ends. */
function withoutSlashes(path: string): string {
  let [from, to] = [0, path.length]
  while (path[from] === '/') from += 1
  while (to > from && path[to - 1] === '/') to -= 1
  return path.slice(from, to)
}
