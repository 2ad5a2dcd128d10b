import { type ComponentType, lazy, Suspense } from 'react'
import { Waiting } from './elements/states.tsx'
import { NoPage } from './shell/no-page.tsx'
import { usePath } from './shell/router.tsx'

/** What an address names, by the groups of its pattern. */
interface Named {
  readonly type: string
  readonly name: string
}

interface Route {
  readonly pattern: RegExp
  readonly screen: ComponentType<Named>
}

/** Every screen with its address; each is loaded when it is first gone to. */
const routes: readonly Route[] = [
  { pattern: /^\/$/, screen: lazy(() => import('./screens/home.tsx')) },
  { pattern: /^\/admissions\/board$/, screen: lazy(() => import('./screens/admissions/board.tsx')) },
  { pattern: /^\/admissions\/review$/, screen: lazy(() => import('./screens/review/review-queue.tsx')) },
  { pattern: /^\/students\/(?<name>[^/]+)$/, screen: lazy(() => import('./screens/students/student-profile.tsx')) },
  { pattern: /^\/records\/(?<type>[\w-]+)$/, screen: lazy(() => import('./records/record-list.tsx')) },
  { pattern: /^\/records\/(?<type>[\w-]+)\/new$/, screen: lazy(() => import('./records/new-record.tsx')) },
  {
    pattern: /^\/records\/(?<type>[\w-]+)\/named\/(?<name>[^/]+)$/,
    screen: lazy(() => import('./records/record-page.tsx')),
  },
]

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
