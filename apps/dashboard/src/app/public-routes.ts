import { createRootRouteWithContext, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { oneOf, textParam } from '../base/search-params.ts'
import { LoginPage } from '../pages/pessoas/sessoes/login-page.tsx'
import type { Services } from '../session/services.ts'
import type { Area } from '../texts/areas.ts'

/** Search parameters of the URL: unknown or malformed values are dropped without an error. */
export type Raw = Record<string, unknown>

/** Loads the texts of these areas before the page. */
export const texts =
  (...areas: readonly Area[]) =>
  ({ context }: { context: Services }) =>
    context.texts.load(...areas)

export const rootRoute = createRootRouteWithContext<Services>()()

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  component: LoginPage,
  validateSearch: (raw: Raw) => ({
    ...textParam('erro', raw.erro),
    ...oneOf('motivo', raw.motivo, ['sessao'] as const),
  }),
})

/** Page of an invited person, without a session. */
export const conviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/convite',
  component: lazyRouteComponent(() => import('../pages/pessoas/sessoes/accept-page.tsx'), 'AcceptPage'),
  loader: texts('pessoas'),
})
