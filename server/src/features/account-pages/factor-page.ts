import { messagesIn, type PageContext, renderFactorPage } from '@matricula/pages'
import { doesHelp, findLackingLogIn } from '../../identity/users/index.ts'
import { type PageCall, type PageResponse, stepCookie } from '../../resource-api/index.ts'
import { ownAddress } from './own-address.ts'
import { getInstitution, goTo, listIssuerLinks, toRedirectQuery } from './page-parts.ts'

/** The page with the ways to prove or set up a required factor. */
export async function factorPage(call: PageCall, context: PageContext): Promise<PageResponse> {
  const { identification, database, args, request } = call
  const redirectTo = ownAddress(args['redirect-to'], call)
  const query = toRedirectQuery(redirectTo)
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
      ? (await listIssuerLinks(call, context, redirectTo)).map(({ name, address }) => ({
          name: signIn.with(name),
          address,
        }))
      : []),
  ]
  const here = query === undefined ? context : { ...context, query }
  return { html: renderFactorPage({ place: here, institution: getInstitution(call), ways }) }
}
