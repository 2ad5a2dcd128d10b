/** What the page gave its script: what to ask the device, and what to say where nothing came of it. */
const data = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as {
  readonly does: 'get' | 'create'
  readonly isAtOnce: boolean
  readonly options: PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON
  readonly cancelled: string
  readonly known: string
}
const form = document.getElementById('passkey') as HTMLFormElement
const failed = document.getElementById('failed') as HTMLElement
const button = form.querySelector('button') as HTMLButtonElement

/** Asks the device, and sends what it answers with the form. */
async function ask(isOwnDoing: boolean): Promise<void> {
  button.disabled = true
  failed.hidden = true
  try {
    const credential = (await (data.does === 'get' ? use() : make())) as PublicKeyCredential
    form.querySelector<HTMLInputElement>('[name="answer"]')?.setAttribute('value', JSON.stringify(told(credential)))
    form.submit()
  } catch (error) {
    button.disabled = false
    // Some browsers ask a device only when somebody has pressed something.
    if (!isOwnDoing) return
    failed.textContent = (error as Error).name === 'InvalidStateError' ? data.known : data.cancelled
    failed.hidden = false
  }
}

function use(): Promise<Credential | null> {
  const { challenge, allowCredentials: _, extensions: __, hints: ___, ...rest } = data.options
  const publicKey = { ...rest, challenge: bytes(challenge) } as PublicKeyCredentialRequestOptions
  return navigator.credentials.get({ publicKey })
}

function make(): Promise<Credential | null> {
  const { challenge, user, excludeCredentials = [], extensions: _, hints: __, ...rest } = data.options
  const publicKey = {
    ...rest,
    challenge: bytes(challenge),
    user: { ...user, id: bytes(user.id) },
    excludeCredentials: excludeCredentials.map((known) => ({ ...known, id: bytes(known.id) })),
  } as PublicKeyCredentialCreationOptions
  return navigator.credentials.create({ publicKey })
}

/** A credential as JSON (Web Authentication Level 3 §5.1), which not every browser that has passkeys writes by itself. */
function told(credential: PublicKeyCredential): object {
  const { id, type, rawId, response } = credential
  const common = { id, rawId: text(rawId), type, clientExtensionResults: {} }
  const clientDataJSON = text(response.clientDataJSON)
  if (response instanceof AuthenticatorAttestationResponse) {
    const attestationObject = text(response.attestationObject)
    return { ...common, response: { clientDataJSON, attestationObject, transports: response.getTransports?.() ?? [] } }
  }
  const { authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse
  const answered = { authenticatorData: text(authenticatorData), signature: text(signature) }
  return { ...common, response: { clientDataJSON, ...answered, ...(userHandle && { userHandle: text(userHandle) }) } }
}

function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  const plain = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (character) => character.charCodeAt(0))
}

function text(buffer: ArrayBuffer): string {
  const plain = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('')
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

if (typeof PublicKeyCredential === 'function' && navigator.credentials !== undefined) {
  form.hidden = false
  document.getElementById('unavailable')?.remove()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void ask(true)
  })
  if (data.isAtOnce) void ask(false)
}

export {}
