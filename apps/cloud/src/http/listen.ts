import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
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
  { host, port }: { host: string; port: number },
  { headerMs, requestMs, lookMs }: Patience = patience,
): Promise<HttpServer> {
  let answer = notYet
  const server = createAdaptorServer({
    fetch: (request, env) => answer(request, env),
    overrideGlobalObjects: false,
    serverOptions: {
      shouldUpgradeCallback: asksForWebSocket,
      headersTimeout: headerMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: lookMs,
    },
  }) as Server
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
