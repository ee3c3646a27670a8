import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@vigia/testing/free-port'
import { type Installation, startInstallation } from '@vigia/testing/installation'
import { dashboardQueries, readAlerts, type Selector, selectorsOf } from '@vigia/testing/monitoring-files'
import { waitFor } from '@vigia/testing/wait'
import { writeWhole } from '@vigia/testing/write-whole'
import { patio } from '@vigia/vision/testing/still'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** An HTTP server on loopback that keeps the bodies of its requests by path. */
interface Receiver {
  readonly url: string
  bodies(path: string): readonly string[]
  close(): void
}

async function startReceiver(): Promise<Receiver> {
  const received: { readonly path: string; readonly body: string }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString() })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    bodies: (path) => received.flatMap((each) => (each.path === path ? [each.body] : [])),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Span {
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
}

/** The subset of `ExportTraceServiceRequest` (OTLP) that the test reads. */
interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly value: { readonly stringValue: string } }[] }
    readonly scopeSpans: readonly { readonly spans: readonly Omit<Span, 'service'>[] }[]
  }[]
}

/**
 * `NODE_OPTIONS` with a hook that writes `loads NAME` for each library of metrics and traces that a program loads.
 */
const hook = `
  import { registerHooks } from 'node:module'
  import { writeSync } from 'node:fs'
  registerHooks({ resolve(name, context, next) {
    const found = next(name, context)
    const [library] = /@opentelemetry|prom-client/.exec(found.url) ?? []
    if (library) writeSync(2, 'loads ' + library + '\\n')
    return found
  } })`
const reportsLibraries = `--import=data:text/javascript,${encodeURIComponent(hook)}`
const loaded = ({ programs }: Installation): string[] =>
  Object.values(programs).flatMap((program) => [...new Set(program.output().match(/^loads \S+$/gm))])

const spansOf = (otlp: Receiver): Span[] =>
  otlp
    .bodies('/v1/traces')
    .flatMap((body) => (JSON.parse(body) as Exported).resourceSpans)
    .flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) =>
        spans.map((span) => ({ ...span, service: resource.attributes[0]?.value.stringValue ?? '' })),
      ),
    )

