import { type Locale, messagesIn } from './messages/index.ts'

/** Browsers by what each says of itself; one that is built on another says that too, and stands before it. */
const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Headless)?Chrome\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
] as const

const systems = [
  ['Windows', /Windows NT/],
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
] as const

/** A browser as people know it, by what it says that it is (RFC 9110 §10.1.5). */
export function browserText(locale: Locale, agent: string | null): string {
  const { signIn } = messagesIn(locale)
  const named = (known: readonly (readonly [string, RegExp])[]) => known.find(([, form]) => form.test(agent ?? ''))?.[0]
  const [browser, system] = [named(browsers), named(systems)]
  if (browser === undefined) return agent === null ? signIn.unknownBrowser : agent.split(' ', 1).join('').slice(0, 40)
  return system === undefined ? browser : signIn.onSystem(browser, system)
}
