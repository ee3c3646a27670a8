import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { request as forward } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { temporaryFolder } from '@vigia/testing/temporary-folder'

/** A TLS proxy in front of the cloud. It forwards `Host` unchanged and adds the X-Forwarded headers. */
export interface HttpsFront {
  /** `https://127.0.0.1:<port>` */
  readonly origin: string
  /** PEM file of the CA of its certificate. */
  readonly caFile: string
  /** @param url of the cloud; requests before this call fail */
  forwardTo(url: string): void
  stop(): Promise<void>
}

export async function startHttpsFront(): Promise<HttpsFront> {
  const dir = temporaryFolder('vigia-front-')
  await ensureInstallationPki({ dir, brokerHosts: [] })
  const file = (name: string) => join(dir, 'broker/tls', name)
  let target: URL | undefined
  const tls = { key: await readFile(file('key.pem')), cert: await readFile(file('cert.pem')) }
  const server = createServer(tls, (incoming, answer) => {
    const headers = {
      ...incoming.headers,
      'x-forwarded-proto': 'https',
      'x-forwarded-for': incoming.socket.remoteAddress ?? '',
    }
    const { method, url: path } = incoming
    const onward = forward({ host: target?.hostname, port: target?.port, method, path, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caFile: file('ca.pem'),
    forwardTo: (url) => {
      target = new URL(url)
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await rm(dir, { recursive: true, force: true })
    },
  }
}
