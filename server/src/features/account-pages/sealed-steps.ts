import { SealError, type SecretSeal } from '../../identity/index.ts'

/** How long a step of a log-in is valid, in seconds. */
const stepSeconds = 600

/** Encrypts a log-in step for a cookie or form field, so that the service stores nothing for visitors. */
export function encryptStep(seal: SecretSeal, purpose: string, step: object): string {
  return seal.seal(JSON.stringify({ step, until: Math.floor(Date.now() / 1000) + stepSeconds }), purpose)
}

/** Decrypts a step; null when it is invalid, for another purpose, or expired. */
export function decryptStep<Step extends object>(seal: SecretSeal, purpose: string, sealed: unknown): Step | null {
  if (typeof sealed !== 'string') return null
  try {
    const content: { step: Step; until: number } = JSON.parse(seal.open(sealed, purpose))
    return content.until > Date.now() / 1000 ? content.step : null
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}
