import { type QueryClient, useQuery } from '@tanstack/react-query'
import { Waiting } from './elements/states.tsx'
import { beginToLoadType } from './records/load-type.ts'
import { type Route, routes } from './route-table.ts'
import { Failed } from './session/failed.tsx'
import { bootQuery, getSession } from './session/session.tsx'
import { NoPage } from './shell/no-page.tsx'
import { usePath } from './shell/router.tsx'
import type { Named } from './shell/screen.ts'

const screenQuery = ({ pattern, load }: Route) => ({
  queryKey: ['screen', pattern.source],
  queryFn: load,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** The screen at an address, with what the address names; null where there is none. */
function placeAt(path: string): { readonly route: Route; readonly named: Named } | null {
  for (const route of routes) {
    const found = route.pattern.exec(path)
    if (found === null) continue
    const { type = '', name = '', date = '' } = found.groups ?? {}
    return { route, named: { type, name: decoded(name), date } }
  }
  return null
}

/** Begins to load the screen of an address while it is still asked who is there, and then what the screen will show. */
export function beginToLoad(queries: QueryClient, path: string): void {
  const location = placeAt(path)
  if (location === null) return
  const { route, named } = location
  const loaded = [queries.fetchQuery(screenQuery(route)), queries.fetchQuery(bootQuery)] as const
  if (named.type !== '') beginToLoadType(named.type)
  Promise.all(loaded)
    .then(([screen, boot]) => screen.prefetch?.(queries, getSession(boot), named))
    .catch(() => {}) // told where it is shown
}

/** The screen of the address that is shown. */
export function Screen() {
  const location = placeAt(usePath())
  return location === null ? <NoPage /> : <ScreenOf {...location} />
}

// Kept as what is read is, not by `lazy`: React shows what waits for that for 300 ms at least, also where it is there already.
function ScreenOf({ route, named }: { readonly route: Route; readonly named: Named }) {
  const { data, error } = useQuery(screenQuery(route))
  const Shown = data?.[route.name]
  if (Shown !== undefined) return <Shown {...named} />
  // A browser may keep that a file could not be loaded for as long as the page is there.
  return error === null ? <Waiting lines={8} /> : <Failed error={error} again={() => location.reload()} />
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
