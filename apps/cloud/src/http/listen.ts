import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { malformedAnswer, type OnMalformed } from './malformed-request.ts'
import { answerUpgrades, asksForWebSocket } from './upgrade.ts'

type Fetch = (request: Request, env: object) => Response | Promise<Response>

export interface HttpServer {
  readonly port: number
  /** Starts answering requests; before, they get a 503. */
  serve(fetch: Fetch): void
  /**
   * Stops accepting, waits up to `graceMs` for running answers, then cuts the remaining connections. May be called
   * twice.
   */
  stop(graceMs: number): Promise<void>
}

const notYet: Fetch = () =>
  Response.json(
    { detail: 'O serviço está iniciando. Tente outra vez.' },
    { status: 503, headers: { 'retry-after': '1' } },
  )

/** Time limits for a client, so that slow clients do not hold connections for ever. */
interface TimeLimits {
  readonly headerMs: number
  /** Header and body. The answer has no time limit. */
  readonly requestMs: number
  /** Interval of the check. */
  readonly checkMs: number
}

export const timeLimits: TimeLimits = { headerMs: 15_000, requestMs: 60_000, checkMs: 5_000 }

interface Listening {
  readonly host: string
  readonly port: number
  readonly onMalformed?: OnMalformed
  /** Further connections are closed at once. */
  readonly mostConnections?: number
}

/**
 * Time until the server closes an idle connection. A client that reuses a connection at that moment gets ECONNRESET, so
 * the client must close it first. Reverse proxies keep it for 60 s (nginx) to 120 s (Caddy).
 */
const IDLE_MS = 130_000

/**
 * Open connections. The process may open 65,536 files (deploy/uma-maquina/vigia-cloud.service): media and the database
 * always find some.
 */
export const MOST_CONNECTIONS = 16_384

/** Listens on `host:port` (0: any free port). Rejects with the system's error, e.g. EADDRINUSE. */
export function listen(
  { host, port, onMalformed = () => {}, mostConnections = MOST_CONNECTIONS }: Listening,
  { headerMs, requestMs, checkMs }: TimeLimits = timeLimits,
): Promise<HttpServer> {
  let answer = notYet
  let closed: Promise<void> | null = null
  const server = createServer(
    {
      shouldUpgradeCallback: asksForWebSocket,
      headersTimeout: headerMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkMs,
      keepAliveTimeout: IDLE_MS,
      // The listener refuses a missing Host itself, with a body.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      // The connection of an answer that ends during the stop is idle from then on.
      outgoing.once('close', () => {
        if (closed !== null) server.closeIdleConnections()
      })
      const errorHandler = (error: unknown) =>
        error instanceof RequestError
          ? malformedAnswer(incoming.url ?? '', error, onMalformed)
          : // The application answers its own errors, so this is a defect of the server itself.
            new Response(null, { status: 500 })
      const fetch: Fetch = (request, env) => answer(request, env)
      void getRequestListener(fetch, { overrideGlobalObjects: false, errorHandler })(incoming, outgoing)
    },
  )
  server.maxConnections = mostConnections
  const cutUpgraded = answerUpgrades(server, (request, env) => answer(request, env))

  const close = (graceMs: number) =>
    new Promise<void>((resolve) => {
      const cut = setTimeout(() => {
        server.closeAllConnections()
        cutUpgraded()
      }, graceMs)
      server.close(() => {
        clearTimeout(cut)
        resolve()
      })
      server.closeIdleConnections()
    })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve({
        port: (server.address() as AddressInfo).port,
        serve: (fetch) => {
          answer = fetch
        },
        stop: (graceMs) => {
          closed ??= close(graceMs)
          return closed
        },
      })
    })
  })
}
