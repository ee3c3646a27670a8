import { createRoute, lazyRouteComponent, redirect, retainSearchParams } from '@tanstack/react-router'
import { booleanParam, recordingsParams, spanParams } from '../base/search-params.ts'
import { painelRoute } from './painel-route.ts'
import { type Raw, texts } from './public-routes.ts'

const cameraRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/cameras/$id',
  component: lazyRouteComponent(() => import('../pages/locais/camera-setup/camera-page.tsx'), 'CameraPage'),
  loader: texts('cameras', 'camera'),
  // The page of the installation led here, and its areas lead back to it.
  validateSearch: (raw: Raw) => booleanParam('instalacao', raw.instalacao),
  search: { middlewares: [retainSearchParams(['instalacao'])] },
})

const cameraTab = <P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => cameraRoute, path, component })

/** Pages of a camera that every login opens. */
const cameraTabs = [
  cameraTab(
    '/',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/ao-vivo-page.tsx'), 'AoVivoPage'),
  ),
  cameraTab(
    'eventos',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/eventos-page.tsx'), 'EventosPage'),
  ),
  createRoute({
    getParentRoute: () => cameraRoute,
    path: 'eventos/gravacoes',
    component: lazyRouteComponent(() => import('../pages/video/gravacoes/gravacoes-page.tsx'), 'GravacoesPage'),
    loader: texts('gravacoes', 'linhaDoTempo', 'plantao'),
    validateSearch: recordingsParams,
  }),
  cameraTab(
    'prova-e-saude',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/saude-page.tsx'), 'SaudePage'),
  ),
  cameraTab(
    'privacidade-e-som',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/privacidade-page.tsx'), 'PrivacidadePage'),
  ),
] as const

/** Parent of the pages that change the camera; another login gets the live picture in their place. */
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
  createRoute({
    getParentRoute: () => cameraEditRoute,
    path: 'o-que-vigia',
    component: lazyRouteComponent(() => import('../pages/locais/camera-setup/vigia-page.tsx'), 'VigiaPage'),
    loader: texts('placas'),
  }),
  editTab(
    'o-que-vigia/zonas',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/zonas-page.tsx'), 'ZonasPage'),
  ),
  editTab(
    'o-que-vigia/horarios',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/horarios-page.tsx'), 'HorariosPage'),
  ),
  editTab(
    'o-que-vigia/sensibilidade',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/sensibilidade-page.tsx'), 'SensibilidadePage'),
  ),
  editTab(
    'o-que-vigia/instrucoes',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/instrucoes-page.tsx'), 'InstrucoesPage'),
  ),
  createRoute({
    getParentRoute: () => cameraEditRoute,
    path: 'o-que-vigia/placa',
    component: lazyRouteComponent(() => import('../pages/locais/camera-setup/placa-page.tsx'), 'PlacaPage'),
    loader: texts('placas'),
  }),
  editTab(
    'prova-e-saude/prova',
    lazyRouteComponent(() => import('../pages/locais/camera-setup/prova-page.tsx'), 'ProvaPage'),
  ),
] as const

/** An address of an earlier release. */
const moved = <P extends string>(path: P, to: MovedTo) =>
  createRoute({
    getParentRoute: () => cameraRoute,
    path,
    beforeLoad: ({ params }) => {
      const { id } = params as { readonly id: string }
      throw redirect({ to, params: { id }, replace: true })
    },
  })

type MovedTo =
  | '/cameras/$id/o-que-vigia/zonas'
  | '/cameras/$id/o-que-vigia/horarios'
  | '/cameras/$id/o-que-vigia/sensibilidade'
  | '/cameras/$id/o-que-vigia/instrucoes'
  | '/cameras/$id/o-que-vigia/placa'
  | '/cameras/$id/prova-e-saude'
  | '/cameras/$id/prova-e-saude/prova'
  | '/cameras/$id/privacidade-e-som'

const movedTabs = [
  moved('zonas', '/cameras/$id/o-que-vigia/zonas'),
  moved('horarios', '/cameras/$id/o-que-vigia/horarios'),
  moved('sensibilidade', '/cameras/$id/o-que-vigia/sensibilidade'),
  moved('instrucoes', '/cameras/$id/o-que-vigia/instrucoes'),
  moved('placas', '/cameras/$id/o-que-vigia/placa'),
  moved('saude', '/cameras/$id/prova-e-saude'),
  moved('prova', '/cameras/$id/prova-e-saude/prova'),
  moved('mascaras', '/cameras/$id/privacidade-e-som'),
  createRoute({
    getParentRoute: () => cameraRoute,
    path: 'gravacoes',
    validateSearch: spanParams,
    beforeLoad: ({ params, search }) => {
      throw redirect({ to: '/cameras/$id/eventos/gravacoes', params, search, replace: true })
    },
  }),
] as const

/** The page of one camera with its areas. */
export const cameraRoutes = cameraRoute.addChildren([
  ...cameraTabs,
  ...movedTabs,
  cameraEditRoute.addChildren([...cameraEditTabs]),
])
