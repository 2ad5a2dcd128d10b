import { type ComponentType, lazy, Suspense } from 'react'
import { Waiting } from './elements/states.tsx'
import { beginToLoadType } from './records/load-type.ts'
import { NoPage } from './shell/no-page.tsx'
import { usePath } from './shell/router.tsx'

/** What an address names, by the groups of its pattern. */
interface Named {
  readonly type: string
  readonly name: string
}

interface Route {
  readonly pattern: RegExp
  readonly load: () => Promise<{ readonly default: ComponentType<Named> }>
  readonly screen: ComponentType<Named>
}

const route = (pattern: RegExp, load: Route['load']): Route => ({ pattern, load, screen: lazy(load) })

/** Every screen with its address; each is loaded when it is first gone to. */
const routes: readonly Route[] = [
  route(/^\/$/, () => import('./screens/home.tsx')),
  route(/^\/admissions\/board$/, () => import('./screens/admissions/board.tsx')),
  route(/^\/admissions\/applications\/(?<name>[^/]+)$/, () => import('./screens/admissions/application.tsx')),
  route(/^\/admissions\/review$/, () => import('./screens/review/review-queue.tsx')),
  route(/^\/admissions\/requests$/, () => import('./screens/requests/requests.tsx')),
  route(/^\/admissions\/requests\/new$/, () => import('./screens/requests/ask-families.tsx')),
  route(/^\/students\/(?<name>[^/]+)$/, () => import('./screens/students/student-profile.tsx')),
  route(/^\/records\/(?<type>[\w-]+)$/, () => import('./records/record-list.tsx')),
  route(/^\/records\/(?<type>[\w-]+)\/new$/, () => import('./records/new-record.tsx')),
  route(/^\/records\/(?<type>[\w-]+)\/named\/(?<name>[^/]+)$/, () => import('./records/record-page.tsx')),
]

/** Begins to load the screen of an address, while it is still asked who is there. */
export function beginToLoad(path: string): void {
  for (const { pattern, load } of routes) {
    const found = pattern.exec(path)
    if (found === null) continue
    // Whoever shows it loads it again, and says what is wrong.
    void load().catch(() => {})
    if (found.groups?.type !== undefined) beginToLoadType(found.groups.type)
  }
}

/** The screen of the address that is shown. */
export function Screen() {
  const path = usePath()
  for (const { pattern, screen: Shown } of routes) {
    const found = pattern.exec(path)
    if (found === null) continue
    const { type = '', name = '' } = found.groups ?? {}
    return (
      <Suspense fallback={<Waiting lines={8} />}>
        <Shown type={type} name={decoded(name)} />
      </Suspense>
    )
  }
  return <NoPage />
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
