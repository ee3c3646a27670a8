import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { instantParam } from '../base/search-params.ts'
import { painelRoute } from './painel-route.ts'
import { type Raw, texts } from './public-routes.ts'

const cameraRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/cameras/$id',
  component: lazyRouteComponent(() => import('../pages/locais/camera-setup/camera-page.tsx'), 'CameraPage'),
  loader: texts('cameras', 'camera'),
})

const cameraTab = <P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => cameraRoute, path, component })

/** Tabs of a camera that every login opens. */
const cameraTabs = [
  cameraTab(
    '/',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/ao-vivo-page.tsx'), 'AoVivoPage'),
  ),
  cameraTab(
    'saude',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/saude-page.tsx'), 'SaudePage'),
  ),
  cameraTab(
    'eventos',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/eventos-page.tsx'), 'EventosPage'),
  ),
  createRoute({
    getParentRoute: () => cameraRoute,
    path: 'gravacoes',
    component: lazyRouteComponent(() => import('../pages/video/gravacoes/gravacoes-page.tsx'), 'GravacoesPage'),
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
    lazyRouteComponent(() => import('../pages/locais/camera-setup/vigia-page.tsx'), 'VigiaPage'),
  ),
  editTab(
    'zonas',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/zonas-page.tsx'), 'ZonasPage'),
  ),
  editTab(
    'mascaras',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/mascaras-page.tsx'), 'MascarasPage'),
  ),
  editTab(
    'horarios',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/horarios-page.tsx'), 'HorariosPage'),
  ),
  editTab(
    'sensibilidade',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/sensibilidade-page.tsx'), 'SensibilidadePage'),
  ),
  editTab(
    'instrucoes',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/instrucoes-page.tsx'), 'InstrucoesPage'),
  ),
  createRoute({
    getParentRoute: () => cameraEditRoute,
    path: 'placas',
    component: lazyRouteComponent(() => import('../pages/locais/camera-setup/placas-page.tsx'), 'PlacasPage'),
    loader: texts('placas'),
  }),
  editTab(
    'prova',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/prova-page.tsx'), 'ProvaPage'),
  ),
] as const

/** The page of one camera with its tabs. */
export const cameraRoutes = cameraRoute.addChildren([...cameraTabs, cameraEditRoute.addChildren([...cameraEditTabs])])
