import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import { malformedAnswer, type OnMalformed } from './malformed-request.ts'
import { answerUpgrades, asksForWebSocket } from './upgrade.ts'

type Fetch = (request: Request, env: object) => Response | Promise<Response>

export interface HttpServer {
  readonly port: number
  /** From now on requests are answered; until then they get a 503. */
  serve(fetch: Fetch): void
  /** Stops accepting, lets running answers end for `graceMs`, then cuts what is left. May be called twice. */
  stop(graceMs: number): Promise<void>
}

const notYet: Fetch = () =>
  Response.json(
    { detail: 'O serviço está iniciando. Tente outra vez.' },
    { status: 503, headers: { 'retry-after': '1' } },
  )

/** How long a client may take, ms. */
interface Patience {
  readonly headerMs: number
  /** Header and body. An answer may take as long as it likes. */
  readonly requestMs: number
  /** How often that is looked at. */
  readonly lookMs: number
}

/** Slow clients may not hold connections for ever. */
const patience: Patience = { headerMs: 15_000, requestMs: 60_000, lookMs: 5_000 }

/** Takes `host:port` (0: any free port). Rejects with the system's error, e.g. EADDRINUSE. */
export function listen(
  { host, port, onMalformed = () => {} }: { host: string; port: number; onMalformed?: OnMalformed },
  { headerMs, requestMs, lookMs }: Patience = patience,
): Promise<HttpServer> {
  let answer = notYet
  const server = createServer(
    {
      shouldUpgradeCallback: asksForWebSocket,
      headersTimeout: headerMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: lookMs,
      // Refused by the listener, with a body.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      const errorHandler = (error: unknown) =>
        error instanceof RequestError
          ? malformedAnswer(incoming.url ?? '', error, onMalformed)
          : // The application answers its own failures: this is a defect of the server itself.
            new Response(null, { status: 500 })
      const fetch: Fetch = (request, env) => answer(request, env)
      void getRequestListener(fetch, { overrideGlobalObjects: false, errorHandler })(incoming, outgoing)
    },
  )
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
  let closed: Promise<void> | null = null

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
