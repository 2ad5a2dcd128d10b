import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { CallError } from './calls/http.ts'
import { Notices } from './elements/notices.tsx'
import { Waiting } from './elements/states.tsx'
import { MessagesProvider, useMessages } from './messages/messages.tsx'
import { beginToLoad, Screen } from './routes.tsx'
import { Failed } from './session/failed.tsx'
import { followOtherWindows } from './session/leave.ts'
import { LogInForm } from './session/log-in-form.tsx'
import { SessionGate } from './session/session.tsx'
import { Frame } from './shell/frame.tsx'
import { pathNow } from './shell/router.tsx'

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // What was refused is refused again; what was not reached may be there in a moment.
      retry: (failures, error) => failures < 2 && error instanceof CallError && [0, 502, 503].includes(error.status),
    },
    mutations: { networkMode: 'always' },
  },
})

function LogIn() {
  const { messages } = useMessages()
  return (
    <main className="door">
      <div className="card stack">
        <h1>{messages.session.logInTo}</h1>
        <LogInForm onLoggedIn={() => void queries.resetQueries()} />
      </div>
    </main>
  )
}

beginToLoad(queries, pathNow())
followOtherWindows()
createRoot(document.getElementById('console') as HTMLElement).render(
  <StrictMode>
    <MessagesProvider>
      <QueryClientProvider client={queries}>
        <Notices>
          <SessionGate
            logIn={<LogIn />}
            waiting={<Waiting />}
            failed={(error, again) => <Failed error={error} again={again} />}
          >
            <Frame>
              <Screen />
            </Frame>
          </SessionGate>
        </Notices>
      </QueryClientProvider>
    </MessagesProvider>
  </StrictMode>,
)
