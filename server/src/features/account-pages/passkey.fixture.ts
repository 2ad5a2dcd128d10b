import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { testCertificate } from '../webhooks/certificate.fixture.ts'

/** What a device says beside what is true, to see that it is refused. */
interface Lies {
  readonly origin?: string
  readonly challenge?: string
  readonly counter?: number
  readonly isVerified?: boolean
  readonly rpId?: string
  readonly userHandle?: string
  readonly isForged?: boolean
  readonly type?: string
  /** Whether it comes with a certificate of its maker, which is right. */
  readonly isCertified?: boolean
  readonly credentialId?: Buffer<ArrayBuffer>
}

/** What a page gives its script to ask a device. */
export function getOptions(text: string) {
  const [, json = '{}'] = /<script type="application\/json" id="data">([^<]*)<\/script>/.exec(text) ?? []
  return JSON.parse(json).options
}

/** A device with one passkey on the curve P-256, written from Web Authentication Level 2 alone. */
export class TestDevice {
  readonly credentialId = randomBytes(32)
  readonly #origin: string
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #counter = 0
  #handle = ''

  constructor(origin: string) {
    this.#origin = origin
  }

  /** The answer to a page that makes a passkey. */
  create(
    { challenge, rp, user }: { challenge: string; rp: { id: string }; user: { id: string } },
    lies: Lies = {},
  ): string {
    this.#handle = user.id
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' }) as { x: string; y: string }
    // {1: 2, 3: -7, -1: 1, -2: x, -3: y} in CBOR (RFC 9052 §7.1)
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ])
    const { credentialId = this.credentialId } = lies
    const length = inTwoBytes(credentialId.length)
    const made = Buffer.concat([this.#said(rp.id, 0x40, lies), Buffer.alloc(16), length, credentialId, key])
    const client = this.#client('webauthn.create', challenge, lies)
    const statement = lies.isCertified
      ? certified(
          Buffer.concat([made.subarray(0, 32), digest(client), credentialId]),
          Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]),
        )
      : Buffer.from('63666d74646e6f6e656761747453746d74a0', 'hex')
    const attestation = Buffer.concat([
      Buffer.from('a3', 'hex'),
      statement,
      Buffer.from('68617574684461746159', 'hex'),
      inTwoBytes(made.length),
      made,
    ])
    const response = {
      clientDataJSON: client.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    }
    return this.#told(response, credentialId)
  }

  /** The answer to a page that asks for a passkey. */
  get({ challenge, rpId }: { challenge: string; rpId: string }, lies: Lies = {}): string {
    const client = this.#client('webauthn.get', challenge, lies)
    const said = this.#said(rpId, 0, lies)
    const signed = Buffer.concat([
      said,
      createHash('sha256')
        .update(lies.isForged ? 'else' : client)
        .digest(),
    ])
    return this.#told({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: said.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      userHandle: lies.userHandle ?? this.#handle,
    })
  }

  #client(type: string, challenge: string, lies: Lies): Buffer {
    const { origin = this.#origin } = lies
    return Buffer.from(JSON.stringify({ type: lies.type ?? type, challenge: lies.challenge ?? challenge, origin }))
  }

  /** The hash of the host name, the flags, and the counter (§6.1). */
  #said(rpId: string, flags: number, { isVerified = true, counter, ...lies }: Lies): Buffer {
    this.#counter += 1
    const number = Buffer.alloc(4)
    number.writeUInt32BE(counter ?? this.#counter)
    const hash = createHash('sha256')
      .update(lies.rpId ?? rpId)
      .digest()
    return Buffer.concat([hash, Buffer.from([flags | 0x01 | (isVerified ? 0x04 : 0)]), number])
  }

  #told(response: object, credentialId = this.credentialId): string {
    const id = credentialId.toString('base64url')
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  }
}

function digest(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

function inTwoBytes(number: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(number)
  return bytes
}

/** Format and statement of an attestation with a certificate (§8.6), in CBOR. */
function certified(said: Buffer, publicKey: Buffer): Buffer {
  const signature = sign('sha256', Buffer.concat([Buffer.from([0]), said, publicKey]), testCertificate.key)
  const { raw } = new X509Certificate(testCertificate.cert)
  return Buffer.concat([
    Buffer.from('63666d74686669646f2d75326667617474', 'hex'),
    Buffer.from('53746d74a26373696758', 'hex'),
    Buffer.from([signature.length]),
    signature,
    Buffer.from('637835638159', 'hex'),
    inTwoBytes(raw.length),
    raw,
  ])
}
