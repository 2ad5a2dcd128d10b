import { SealError, type SecretSeal } from '../../identity/index.ts'

/** How long a step of a log-in may take, in seconds. */
const stepSeconds = 600

/** What a browser keeps of a step, or sends back with a form, so that nothing is kept here of who only looks at a page. */
export function sealStep(seal: SecretSeal, purpose: string, step: object): string {
  return seal.seal(JSON.stringify({ step, until: Math.floor(Date.now() / 1000) + stepSeconds }), purpose)
}

/** The step that was sealed for a purpose within the last ten minutes, or null. */
export function openStep<Step extends object>(seal: SecretSeal, purpose: string, sealed: unknown): Step | null {
  if (typeof sealed !== 'string') return null
  try {
    const stored: { step: Step; until: number } = JSON.parse(seal.open(sealed, purpose))
    return stored.until > Date.now() / 1000 ? stored.step : null
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}
