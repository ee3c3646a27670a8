import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { canaisAuditoria, objetosAuditoria } from '@vigia/contracts/auditoria'
import { statusCamera } from '@vigia/contracts/cameras'
import { certezas } from '@vigia/contracts/eventos'
import { gravidades, nomesIas } from '@vigia/contracts/ias'
import { rondasMosaico, tamanhosMosaico } from '@vigia/contracts/mosaicos'
import { ownAddress } from '../api/base-path.ts'
import { situacoesFila } from '../api/queries.ts'
import { idPath } from '../base/id-path.ts'
import {
  booleanParam,
  dateParam,
  daysParams,
  idParam,
  oneOf,
  spanParams,
  textParam,
  timeParam,
  wordsParam,
} from '../base/search-params.ts'
import { PlantaoPage } from '../pages/eventos/plantao/plantao-page.tsx'
import { vistasCameras } from '../pages/locais/cameras/vista.ts'
import type { Services } from '../session/services.ts'
import { CrashPage, NotFoundPage } from '../ui/crash-page.tsx'
import { cameraRoutes } from './camera-routes.ts'
import { CONTA, painelPage, painelRoute } from './painel-route.ts'
import { conviteRoute, loginRoute, type Raw, rootRoute, texts } from './public-routes.ts'
import { siteRoutes } from './site-routes.ts'
import { uiRoutes } from './ui-route.ts'

const plantaoRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/',
  component: PlantaoPage,
  loader: texts('plantao'),
  validateSearch: (raw: Raw) => ({
    ...oneOf('situacao', raw.situacao, situacoesFila),
    ...idParam('cliente', raw.cliente),
    ...oneOf('gravidade', raw.gravidade, gravidades),
    ...oneOf('ia', raw.ia, nomesIas),
    // Address of an event in earlier releases.
    ...idParam('alerta', raw.alerta),
  }),
  beforeLoad({ search: { alerta } }) {
    if (alerta !== undefined) throw redirect({ to: '/eventos/$id', params: { id: alerta } })
  },
})

const mosaicoRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/mosaico',
  component: lazyRouteComponent(() => import('../pages/eventos/mosaico/mosaico-page.tsx'), 'MosaicoPage'),
  loader: texts('plantao'),
  validateSearch: (raw: Raw) => ({
    ...wordsParam('arranjo', raw.arranjo),
    ...oneOf('quadros', raw.quadros, tamanhosMosaico),
    ...idParam('pagina', raw.pagina),
    ...oneOf('ronda', raw.ronda, rondasMosaico),
  }),
})

const livroRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/livro',
  component: lazyRouteComponent(() => import('../pages/eventos/livro/livro-page.tsx'), 'LivroPage'),
  loader: texts('livro', 'plantao'),
  validateSearch: (raw: Raw) => ({
    ...idParam('camera', raw.camera),
    ...dateParam('de', raw.de),
    ...dateParam('ate', raw.ate),
  }),
})

const incidenteRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/incidentes/$id',
  component: lazyRouteComponent(() => import('../pages/eventos/incidentes/incidente-page.tsx'), 'IncidentePage'),
  loader: texts('plantao'),
  params: idPath,
})

const eventoRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/eventos/$id',
  component: lazyRouteComponent(() => import('../pages/eventos/incidentes/evento-page.tsx'), 'EventoPage'),
  loader: texts('plantao', 'retencao'),
  params: idPath,
})

const camerasRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/cameras',
  component: lazyRouteComponent(() => import('../pages/locais/cameras/cameras-page.tsx'), 'CamerasPage'),
  // The words of the pictures are those of the mosaic.
  loader: texts('cameras', 'plantao'),
  validateSearch: (raw: Raw) => ({
    ...oneOf('status', raw.status, statusCamera),
    ...wordsParam('q', raw.q),
    ...oneOf('vista', raw.vista, vistasCameras),
    ...booleanParam('adicionar', raw.adicionar),
    // Addresses of dialogs in earlier releases.
    ...idParam('aovivo', raw.aovivo),
    ...idParam('historico', raw.historico),
  }),
  beforeLoad({ search: { aovivo, historico } }) {
    if (aovivo !== undefined) throw redirect({ to: '/cameras/$id', params: { id: String(aovivo) } })
    if (historico !== undefined) throw redirect({ to: '/cameras/$id/prova-e-saude', params: { id: String(historico) } })
  },
})

const variasCamerasRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/cameras/varias',
  component: lazyRouteComponent(() => import('../pages/locais/camera-setup/varias-page.tsx'), 'VariasPage'),
  beforeLoad: ({ context: { me } }) => {
    if (me.papel !== 'administrador') throw redirect({ to: '/cameras' })
  },
  loader: texts('cameras', 'camera'),
})

const buscaRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/busca',
  component: lazyRouteComponent(() => import('../pages/eventos/busca/busca-page.tsx'), 'BuscaPage'),
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
    ...timeParam('das', raw.das),
    ...timeParam('antes', raw.antes),
    ...oneOf('certeza', raw.certeza, certezas),
    ...oneOf('nota', raw.nota, ['com', 'sem'] as const),
    ...oneOf('prova', raw.prova, ['so', 'sem'] as const),
  }),
})

const linhaDoTempoRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/linha-do-tempo',
  component: lazyRouteComponent(() => import('../pages/eventos/linha-do-tempo/linha-page.tsx'), 'LinhaDoTempoPage'),
  loader: texts('linhaDoTempo', 'plantao'),
  validateSearch: daysParams,
})

const relatoriosRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/relatorios',
  component: lazyRouteComponent(() => import('../pages/eventos/relatorios/relatorios-page.tsx'), 'RelatoriosPage'),
  loader: texts('relatorios'),
  validateSearch: (raw: Raw) => ({
    ...idParam('camera', raw.camera),
    ...dateParam('de', raw.de),
    ...dateParam('ate', raw.ate),
  }),
})

const quedasRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/quedas',
  component: lazyRouteComponent(() => import('../pages/eventos/quedas/quedas-page.tsx'), 'QuedasPage'),
  loader: texts('edges'),
  validateSearch: (raw: Raw) => ({ ...booleanParam('abertas', raw.abertas), ...idParam('camera', raw.camera) }),
})

const agentesRoute = painelPage(
  '/agentes',
  lazyRouteComponent(() => import('../pages/agentes/agentes-page.tsx'), 'AgentesPage'),
  'agentes',
)

const contaRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: CONTA,
  component: lazyRouteComponent(() => import('../pages/pessoas/conta/conta-page.tsx'), 'ContaPage'),
  loader: texts('conta', 'pessoas', 'avisos'),
})

const pessoasRoute = painelPage(
  '/pessoas',
  lazyRouteComponent(() => import('../pages/pessoas/usuarios/pessoas-page.tsx'), 'PessoasPage'),
  'pessoas',
  'cameras',
)

const convitesRoute = painelPage(
  '/pessoas/convites',
  lazyRouteComponent(() => import('../pages/pessoas/convites/convites-page.tsx'), 'ConvitesPage'),
  'pessoas',
  'cameras',
)

const quiosquesRoute = painelPage(
  '/quiosques',
  lazyRouteComponent(() => import('../pages/pessoas/quiosques/quiosques-page.tsx'), 'QuiosquesPage'),
  'pessoas',
  'cameras',
)

const canaisRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/canais',
  component: lazyRouteComponent(() => import('../pages/mensagens/canais/canais-page.tsx'), 'CanaisPage'),
  loader: texts('canais', 'cameras', 'avisos'),
})

const entregasRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/canais/$id',
  component: lazyRouteComponent(() => import('../pages/mensagens/canais/entregas-page.tsx'), 'EntregasPage'),
  loader: texts('canais'),
  // The page compares it with the contract, which the first page does not load.
  validateSearch: (raw: Raw) => textParam('estado', raw.estado),
})

const remetentesRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/remetentes',
  component: lazyRouteComponent(() => import('../pages/mensagens/remetentes/remetentes-page.tsx'), 'RemetentesPage'),
  loader: texts('remetentes', 'cameras'),
})

const verificadorRoute = painelPage(
  '/verificador-externo',
  lazyRouteComponent(() => import('../pages/eventos/verificador-externo/verificador-page.tsx'), 'VerificadorPage'),
  'verificadorExterno',
  'cameras',
)

const retencaoRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/retencao',
  component: lazyRouteComponent(() => import('../pages/eventos/retencao/retencao-page.tsx'), 'RetencaoPage'),
  loader: texts('retencao', 'cameras'),
  validateSearch: spanParams,
})

const chavesRoute = painelPage(
  '/chaves',
  lazyRouteComponent(() => import('../pages/pessoas/chaves/chaves-page.tsx'), 'ChavesPage'),
  'conta',
  'cameras',
)

const empresasRoute = painelPage(
  '/empresas',
  lazyRouteComponent(() => import('../pages/pessoas/empresas/empresas-page.tsx'), 'EmpresasPage'),
  'empresas',
)

const pendenciasRoute = painelPage(
  '/pendencias',
  lazyRouteComponent(() => import('../pages/eventos/pendencias/pendencias-page.tsx'), 'PendenciasPage'),
  'pendencias',
)

const passagensRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/passagens',
  component: lazyRouteComponent(() => import('../pages/placas/passagens-page.tsx'), 'PassagensPage'),
  loader: texts('placas', 'cameras'),
  validateSearch: (raw: Raw) => ({
    ...wordsParam('placa', raw.placa),
    ...booleanParam('semelhantes', raw.semelhantes),
    // The page compares them with the contract, which the first page does not load.
    ...textParam('leitura', raw.leitura),
    ...textParam('situacao', raw.situacao),
    ...idParam('camera', raw.camera),
    ...textParam('veiculo', raw.veiculo),
    ...textParam('cor', raw.cor),
    ...dateParam('de', raw.de),
    ...dateParam('ate', raw.ate),
  }),
})

const presencasRoute = painelPage(
  '/presentes',
  lazyRouteComponent(() => import('../pages/placas/presencas-page.tsx'), 'PresencasPage'),
  'placas',
  'cameras',
)

const placasRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/placas',
  component: lazyRouteComponent(() => import('../pages/placas/placas-page.tsx'), 'PlacasPage'),
  loader: texts('placas', 'cameras'),
  validateSearch: (raw: Raw) => ({ ...wordsParam('q', raw.q), ...textParam('lista', raw.lista) }),
})

const auditoriaRoute = createRoute({
  getParentRoute: () => painelRoute,
  path: '/auditoria',
  component: lazyRouteComponent(() => import('../pages/pessoas/auditoria/auditoria-page.tsx'), 'AuditoriaPage'),
  loader: texts('auditoria'),
  validateSearch: (raw: Raw) => ({
    ...idParam('pessoa', raw.pessoa),
    ...oneOf('coisa', raw.coisa, objetosAuditoria),
    ...oneOf('porta', raw.porta, canaisAuditoria),
    ...dateParam('de', raw.de),
    ...dateParam('ate', raw.ate),
  }),
})

/** Any other address has the navigation too, behind the sign-in. */
const unknownRoute = createRoute({ getParentRoute: () => painelRoute, path: '$', component: NotFoundPage })

export function createPageRouter(services: Services) {
  return createRouter({
    routeTree: rootRoute.addChildren([
      loginRoute,
      conviteRoute,
      ...uiRoutes,
      painelRoute.addChildren([
        plantaoRoute,
        mosaicoRoute,
        livroRoute,
        incidenteRoute,
        eventoRoute,
        camerasRoute,
        variasCamerasRoute,
        cameraRoutes,
        ...siteRoutes,
        buscaRoute,
        linhaDoTempoRoute,
        relatoriosRoute,
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
        unknownRoute,
      ]),
    ]),
    context: services,
    basepath: ownAddress('/'),
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultErrorComponent: CrashPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPageRouter>
  }
}
