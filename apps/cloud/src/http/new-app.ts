import { randomUUID } from 'node:crypto'
import type { BlockList } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { runActivity } from '@vigia/runtime/activity'
import { type Context, Hono } from 'hono'
import { getPathNoStrict } from 'hono/utils/url'
import { headerBelow, pageBelow, withoutBasePath } from '../adapters/base-path.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Authenticate, AuthenticateEdge } from './access.ts'
import { notFound as missing } from './caller.ts'
import { clientAddress } from './client-address.ts'
import { isDeclared } from './effects.ts'
import { errorAnswer } from './errors.ts'
import type { HttpEnv } from './http-env.ts'
import { mountRoute, type RunOfRoot } from './mount-route.ts'
import { oauthErrorAnswer } from './oauth-errors.ts'
import type { Readiness } from './readiness.ts'
import type { Logger } from './request-log.ts'
import { logRequest } from './request-log.ts'
import { isAcesso, type Route } from './route.ts'
import { setSecurityHeaders } from './security-headers.ts'
import { createTurns, ROOT_TURNS } from './turns.ts'

/** Forms of a page or file that a request accepts. */
export interface Accepts {
  readonly html: boolean
  /** `Accept-Encoding`. */
  readonly encodings: string
}

export interface NewAppDeps {
  readonly routes: readonly Route[]
  readonly authenticate: Authenticate
  readonly authenticateEdge: AuthenticateEdge
  /** The root Empresa of an Empresa; default: itself. */
  readonly rootOf?: (empresaId: number) => Promise<number>
  /** Runs a request of this root Empresa; default: as it is. */
  readonly runOfRoot?: RunOfRoot
  /** Path of the public address, below which all addresses are; default: none. */
  readonly basePath?: string
  readonly log: Logger
  readonly metrics?: Pick<Metrics, 'request'>
  readonly trustedProxies: BlockList
  /** Aborts when the server stops, to end long answers. */
  readonly stopping: AbortSignal
  /** While it drains, each answer ends its connection, so that a load balancer opens the next one elsewhere. */
  readonly readiness: Pick<Readiness, 'isDraining'>
  /** Files and pages of the dashboard; null: the path is not one of them. */
  readonly fallback: (path: string, accepts: Accepts) => Response | null
  /** For tests: checks each answer against its declaration. An undeclared status, media type or field becomes a 500. */
  readonly checkAnswers?: boolean
}

/**
 * The HTTP application: request id, log, security headers, error bodies, then `routes`. Other paths get a page of the
 * dashboard, or 404 (405 with `Allow`) in JSON.
 * @throws Error when a route has no `acesso` or `efeito`, two kinds of body, or the method and path of another route
 */
export function newApp(deps: NewAppDeps): Hono<HttpEnv> {
  const { basePath = '' } = deps
  const app = new Hono<HttpEnv>({ getPath: (request) => withoutBasePath(basePath, getPathNoStrict(request)) })

  app.use(async (c, next) => {
    const startedAt = performance.now()
    const { incoming } = c.env as HttpBindings
    c.set('requestId', randomUUID())
    c.set('failure', undefined)
    c.set('caller', null)
    c.set('route', null)
    c.set('oauth', null)
    c.set('upgraded', false)
    const address = clientAddress(
      incoming.socket.remoteAddress ?? '',
      'encrypted' in incoming.socket,
      (name) => c.req.header(name),
      deps.trustedProxies,
    )
    c.set('address', address)
    await runActivity({ fields: { id: c.get('requestId') } }, next)
    if (basePath !== '') await putBelow(basePath, c)
    c.res.headers.set('x-request-id', c.get('requestId'))
    setSecurityHeaders(c.res.headers, address.https)
    if (deps.readiness.isDraining) c.res.headers.set('connection', 'close')
    // HEAD runs the GET handler, so a stream without reader must be closed.
    if (c.req.raw.method === 'HEAD') await c.res.body?.cancel()
    const ms = performance.now() - startedAt
    logRequest(deps.log, c, ms)
    const about = { method: c.req.raw.method, route: c.get('route'), status: c.get('upgraded') ? 101 : c.res.status }
    deps.metrics?.request(about, ms)
  })

  const streams = new Set<string>(deps.routes.filter(isEventStream).map(({ path }) => path))
  app.onError((error, c) => {
    c.set('failure', error)
    const oauth = c.get('oauth')
    const answer = errorAnswer(error, c.get('requestId'))
    if (answer.status === 503 && streams.has(c.get('route') ?? '')) return c.body(RECONNECT, 200, EVENT_STREAM)
    const { status, body, headers } = oauth ? oauthErrorAnswer(answer, oauth) : answer
    return c.json(body, status, headers)
  })

  const paths = mountRoutes(app, deps)
  app.notFound((c) => {
    const reads = c.req.method === 'GET' || c.req.method === 'HEAD'
    const accepts = {
      html: (c.req.header('accept') ?? '').includes('text/html'),
      encodings: c.req.header('accept-encoding') ?? '',
    }
    const page = reads ? deps.fallback(c.req.path, accepts) : null
    if (page) return page
    const allowed = paths.find(({ pattern }) => pattern.test(c.req.path))?.methods
    if (allowed) return c.json({ detail: 'Método não permitido neste endereço.' }, 405, { allow: allowed.join(', ') })
    const { status, body } = errorAnswer(missing('Endereço não encontrado.'), c.get('requestId'))
    return c.json(body, status)
  })
  return app
}

/** Puts the base path before the addresses of pages and headers. JSON has it already (mount-route.ts). */
async function putBelow(basePath: string, c: Context<HttpEnv>): Promise<void> {
  if (c.res.headers.get('content-type')?.startsWith('text/html'))
    c.res = new Response(pageBelow(basePath, await c.res.text()), c.res)
  for (const name of ['location', 'link']) {
    const value = c.res.headers.get(name)
    if (value !== null) c.res.headers.set(name, headerBelow(basePath, value))
  }
}

/**
 * For an event stream that cannot begin now. A browser's EventSource ends for good after any other status than 200
 * (HTML, section 9.2.3), and after this it connects again.
 */
const RECONNECT = 'retry: 3000\n\n'
const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' }

const isEventStream = ({ respostas }: Route): boolean =>
  Object.values(respostas).some(
    (declared) => declared != null && 'midia' in declared && declared.midia === 'text/event-stream',
  )

/** Mounts every route and returns the methods of each path, for 405. */
function mountRoutes(app: Hono<HttpEnv>, deps: NewAppDeps) {
  const methods = new Map<string, string[]>()
  const turns = { empresa: createTurns(), root: createTurns(ROOT_TURNS) }
  const rootOf = deps.rootOf ?? (async (id: number) => id)
  const runOfRoot: RunOfRoot = deps.runOfRoot ?? ((_root, run) => run())
  for (const route of deps.routes) {
    const name = `${route.method.toUpperCase()} ${route.path}`
    if (!isAcesso(route.acesso)) throw new Error(`${name}: route without acesso`)
    if (!isDeclared(route.efeito)) throw new Error(`${name}: route without efeito`)
    if (route.json && route.form) throw new Error(`${name}: a route has one kind of body`)
    const known = methods.get(route.path) ?? []
    if (known.includes(route.method.toUpperCase())) throw new Error(`${name}: declared twice`)
    methods.set(route.path, [...known, route.method.toUpperCase()])
    mountRoute(app, route, { ...deps, turns, rootOf, runOfRoot })
  }
  return [...methods].map(([path, names]) => ({
    methods: names,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
}
