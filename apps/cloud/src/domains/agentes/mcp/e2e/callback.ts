import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The loopback listener of a client on the machine of the user (RFC 8252 section 7.3). */
export interface Callback {
  readonly redirectUri: string
  /** Address of the last request of the browser. */
  last(): URL
  stop(): Promise<void>
}

export async function listenForCallback(): Promise<Callback> {
  const visits: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', redirectUri)
    if (url.pathname === '/callback') visits.push(url)
    response.writeHead(url.pathname === '/callback' ? 200 : 404, { 'content-type': 'text/plain' }).end('ok')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  return {
    redirectUri,
    last: () => {
      const visit = visits.at(-1)
      if (!visit) throw new Error('the callback received no request')
      return visit
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
