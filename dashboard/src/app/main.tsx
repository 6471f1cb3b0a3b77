import '../ui/tokens.css'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { goToSignIn, isSignedOut, openSession, SessionProvider } from '../api/session.ts'
import { sentenceOf } from '../ui/fault.tsx'
import { ToastProvider } from '../ui/toast.tsx'
import { createAppRouter } from './router.tsx'
import { restoreTheme } from '../ui/theme.ts'

const place = document.getElementById('app')

const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: false, refetchOnWindowFocus: true, networkMode: 'always' },
    // Without a connection an action fails, and says so: by default it would wait in silence.
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({
    onError: (error) => {
      if (isSignedOut(error)) goToSignIn()
    },
  }),
})

async function start(): Promise<void> {
  if (place === null) return
  restoreTheme()
  const session = await openSession()
  if (session === undefined) return goToSignIn()
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SessionProvider value={session}>
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
