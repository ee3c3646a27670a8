import { once } from 'node:events'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A loopback proxy that adds a Bearer token, for programs without a setting for it. Passes everything else unchanged,
 * including `Host`, so that the server takes the address of the proxy as its own.
 */
export interface BearerProxy {
  readonly url: string
  /** Token of all later requests; null: none. */
  token: string | null
  stop(): Promise<void>
}

export async function startBearerProxy(target: string): Promise<BearerProxy> {
  const { hostname, port } = new URL(target)
  const proxy = { url: '', token: null as string | null, stop }
  const server = createServer((request, response) => {
    const headers = { ...request.headers, ...(proxy.token && { authorization: `Bearer ${proxy.token}` }) }
    const onward = forward({ hostname, port, method: request.method, path: request.url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  async function stop() {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}
