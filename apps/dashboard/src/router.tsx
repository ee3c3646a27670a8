import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { canaisAuditoria, objetosAuditoria } from '@vigia/contracts/auditoria'
import { statusCamera } from '@vigia/contracts/cameras'
import { gravidades, nomesIas } from '@vigia/contracts/ias'
import { estadosEntrega } from '@vigia/contracts/notificacoes'
import { situacoesFila } from './api/queries.ts'
import { cameraRoutes } from './camera-routes.ts'
import { idPath } from './id-path.ts'
import { CrashPage } from './painel/crash-page.tsx'
import { CONTA, painelPage, painelRoute } from './painel-route.ts'
import { PlantaoPage } from './plantao/plantao-page.tsx'
import { conviteRoute, loginRoute, type Raw, rootRoute, texts } from './public-routes.ts'
import { booleanParam, dateParam, idParam, oneOf, wordsParam } from './search-params.ts'
import type { Services } from './services.ts'

const plantaoRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/',
  component: PlantaoPage,
  loader: texts('plantao'),
  validateSearch: (raw: Raw) => ({
    ...oneOf('situacao', raw.situacao, situacoesFila),
    // Address of an event in earlier releases.
    ...idParam('alerta', raw.alerta),
  }),
  beforeLoad({ search: { alerta } }) {
    if (alerta !== undefined) throw redirect({ to: '/eventos/$id', params: { id: alerta } })
  },
})

const incidenteRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/incidentes/$id',
  component: lazyRouteComponent(() => import('./incidentes/incidente-page.tsx'), 'IncidentePage'),
  loader: texts('plantao'),
  params: idPath,
})

const eventoRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/eventos/$id',
  component: lazyRouteComponent(() => import('./eventos/evento-page.tsx'), 'EventoPage'),
  loader: texts('plantao', 'retencao'),
  params: idPath,
})

const camerasRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/cameras',
  component: lazyRouteComponent(() => import('./cameras/cameras-page.tsx'), 'CamerasPage'),
  loader: texts('cameras'),
  validateSearch: (raw: Raw) => ({
    ...oneOf('status', raw.status, statusCamera),
    ...booleanParam('adicionar', raw.adicionar),
    ...idParam('aovivo', raw.aovivo),
    ...idParam('historico', raw.historico),
  }),
})

const variasCamerasRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/cameras/varias',
  component: lazyRouteComponent(() => import('./camera/varias-page.tsx'), 'VariasPage'),
  beforeLoad: ({ context: { me } }) => {
    if (me.papel !== 'administrador') throw redirect({ to: '/cameras' })
  },
  loader: texts('cameras', 'camera'),
})

const edgesRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/caixas',
  component: lazyRouteComponent(() => import('./edges/edges-page.tsx'), 'EdgesPage'),
  loader: texts('edges', 'cameras'),
})

const buscaRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/busca',
  component: lazyRouteComponent(() => import('./busca/busca-page.tsx'), 'BuscaPage'),
  loader: texts('busca'),
  validateSearch: (raw: Raw) => ({
    ...oneOf('em', raw.em, ['incidentes', 'eventos'] as const),
    ...wordsParam('q', raw.q),
    ...idParam('camera', raw.camera),
    ...oneOf('ia', raw.ia, nomesIas),
    ...oneOf('gravidade', raw.gravidade, gravidades),
    ...oneOf('veredito', raw.veredito, ['confirmado', 'refutado', 'pendente'] as const),
    ...wordsParam('por', raw.por),
    ...dateParam('de', raw.de),
    ...dateParam('ate', raw.ate),
  }),
})

const linhaDoTempoRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/linha-do-tempo',
  component: lazyRouteComponent(() => import('./linha-do-tempo/linha-page.tsx'), 'LinhaDoTempoPage'),
  loader: texts('linhaDoTempo'),
  validateSearch: (raw: Raw) => ({ ...idParam('camera', raw.camera), ...dateParam('dia', raw.dia) }),
})

const relatoriosRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/relatorios',
  component: lazyRouteComponent(() => import('./relatorios/relatorios-page.tsx'), 'RelatoriosPage'),
  loader: texts('relatorios'),
  validateSearch: (raw: Raw) => ({
    ...idParam('camera', raw.camera),
    ...dateParam('de', raw.de),
    ...dateParam('ate', raw.ate),
  }),
})

const newEdgeRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/caixas/nova',
  component: lazyRouteComponent(() => import('./edges/new-edge-page.tsx'), 'NewEdgePage'),
  loader: texts('edges', 'cameras'),
})

const gravadoresRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/gravadores',
  component: lazyRouteComponent(() => import('./gravadores/gravadores-page.tsx'), 'GravadoresPage'),
  loader: texts('gravadores', 'cameras'),
})

const novoGravadorRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/gravadores/novo',
  component: lazyRouteComponent(() => import('./gravadores/novo-gravador-page.tsx'), 'NovoGravadorPage'),
  loader: texts('gravadores', 'cameras'),
  validateSearch: (raw: Raw) => booleanParam('simulado', raw.simulado),
})

const quedasRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/quedas',
  component: lazyRouteComponent(() => import('./quedas/quedas-page.tsx'), 'QuedasPage'),
  validateSearch: (raw: Raw) => booleanParam('abertas', raw.abertas),
})

const agentesRoute = painelPage(
  '/agentes',
  lazyRouteComponent(() => import('./agentes/agentes-page.tsx'), 'AgentesPage'),
  'agentes',
)

const contaRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: CONTA,
  component: lazyRouteComponent(() => import('./conta/conta-page.tsx'), 'ContaPage'),
  loader: texts('conta', 'pessoas', 'avisos'),
})

const pessoasRoute = painelPage(
  '/pessoas',
  lazyRouteComponent(() => import('./pessoas/pessoas-page.tsx'), 'PessoasPage'),
  'pessoas',
  'cameras',
)

const convitesRoute = painelPage(
  '/pessoas/convites',
  lazyRouteComponent(() => import('./convites/convites-page.tsx'), 'ConvitesPage'),
  'pessoas',
  'cameras',
)

const quiosquesRoute = painelPage(
  '/quiosques',
  lazyRouteComponent(() => import('./quiosques/quiosques-page.tsx'), 'QuiosquesPage'),
  'pessoas',
  'cameras',
)

const canaisRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/canais',
  component: lazyRouteComponent(() => import('./canais/canais-page.tsx'), 'CanaisPage'),
  loader: texts('canais', 'cameras', 'avisos'),
})

const entregasRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/canais/$id',
  component: lazyRouteComponent(() => import('./canais/entregas-page.tsx'), 'EntregasPage'),
  loader: texts('canais'),
  validateSearch: (raw: Raw) => oneOf('estado', raw.estado, estadosEntrega),
})

const remetentesRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/remetentes',
  component: lazyRouteComponent(() => import('./remetentes/remetentes-page.tsx'), 'RemetentesPage'),
  loader: texts('remetentes', 'cameras'),
})

const verificadorRoute = painelPage(
  '/verificador-externo',
  lazyRouteComponent(() => import('./verificador-externo/verificador-page.tsx'), 'VerificadorPage'),
  'verificadorExterno',
  'cameras',
)

const retencaoRoute = painelPage(
  '/retencao',
  lazyRouteComponent(() => import('./retencao/retencao-page.tsx'), 'RetencaoPage'),
  'retencao',
  'cameras',
)

const chavesRoute = painelPage(
  '/chaves',
  lazyRouteComponent(() => import('./chaves/chaves-page.tsx'), 'ChavesPage'),
  'conta',
  'cameras',
)

const empresasRoute = painelPage(
  '/empresas',
  lazyRouteComponent(() => import('./empresas/empresas-page.tsx'), 'EmpresasPage'),
  'empresas',
)

const pendenciasRoute = painelPage(
  '/pendencias',
  lazyRouteComponent(() => import('./pendencias/pendencias-page.tsx'), 'PendenciasPage'),
  'pendencias',
)

const passagensRoute = painelPage(
  '/passagens',
  lazyRouteComponent(() => import('./placas/passagens-page.tsx'), 'PassagensPage'),
  'placas',
  'cameras',
)

const presencasRoute = painelPage(
  '/presentes',
  lazyRouteComponent(() => import('./placas/presencas-page.tsx'), 'PresencasPage'),
  'placas',
  'cameras',
)

const placasRoute = painelPage(
  '/placas',
  lazyRouteComponent(() => import('./placas/placas-page.tsx'), 'PlacasPage'),
  'placas',
  'cameras',
)

const auditoriaRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/auditoria',
  component: lazyRouteComponent(() => import('./auditoria/auditoria-page.tsx'), 'AuditoriaPage'),
  loader: texts('auditoria'),
  validateSearch: (raw: Raw) => ({
    ...idParam('pessoa', raw.pessoa),
    ...oneOf('coisa', raw.coisa, objetosAuditoria),
    ...oneOf('porta', raw.porta, canaisAuditoria),
    ...dateParam('de', raw.de),
    ...dateParam('ate', raw.ate),
  }),
})

export function createPageRouter(services: Services) {
  return createRouter({
    routeTree: rootRoute.addChildren([
      loginRoute,
      conviteRoute,
      painelRoute.addChildren([
        plantaoRoute,
        incidenteRoute,
        eventoRoute,
        camerasRoute,
        variasCamerasRoute,
        cameraRoutes,
        edgesRoute,
        buscaRoute,
        linhaDoTempoRoute,
        relatoriosRoute,
        newEdgeRoute,
        gravadoresRoute,
        novoGravadorRoute,
        quedasRoute,
        agentesRoute,
        contaRoute,
        pessoasRoute,
        convitesRoute,
        quiosquesRoute,
        canaisRoute,
        entregasRoute,
        remetentesRoute,
        verificadorRoute,
        retencaoRoute,
        chavesRoute,
        empresasRoute,
        pendenciasRoute,
        passagensRoute,
        placasRoute,
        presencasRoute,
        auditoriaRoute,
      ]),
    ]),
    context: services,
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultErrorComponent: CrashPage,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>
  }
}
