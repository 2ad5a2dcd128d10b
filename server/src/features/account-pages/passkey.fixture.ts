import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { testCertificate } from '../webhooks/certificate.fixture.ts'

/** False statements of a device, which must be rejected. */
interface FalseStatements {
  readonly origin?: string
  readonly challenge?: string
  readonly counter?: number
  readonly isVerified?: boolean
  readonly rpId?: string
  readonly userHandle?: string
  readonly isForged?: boolean
  readonly type?: string
  /** Whether it has a valid attestation certificate of its maker. */
  readonly isCertified?: boolean
  readonly credentialId?: Buffer<ArrayBuffer>
}

/** The options that a page gives its script. */
export function getOptions(text: string) {
  const [, json = '{}'] = /<script type="application\/json" id="data">([^<]*)<\/script>/.exec(text) ?? []
  return JSON.parse(json).options
}

/** A device with one passkey on the curve P-256, implemented from Web Authentication Level 2 only. */
export class TestDevice {
  readonly credentialId = randomBytes(32)
  readonly #origin: string
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #counter = 0
  #handle = ''

  constructor(origin: string) {
    this.#origin = origin
  }

  /** The response to the creation of a passkey. */
  create(
    { challenge, rp, user }: { challenge: string; rp: { id: string }; user: { id: string } },
    falseStatements: FalseStatements = {},
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
    const { credentialId = this.credentialId } = falseStatements
    const length = toUint16(credentialId.length)
    const made = Buffer.concat([
      this.#authenticatorData(rp.id, 0x40, falseStatements),
      Buffer.alloc(16),
      length,
      credentialId,
      key,
    ])
    const client = this.#client('webauthn.create', challenge, falseStatements)
    const statement = falseStatements.isCertified
      ? buildAttestation(
          Buffer.concat([made.subarray(0, 32), digest(client), credentialId]),
          Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]),
        )
      : Buffer.from('63666d74646e6f6e656761747453746d74a0', 'hex')
    const attestation = Buffer.concat([
      Buffer.from('a3', 'hex'),
      statement,
      Buffer.from('68617574684461746159', 'hex'),
      toUint16(made.length),
      made,
    ])
    const response = {
      clientDataJSON: client.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    }
    return this.#toResponse(response, credentialId)
  }

  /** The response to an authentication by passkey. */
  get({ challenge, rpId }: { challenge: string; rpId: string }, falseStatements: FalseStatements = {}): string {
    const client = this.#client('webauthn.get', challenge, falseStatements)
    const authenticatorData = this.#authenticatorData(rpId, 0, falseStatements)
    const signed = Buffer.concat([
      authenticatorData,
      createHash('sha256')
        .update(falseStatements.isForged ? 'else' : client)
        .digest(),
    ])
    return this.#toResponse({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      userHandle: falseStatements.userHandle ?? this.#handle,
    })
  }

  #client(type: string, challenge: string, falseStatements: FalseStatements): Buffer {
    const { origin = this.#origin } = falseStatements
    return Buffer.from(
      JSON.stringify({ type: falseStatements.type ?? type, challenge: falseStatements.challenge ?? challenge, origin }),
    )
  }

  /** The authenticator data: hash of the host name, flags and counter (§6.1). */
  #authenticatorData(
    rpId: string,
    flags: number,
    { isVerified = true, counter, ...falseStatements }: FalseStatements,
  ): Buffer {
    this.#counter += 1
    const number = Buffer.alloc(4)
    number.writeUInt32BE(counter ?? this.#counter)
    const hash = createHash('sha256')
      .update(falseStatements.rpId ?? rpId)
      .digest()
    return Buffer.concat([hash, Buffer.from([flags | 0x01 | (isVerified ? 0x04 : 0)]), number])
  }

  #toResponse(response: object, credentialId = this.credentialId): string {
    const id = credentialId.toString('base64url')
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  }
}

function digest(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

function toUint16(number: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(number)
  return bytes
}

/** Format and statement of an attestation with a certificate (§8.6), in CBOR. */
function buildAttestation(authenticatorData: Buffer, publicKey: Buffer): Buffer {
  const signature = sign('sha256', Buffer.concat([Buffer.from([0]), authenticatorData, publicKey]), testCertificate.key)
  const { raw } = new X509Certificate(testCertificate.cert)
  return Buffer.concat([
    Buffer.from('63666d74686669646f2d75326667617474', 'hex'),
    Buffer.from('53746d74a26373696758', 'hex'),
    Buffer.from([signature.length]),
    signature,
    Buffer.from('637835638159', 'hex'),
    toUint16(raw.length),
    raw,
  ])
}
