import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'

/** For whom a passkey is made: a device offers it to this host name alone, and tells at which origin it was used. */
export interface RelyingParty {
  /** A host name (Web Authentication Level 2 §5.1.2). */
  readonly id: string
  readonly origin: string
}

/** A passkey as a device made it. */
export interface MadePasskey {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
}

/** The library is a fifth of what the service would load at its start, and many institutions have no passkey. */
const library = () => import('@simplewebauthn/server')

/** How long a browser waits for somebody, in milliseconds. */
const timeout = 300_000

/** The most characters of what a device answers: an attestation that nobody asked for may be long. */
const longestAnswer = 20_000

/** The most bytes of what names a passkey (Web Authentication Level 2 §4, Credential ID). */
const longestId = 1023

/** What a browser is given to log somebody in, whoever it is: whoever uses a passkey need not say. */
export async function askForPasskey(party: RelyingParty): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({ rpID: party.id, userVerification: 'required', timeout: timeout })
}

/** What a browser is given to make a passkey of a user, which is none of those that there are. */
export async function askForNewPasskey(
  party: RelyingParty,
  institution: string,
  user: { readonly id: string; readonly name: string; readonly fullName: string },
  known: readonly { readonly credentialId: Buffer; readonly transports: readonly string[] }[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpID: party.id,
    rpName: institution,
    userID: new Uint8Array(getHandle(user.id)),
    userName: user.name,
    userDisplayName: user.fullName,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports: [...transports],
    })),
    timeout: timeout,
  })
}

/** The credential that an answer to `askForPasskey` says that it is of, with what it says; null for what is no answer. */
export function readUse(text: unknown): { credentialId: Buffer; response: AuthenticationResponseJSON } | null {
  const response = parsed(text) as AuthenticationResponseJSON | null
  if (typeof response?.id !== 'string') return null
  const credentialId = Buffer.from(response.id, 'base64url')
  return credentialId.toString('base64url') === response.id ? { credentialId, response } : null
}

/**
 * The counter of a device that has answered a challenge with a passkey of this user, the person verified, at this origin (Web Authentication
 * Level 2 §7.2); null where any of it is not so. Whether the counter has gone on is looked at where it is kept.
 */
export async function checkUse(
  party: RelyingParty,
  challenge: string,
  response: AuthenticationResponseJSON,
  passkey: Pick<MadePasskey, 'credentialId' | 'publicKey'> & { readonly userId: string },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library()
  try {
    if (response.response.userHandle !== getHandle(passkey.userId).toString('base64url')) return null
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId.toString('base64url'),
        publicKey: new Uint8Array(passkey.publicKey),
        counter: 0,
      },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    // The library throws for whatever does not hold, and for what is no such answer at all.
    return null
  }
}

/** The passkey that a device has made for a challenge, the person verified, at this origin (Web Authentication Level 2 §7.1); else null. */
export async function checkNew(party: RelyingParty, challenge: string, text: unknown): Promise<MadePasskey | null> {
  const { verifyRegistrationResponse } = await library()
  try {
    const response = parsed(text) as RegistrationResponseJSON | null
    if (response === null || (await isVouchedFor(response))) return null
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    })
    if (!verified) return null
    const { credential } = registrationInfo
    const credentialId = Buffer.from(credential.id, 'base64url')
    if (credentialId.length > longestId) return null
    const transports = credential.transports ?? []
    return {
      credentialId,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: transports.filter((way) => /^[a-z-]{1,20}$/.test(way)).slice(0, 10),
    }
  } catch {
    return null
  }
}

/**
 * Whether certificates come with a new passkey. None were asked for, and to look whether they hold the library would call whatever address
 * they name.
 */
async function isVouchedFor({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const format = attestation.get('fmt')
  return format !== 'none' && !(format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/** What a device keeps to tell whose a passkey is: the user's id, which says nothing of the person (§14.6.1). */
function getHandle(userId: string): Buffer {
  return Buffer.from(userId.replaceAll('-', ''), 'hex')
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > longestAnswer) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
