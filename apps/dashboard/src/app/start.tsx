import '../ui/styles/mantine.css'
import '../ui/styles/page.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { ownAddress } from '../api/base-path.ts'
import { createApi } from '../api/client.ts'
import { meQuery } from '../api/queries.ts'
import { createQueries } from '../api/query-client.ts'
import { createPageStorage, type PageStorage } from '../base/storage.ts'
import { createAlarmSound } from '../live/alarm-sound.ts'
import { createIncidentes } from '../live/incidentes.ts'
import { type Services, ServicesContext } from '../session/services.ts'
import { createTexts } from '../texts/i18n.ts'
import { chosenIdioma, pickIdioma } from '../texts/idiomas.ts'
import { setLocale } from '../texts/locale.ts'
import { cssVariables, theme } from '../ui/styles/theme.ts'
import { rememberPath, takePath } from './return-path.ts'
import { createPageRouter } from './router.tsx'
import { registerServiceWorker } from './service-worker.ts'

/** The composition root of the page. */
export async function start(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  // Asked for at once, so that the first text has it. Without it the page has the face of the machine.
  void document.fonts.load('1rem "Inter Variable"').catch(() => undefined)
  const tab = createPageStorage('sessionStorage')
  addEventListener('vite:preloadError', () => reloadForNewVersion(tab))
  const settings = createPageStorage('localStorage')
  const { idioma, locale } = pickIdioma(chosenIdioma(settings), navigator.languages)
  document.documentElement.lang = idioma
  setLocale(locale)
  const texts = await createTexts(idioma)
  const back = takePath(tab, location.pathname)
  if (back !== null) history.replaceState(null, '', back)

  const queries = createQueries({ onSessionEnded: () => services.endSession() })
  const services: Services = {
    api: createApi({ fetch: (...args) => fetch(...args) }),
    queries,
    incidentes: createIncidentes(),
    sound: createAlarmSound(settings),
    texts,
    settings,
    ownAddress,
    endSession() {
      // Without a previous session the router itself leads to the sign-in.
      if (queries.getQueryData(meQuery(services.api).queryKey) === undefined) return
      rememberPath(tab, location)
      void router.navigate({ to: '/login', search: { motivo: 'sessao' } })
      queries.clear()
    },
    rememberPath: () => rememberPath(tab, location),
  }
  const router = createPageRouter(services)
  void registerServiceWorker()
  const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''

  createRoot(root).render(
    <StrictMode>
      <I18nextProvider i18n={texts.i18n}>
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
 * Reloads the page after a failed import: usually a new version with new file names was installed meanwhile. At most
 * once a minute, so that missing files cause no endless reload.
 */
function reloadForNewVersion(tab: PageStorage): void {
  const last = Number(tab.getItem('vigia.recarregou') ?? 0)
  if (Date.now() - last < 60_000) return
  tab.setItem('vigia.recarregou', String(Date.now()))
  location.reload()
}
