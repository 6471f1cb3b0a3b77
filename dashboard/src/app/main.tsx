import '../ui/tokens.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { goToSignIn, openSession, SessionProvider } from '../api/session.ts'
import { sentenceOf } from '../ui/fault.tsx'
import { ToastProvider } from '../ui/toast.tsx'
import { createAppRouter } from './router.tsx'
import { restoreTheme } from '../ui/theme.ts'
import { watchTyping } from '../ui/typed-text.ts'

const place = document.getElementById('app')

const queryClient = new QueryClient({
  defaultOptions: {
    // Without a connection a request fails and says so. The default waits in silence until there is one.
    queries: { staleTime: 10_000, retry: false, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

async function start(): Promise<void> {
  if (place === null) return
  restoreTheme()
  watchTyping()
  const session = await openSession()
  if (session === undefined) return goToSignIn()
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SessionProvider session={session}>
          <ToastProvider>
            <RouterProvider router={createAppRouter(queryClient)} />
          </ToastProvider>
        </SessionProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}

start().catch((error: unknown) => {
  if (place !== null) place.textContent = `${sentenceOf(error)} Load the page again in a moment.`
})
