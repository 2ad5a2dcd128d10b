import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'

/**
 * The relying party of a passkey: the authenticator offers it to this host name only, and signs the origin of its
 * use.
 */
export interface RelyingParty {
  /** A host name (Web Authentication Level 2 §5.1.2). */
  readonly id: string
  readonly origin: string
}

/** A passkey as registered by an authenticator. */
export interface MadePasskey {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
}

/** Loaded on demand: the library is a fifth of the code at start, and many institutions use no passkeys. */
const library = () => import('@simplewebauthn/server')

/** Timeout of a ceremony in the browser, in milliseconds. */
const timeout = 300_000

/** Maximum length of a response, in characters: an unrequested attestation may be long. */
const maxResponseLength = 20_000

/** Maximum length of a credential id, in bytes (Web Authentication Level 2 §4, Credential ID). */
const maxIdBytes = 1023

/** The options of an authentication ceremony with discoverable credentials: the user need not be named. */
export async function askForPasskey(party: RelyingParty): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({ rpID: party.id, userVerification: 'required', timeout: timeout })
}

/** The options of a registration ceremony, which excludes the existing passkeys of the user. */
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

/** The credential id and the parsed response to `askForPasskey`; null for anything else. */
export function readUse(text: unknown): { credentialId: Buffer; response: AuthenticationResponseJSON } | null {
  const response = parsed(text) as AuthenticationResponseJSON | null
  if (typeof response?.id !== 'string') return null
  const credentialId = Buffer.from(response.id, 'base64url')
  return credentialId.toString('base64url') === response.id ? { credentialId, response } : null
}

/**
 * Verifies an authentication response with user verification and this origin (Web Authentication Level 2 §7.2).
 * Returns the signature counter, null where verification fails. The caller compares the counter with the stored one.
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
    // The library throws for a failed verification as well as for malformed responses.
    return null
  }
}

/**
 * Verifies a registration response with user verification and this origin (Web Authentication Level 2 §7.1). Returns
 * the passkey, else null.
 */
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
    if (credentialId.length > maxIdBytes) return null
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
 * Whether a registration has attestation certificates. None were requested, and verifying them would call whatever
 * address they name (SSRF).
 */
async function isVouchedFor({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const format = attestation.get('fmt')
  return format !== 'none' && !(format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/** The user handle: the id of the user, which has no personal data (§14.6.1). */
function getHandle(userId: string): Buffer {
  return Buffer.from(userId.replaceAll('-', ''), 'hex')
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > maxResponseLength) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
