import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { VigiaError } from '@vigia/contracts/errors'
import { collectDefaultMetrics, Registry } from 'prom-client'

export interface MetricsListener {
  readonly registry: Registry
  readonly port: number
  stop(): Promise<void>
}

export interface MetricsListenerOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Name of the setting with the port, for the sentence of a taken one. */
  readonly setting: string
  /** Called when a scrape failed. */
  onProblem(error: unknown): void
}

const PATH = '/metrics'
const REQUEST_MS = 10_000

/**
 * Answers `GET /metrics` in the text format of Prometheus, on a port of its own, from a registry of its own. The
 * registry has the metrics of the process: memory, CPU, open files, garbage collection, delay of the event loop.
 * @throws VigiaError `indisponivel` when the port is taken
 */
export async function startMetricsListener(options: MetricsListenerOptions): Promise<MetricsListener> {
  const { host, port, setting, onProblem } = options
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    const path = request.url?.split('?')[0]
    if (path !== PATH || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(path === PATH ? 405 : 404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => {
        onProblem(error)
        response.writeHead(500).end()
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new VigiaError('indisponivel', {
          detalhe: `Não consegui abrir ${host}:${port} para as métricas. Escolha outra porta em ${setting}.`,
          cause,
        }),
      ),
    )
    server.listen(port, host, resolve)
  })
  return {
    registry,
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
