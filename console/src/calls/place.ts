const found = /^(\/t\/[^/]+)?\/console(?=\/|$)/.exec(globalThis.location?.pathname ?? '/console')

/** The address of the institution, from the root: empty on its own host, else `/t/` with its slug. */
export const institutionPath = found?.[1] ?? ''

/** Where the console stands there, without a slash at the end. */
export const consolePath = `${institutionPath}/console`
