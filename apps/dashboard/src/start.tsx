import './styles/mantine.css'
import './styles/page.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { createApi } from './api/client.ts'
import { meQuery } from './api/queries.ts'
import { createQueries } from './api/query-client.ts'
import { createAlertSound } from './live/alert-sound.ts'
import { createRecentEvents } from './live/recent-events.ts'
import { createPageRouter } from './router.tsx'
import { type Services, ServicesContext } from './services.ts'
import { rememberPath, takePath } from './sessao/return-path.ts'
import { createPageStorage, type PageStorage } from './storage.ts'
import { createTexts } from './texts/i18n.ts'
import { cssVariables, theme } from './theme.ts'

/** The composition root of the page: everything is made and wired here. */
export function start(): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  const texts = createTexts()
  const tab = createPageStorage('sessionStorage')
  addEventListener('vite:preloadError', () => reloadForNewVersion(tab))
  const back = takePath(tab, location.pathname)
  if (back !== null) history.replaceState(null, '', back)

  const queries = createQueries({ onSessionEnded: () => services.endSession() })
  const services: Services = {
    api: createApi({ fetch: (...args) => fetch(...args) }),
    queries,
    recent: createRecentEvents(),
    sound: createAlertSound(createPageStorage('localStorage')),
    endSession() {
      // Who was never signed in has lost nothing: the router leads to the sign-in by itself.
      if (queries.getQueryData(meQuery(services.api).queryKey) === undefined) return
      rememberPath(tab, location)
      void router.navigate({ to: '/login', search: { motivo: 'sessao' } })
      queries.clear()
    },
    rememberPath: () => rememberPath(tab, location),
  }
  const router = createPageRouter(services)
  const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''

  createRoot(root).render(
    <StrictMode>
      <I18nextProvider i18n={texts}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
          getStyleNonce={() => nonce}
        >
          <QueryClientProvider client={queries}>
            <ServicesContext value={services}>
              <RouterProvider router={router} />
            </ServicesContext>
          </QueryClientProvider>
        </MantineProvider>
      </I18nextProvider>
    </StrictMode>,
  )
}

/**
 * A part of the page could not be loaded: most often a new version was installed while this one was open, and its files
 * have new names. At most once a minute, so that a server that lost them is not asked for ever.
 */
function reloadForNewVersion(tab: PageStorage): void {
  const last = Number(tab.getItem('vigia.recarregou') ?? 0)
  if (Date.now() - last < 60_000) return
  tab.setItem('vigia.recarregou', String(Date.now()))
  location.reload()
}
