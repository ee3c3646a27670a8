import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { booleanParam } from '../base/search-params.ts'
import { painelPage, painelRoute } from './painel-route.ts'
import { type Raw, texts } from './public-routes.ts'

const edgesRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/caixas',
  component: lazyRouteComponent(() => import('../pages/locais/edges/edges-page.tsx'), 'EdgesPage'),
  loader: texts('edges', 'cameras'),
})

const instalacaoRoute = painelPage(
  '/instalacao',
  lazyRouteComponent(() => import('../pages/locais/edges/instalacao-page.tsx'), 'InstalacaoPage'),
  'cameras',
)

const newEdgeRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/caixas/nova',
  component: lazyRouteComponent(() => import('../pages/locais/edges/new-edge-page.tsx'), 'NewEdgePage'),
  loader: texts('edges', 'cameras'),
  validateSearch: (raw: Raw) => booleanParam('instalacao', raw.instalacao),
})

const gravadoresRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/gravadores',
  component: lazyRouteComponent(() => import('../pages/locais/gravadores/gravadores-page.tsx'), 'GravadoresPage'),
  loader: texts('gravadores', 'cameras'),
})

const novoGravadorRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/gravadores/novo',
  component: lazyRouteComponent(() => import('../pages/locais/gravadores/novo-gravador-page.tsx'), 'NovoGravadorPage'),
  loader: texts('gravadores', 'cameras'),
  validateSearch: (raw: Raw) => ({
    ...booleanParam('simulado', raw.simulado),
    ...booleanParam('instalacao', raw.instalacao),
  }),
})

/** The pages of the equipment of a site: boxes, recorders, and the installation that joins them. */
export const siteRoutes = [instalacaoRoute, edgesRoute, newEdgeRoute, gravadoresRoute, novoGravadorRoute] as const
