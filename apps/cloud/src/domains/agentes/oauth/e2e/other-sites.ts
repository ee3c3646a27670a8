import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'

/** A web server of a foreign site on this machine. */
export interface OtherSite {
  readonly port: number
  /** Requested paths with queries. */
  readonly asked: readonly string[]
  stop(): Promise<void>
}

/**
 * @param host 127.0.0.2 is another site than 127.0.0.1; the same address with another port is another origin of the
 * same site
 */
export async function startOtherSite(host: string, answer: RequestListener): Promise<OtherSite> {
  const asked: string[] = []
  const server = createHttpServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  server.listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A page with `markup`. */
export const page =
  (markup: () => string, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
      .end(`<!doctype html>${markup()}`)
  }

/** A page that posts `fields` to `action` when it opens. */
export const postingPage = (action: string, fields: Readonly<Record<string, string>>): string =>
  `<form method="post" action="${action}">${Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
    .join('')}</form><script>document.forms[0].submit()</script>`

/** A port that only counts connections. */
export async function startCounter(): Promise<{ port: number; visits(): number; stop(): Promise<void> }> {
  let count = 0
  const server = createServer((socket) => {
    count += 1
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    visits: () => count,
    stop: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}