describe('an installation with metrics and traces', () => {
  const EMPRESA = 'Empresa Observada'
  const CAMERA = 'Portão da Observada'
  let vigia: Installation
  let otlp: Receiver
  let webhook: Receiver
  let dir: string
  let ports: { readonly cloud: number; readonly broker: number; readonly edge: number }

  beforeAll(async () => {
    otlp = await startReceiver()
    webhook = await startReceiver()
    dir = await mkdtemp(join(tmpdir(), 'vigia-observa-'))
    ports = { cloud: await freePort(), broker: await freePort(), edge: await freePort() }
    const control = join(dir, 'controle.json')
    const scene = { picture: patio.path, caixa: { rotulo: 'person', confianca: 0.9, ...patio.people[0] } }
    writeWhole(control, JSON.stringify({ rate: 4, together: 1, upTo: 1, pictureBytes: 0, clockMs: 0, scene }))
    vigia = await startInstallation(
      {
        VIGIA_METRICAS_PORTA: String(ports.cloud),
        VIGIA_BROKER_METRICAS_PORTA: String(ports.broker),
        VIGIA_EDGE_METRICAS_PORTA: String(ports.edge),
        VIGIA_OTEL_URL: otlp.url,
        VIGIA_EDGE_OTEL_URL: otlp.url,
        VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8',
        NODE_OPTIONS: reportsLibraries,
      },
      { programs: { edge: { entry: 'apps/edge/src/testing/counting-edge.ts', args: [control] } } },
    )
    const api = await vigia.signIn()
    const { id } = await api.call<{ id: number }>('POST', '/empresas', { nome: EMPRESA })
    await api.call('POST', '/notificacoes', { empresa_id: id, tipo: 'webhook', destino: `${webhook.url}/aviso` })
    await api.call('POST', '/cameras', { nome: CAMERA, empresa_id: id, rtsp_url: 'rtsp://127.0.0.1:1/a' })
    await waitFor('the delivery', () => webhook.bodies('/aviso').length > 0)
  })
  afterAll(async () => {
    await vigia?.close()
    otlp?.close()
    webhook?.close()
    await rm(dir, { recursive: true, force: true })
  })

  it('sends one trace from the detection to the delivery', async () => {
    const spans = await waitFor('the span of the delivery', () => {
      const seen = spansOf(otlp)
      return seen.some(({ name }) => name === 'notificacao') && seen.some(({ name }) => name === 'envio') && seen
    })
    const trace = spans.find(({ name }) => name === 'notificacao')?.traceId
    const ofTrace = new Map(spans.filter(({ traceId }) => traceId === trace).map((span) => [span.name, span]))
    const path = (name: string): string[] => {
      const span = ofTrace.get(name)
      if (!span) return [`${name} is missing`]
      const above = [...ofTrace.values()].find(({ spanId }) => spanId === span.parentSpanId)
      return [...(above ? path(above.name) : []), `${span.service}: ${name}`]
    }
    const detection = 'vigia-edge: deteccao'
    expect(path('caixa')).toEqual([detection, 'vigia-edge: caixa'])
    expect(path('envio')).toEqual([detection, 'vigia-edge: envio'])
    expect(path('notificacao')).toEqual([
      detection,
      'vigia-cloud: ingestao',
      'vigia-cloud: verificacao',
      'vigia-cloud: notificacao',
    ])
  })

  it('puts no name of an Empresa, camera or destination into a span or a metric', async () => {
    const texts = [...otlp.bodies('/v1/traces'), await scrape(ports.cloud), await scrape(ports.edge)]
    expect(texts.length).toBeGreaterThan(3)
    for (const secret of [EMPRESA, CAMERA, webhook.url, 'rtsp:']) expect(texts.join('')).not.toContain(secret)
  })

  it.each(['cloud', 'broker', 'edge'] as const)('answers the metrics of the %s, and nothing else', async (name) => {
    const at = `http://127.0.0.1:${ports[name]}`
    const answer = await fetch(`${at}/metrics`)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect((await fetch(at)).status).toBe(404)
    expect((await fetch(`${at}/metrics`, { method: 'POST' })).status).toBe(405)
  })

  it('has each metric and label of the alert rules and of the dashboard', async () => {
    const texts = await Promise.all(Object.values(ports).map(scrape))
    const labelsOf = new Map<string, Set<string>>()
    for (const [, metric = '', labels = ''] of texts.join('\n').matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
      const known = labelsOf.get(metric) ?? new Set()
      for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label)
      labelsOf.set(metric, known)
    }
    const used = [...readAlerts().map(({ expr }) => expr), ...dashboardQueries()].flatMap(selectorsOf)
    expect(used.length).toBeGreaterThan(60)
    const isKnown = ({ metric, labels }: Selector) => labels.every((label) => labelsOf.get(metric)?.has(label) ?? false)
    expect(used.filter((each) => !labelsOf.has(each.metric) || !isKnown(each))).toEqual([])
  })

  it('counts the event on its way', async () => {
    const online = 'vigia_edges{status="online"} 1\n'
    await waitFor('the edge to be online', async () => (await scrape(ports.cloud)).includes(online))
    const [cloud, edge] = [await scrape(ports.cloud), await scrape(ports.edge)]
    expect(cloud).toContain('vigia_records_total{result="gravado"} 1\n')
    expect(cloud).toContain('vigia_verdicts_total{decision="confirmado",certainty="alta"} 1\n')
    expect(cloud).toContain('vigia_deliveries_total{channel="webhook",result="entregue"} 1\n')
    expect(edge).toContain('vigia_edge_candidates_total{ia="invasao"} 1\n')
    expect(edge).toContain('vigia_edge_confirmation_seconds_count{result="gravado"} 1\n')
    expect(edge).toContain('vigia_edge_outbox_records 0\n')
  })

  it('loads the libraries', () => {
    expect(loaded(vigia).sort()).toEqual([
      'loads @opentelemetry',
      'loads @opentelemetry',
      'loads @opentelemetry',
      'loads prom-client',
      'loads prom-client',
      'loads prom-client',
    ])
  })

  it('gives each log line of a request, a message and a work item its id', () => {
    const lines = vigia.programs.cloud
      .output()
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []))
    const line = (msg: string) => lines.find((each) => each.msg === msg)
    expect(line('requisição')).toMatchObject({ id: expect.any(String) })
    expect(line('batch stored')).toMatchObject({ edge_id: 1, enlace_id: expect.any(String) })
    expect(line('event verified')).toMatchObject({ trabalho_id: expect.any(Number), trabalho: 'verificacao' })
    expect(line('notification delivered')).toMatchObject({ trabalho_id: expect.any(Number), trabalho: 'notificacao' })
  })
})

it('loads no library of metrics and traces by default', async () => {
  const vigia = await startInstallation({ NODE_OPTIONS: reportsLibraries })
  try {
    expect(loaded(vigia)).toEqual([])
  } finally {
    await vigia.close()
  }
})

const scrape = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
