import { messagesIn, type PageContext, renderFactorPage } from '@matricula/pages'
import { doesHelp, findLackingLogIn } from '../../identity/users/index.ts'
import { type PageCall, type PageResponse, stepCookie } from '../../resource-api/index.ts'
import { ownAddress } from './own-address.ts'
import { getInstitution, goTo, issuersOf, redirection } from './page-parts.ts'

/** The page that leads somebody whose institution requires more than a password to where it is shown, or set up. */
export async function factorPage(call: PageCall, context: PageContext): Promise<PageResponse> {
  const { identification, database, args, request } = call
  const goesTo = ownAddress(args['redirect-to'], call)
  const query = redirection(goesTo)
  const { tenant } = identification
  const secret = request.cookies[stepCookie] ?? ''
  const lacking =
    tenant === null || secret === '' || identification.session !== null
      ? null
      : await database.transaction(tenant.id, (tx) => findLackingLogIn(tx, secret))
  if (lacking === null) return { goTo: goTo(context, '/login', query) }
  const { anyOf, hasPasskeys, mayAdd } = lacking
  const { signIn, passkeys } = messagesIn(context.locale)
  const to = (page: string) => goTo(context, page, query)
  const ways = [
    ...(hasPasskeys && doesHelp('passkey', anyOf) ? [{ name: passkeys.logIn, address: to('/login-passkey') }] : []),
    ...(mayAdd.includes('passkey') ? [{ name: passkeys.add, address: to('/sign-in-passkey') }] : []),
    ...(mayAdd.includes('code') ? [{ name: signIn.setUpCodes, address: to('/sign-in-code') }] : []),
    ...(anyOf.includes('issuer')
      ? (await issuersOf(call, context, goesTo)).map(({ name, address }) => ({ name: signIn.with(name), address }))
      : []),
  ]
  const here = query === undefined ? context : { ...context, query }
  return { html: renderFactorPage({ place: here, institution: getInstitution(call), ways }) }
}
