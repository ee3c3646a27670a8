import { createRoute, createRouter, lazyRouteComponent, redirect, retainSearchParams } from '@tanstack/react-router'
import { canaisAuditoria, objetosAuditoria } from '@vigia/contracts/auditoria'
import { statusCamera } from '@vigia/contracts/cameras'
import { VigiaError } from '@vigia/contracts/errors'
import { gravidades, nomesIas } from '@vigia/contracts/ias'
import { estadosEntrega } from '@vigia/contracts/notificacoes'
import { meQuery, situacoesFila } from './api/queries.ts'
import { mustEnrol } from './conta/must-enrol.ts'
import { idPath } from './id-path.ts'
import { CrashPage } from './painel/crash-page.tsx'
import { Painel } from './painel/painel.tsx'
import { PainelSkeleton } from './painel/painel-skeleton.tsx'
import { PlantaoPage } from './plantao/plantao-page.tsx'
import { conviteRoute, loginRoute, type Raw, rootRoute, texts } from './public-routes.ts'
import { booleanParam, dateParam, idParam, instantParam, oneOf, wordsParam } from './search-params.ts'
import type { Services } from './services.ts'

/** Page on which a login turns on its second factor. */
const CONTA = '/conta'

/** Parent of all pages behind the sign-in. */
const painelRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'painel',
  component: Painel,
  pendingComponent: PainelSkeleton,
  errorComponent: CrashPage,
  validateSearch: (raw: Raw) => idParam('empresa', raw.empresa),
  search: { middlewares: [retainSearchParams(['empresa'])] },
  async beforeLoad({ context, location }) {
    const me = await context.queries.ensureQueryData(meQuery(context.api)).catch((error: unknown) => {
      if (!(error instanceof VigiaError) || error.code !== 'nao_autenticado') throw error
      context.rememberPath()
      throw redirect({ to: '/login' })
    })
    if (mustEnrol(me) && location.pathname !== CONTA) throw redirect({ to: CONTA })
    return { me }
  },
})

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
  editTab(
    'prova',
    lazyRouteComponent(() => import('./camera/prova-page.tsx'), 'ProvaPage'),
  ),
] as const

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

const agentesRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/agentes',
  component: lazyRouteComponent(() => import('./agentes/agentes-page.tsx'), 'AgentesPage'),
  loader: texts('agentes'),
})

const contaRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: CONTA,
  component: lazyRouteComponent(() => import('./conta/conta-page.tsx'), 'ContaPage'),
  loader: texts('conta', 'pessoas', 'avisos'),
})

const pessoasRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/pessoas',
  component: lazyRouteComponent(() => import('./pessoas/pessoas-page.tsx'), 'PessoasPage'),
  loader: texts('pessoas', 'cameras'),
})

const convitesRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/pessoas/convites',
  component: lazyRouteComponent(() => import('./convites/convites-page.tsx'), 'ConvitesPage'),
  loader: texts('pessoas', 'cameras'),
})

const quiosquesRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/quiosques',
  component: lazyRouteComponent(() => import('./quiosques/quiosques-page.tsx'), 'QuiosquesPage'),
  loader: texts('pessoas', 'cameras'),
})

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

const verificadorRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/verificador-externo',
  component: lazyRouteComponent(() => import('./verificador-externo/verificador-page.tsx'), 'VerificadorPage'),
  loader: texts('verificadorExterno', 'cameras'),
})

const retencaoRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/retencao',
  component: lazyRouteComponent(() => import('./retencao/retencao-page.tsx'), 'RetencaoPage'),
  loader: texts('retencao', 'cameras'),
})

const chavesRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/chaves',
  component: lazyRouteComponent(() => import('./chaves/chaves-page.tsx'), 'ChavesPage'),
  loader: texts('conta', 'cameras'),
})

const empresasRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/empresas',
  component: lazyRouteComponent(() => import('./empresas/empresas-page.tsx'), 'EmpresasPage'),
  loader: texts('empresas'),
})

const pendenciasRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/pendencias',
  component: lazyRouteComponent(() => import('./pendencias/pendencias-page.tsx'), 'PendenciasPage'),
  loader: texts('pendencias'),
})

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
        cameraRoute.addChildren([...cameraTabs, cameraEditRoute.addChildren([...cameraEditTabs])]),
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
