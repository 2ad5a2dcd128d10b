import { CallError, call, forgetCsrfToken, renewCsrfToken } from './http.ts'
import { institutionPath } from './place.ts'

/** What somebody may do with a record type. */
export type Right = 'read' | 'write' | 'create' | 'delete' | 'submit' | 'cancel' | 'amend'

/** How somebody wants the console to be, at whichever browser. */
export interface Preferences {
  readonly language: string | null
  readonly density: 'comfortable' | 'compact'
  readonly settings: { readonly columns?: Readonly<Record<string, readonly string[] | null>> }
}

/** Who is logged in and what such a one may do, as the operation `getBoot` says it. */
export interface Boot {
  readonly user: {
    readonly id: string
    readonly name: string
    readonly fullName: string
    readonly roles: readonly string[]
    readonly language: string
    readonly timeZone: string
  }
  readonly tenant: {
    readonly slug: string
    readonly name: string
    readonly currency: string
    readonly timeZone: string
    readonly language: string
    readonly enabledModules: readonly string[]
  }
  readonly rights: readonly { readonly type: string; readonly rights: readonly Right[]; readonly ownOnly: boolean }[]
  readonly customFieldTypes: readonly string[]
  readonly scopes: readonly string[]
  readonly systemOfRecord: Readonly<Record<string, { readonly value: string; readonly owner: string | null }>>
  readonly academicYear: string | null
  readonly academicTerm: string | null
  readonly badges: Readonly<Record<string, number | null>>
  readonly preferences: Preferences
  readonly session: { readonly idleMinutes: number; readonly warningSeconds: number }
}

/** Who is there; the token for writes is asked for then, and writes wait for it. Throws `CommandError`. */
export async function boot(): Promise<Boot> {
  const { body } = await call('GET', '/console/v1/boot', { asksToLogIn: false })
  renewCsrfToken(csrfToken)
  return body.data ?? body
}

async function csrfToken(): Promise<string | null> {
  const { body } = await call('GET', '/api/method/frappe.sessions.get_csrf_token', { asksToLogIn: false })
  return body.message ?? null
}

/** Logs in with a password; who is asked for a one-time code as well goes to the page for it. Throws `CommandError`. */
export async function logIn(user: string, password: string): Promise<void> {
  forgetCsrfToken()
  const sent = { body: { usr: user, pwd: password }, asksToLogIn: false }
  const { body } = await call('POST', '/api/method/login', sent).catch((error: unknown) => {
    // More is required than a password: the page for it leads on.
    if (error instanceof CallError && error.kind === 'PermissionError') return goToPage('login')
    throw error
  })
  if (body.tmp_id) await goToPage('login-code')
  renewCsrfToken(csrfToken)
}

/** Leaves for a page about logging in, from which somebody comes back to here. */
function goToPage(page: string): Promise<never> {
  location.assign(`${institutionPath}/${page}?redirect-to=${encodeURIComponent(location.pathname)}`)
  return new Promise(() => {})
}

/** Ends the session, here and in every window of this browser. Throws `CommandError`. */
export async function logOut(): Promise<void> {
  await call('POST', '/api/method/logout', { body: {}, asksToLogIn: false })
  forgetCsrfToken()
}
