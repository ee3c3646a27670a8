import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { painelRoute } from './painel-route.ts'
import { type Raw, texts } from './public-routes.ts'
import { instantParam } from './search-params.ts'

const cameraRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/cameras/$id',
  component: lazyRouteComponent(() => import('./camera/camera-page.tsx'), 'CameraPage'),
  loader: texts('cameras', 'camera'),
})

const cameraTab = <P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => cameraRoute, path, component })

/** Tabs of a camera that every login opens. */
const cameraTabs = [
  cameraTab(
    '/',
    lazyRouteComponent(() => import('./camera/ao-vivo-page.tsx'), 'AoVivoPage'),
  ),
  cameraTab(
    'saude',
    lazyRouteComponent(() => import('./camera/saude-page.tsx'), 'SaudePage'),
  ),
  cameraTab(
    'eventos',
    lazyRouteComponent(() => import('./camera/eventos-page.tsx'), 'EventosPage'),
  ),
  createRoute({
    getParentRoute: () => cameraRoute,
    path: 'gravacoes',
    component: lazyRouteComponent(() => import('./gravacoes/gravacoes-page.tsx'), 'GravacoesPage'),
    loader: texts('gravacoes', 'plantao'),
    validateSearch: (raw: Raw) => instantParam('em', raw.em),
  }),
] as const

/** Parent of the tabs that change the camera; another login gets the live picture in their place. */
const cameraEditRoute = createRoute({
  getParentRoute: () => cameraRoute,
  id: 'mudar',
  beforeLoad: ({ context: { me }, params }) => {
    if (me.papel !== 'administrador') throw redirect({ to: '/cameras/$id', params })
  },
})

const editTab = <P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => cameraEditRoute, path, component })

const cameraEditTabs = [
  editTab(
    'o-que-vigia',
    lazyRouteComponent(() => import('./camera/vigia-page.tsx'), 'VigiaPage'),
  ),
  editTab(
    'zonas',
    lazyRouteComponent(() => import('./camera/zonas-page.tsx'), 'ZonasPage'),
  ),
  editTab(
    'mascaras',
    lazyRouteComponent(() => import('./camera/mascaras-page.tsx'), 'MascarasPage'),
  ),
  editTab(
    'horarios',
    lazyRouteComponent(() => import('./camera/horarios-page.tsx'), 'HorariosPage'),
  ),
  editTab(
    'sensibilidade',
    lazyRouteComponent(() => import('./camera/sensibilidade-page.tsx'), 'SensibilidadePage'),
  ),
  editTab(
    'instrucoes',
    lazyRouteComponent(() => import('./camera/instrucoes-page.tsx'), 'InstrucoesPage'),
  ),
  createRoute({
    getParentRoute: () => cameraEditRoute,
    path: 'placas',
    component: lazyRouteComponent(() => import('./camera/placas-page.tsx'), 'PlacasPage'),
    loader: texts('placas'),
  }),
  editTab(
    'prova',
    lazyRouteComponent(() => import('./camera/prova-page.tsx'), 'ProvaPage'),
  ),
] as const

/** The page of one camera with its tabs. */
export const cameraRoutes = cameraRoute.addChildren([...cameraTabs, cameraEditRoute.addChildren([...cameraEditTabs])])
