import type { LinkLog } from '@vigia/link/log'
import { type MetricsListener, startMetricsListener } from '@vigia/runtime/metrics-listener'
import { Counter, Gauge } from 'prom-client'
import type { Broker } from './app.ts'
import { SHEDDABLE } from './authorization.ts'
import type { BrokerMetrics } from './broker-metrics.ts'

/** Local only: a collector on the same machine reads it. */
const HOST = '127.0.0.1'

export interface OpenedMetrics extends MetricsListener {
  readonly metrics: BrokerMetrics
  watch(broker: Pick<Broker, 'clients'>): void
}

/** Opens the listener of the metrics. `docs/reference/observability.md` lists them. */
export async function openMetrics(port: number, log: LinkLog): Promise<OpenedMetrics> {
  const onProblem = (err: unknown) => log.warn({ err }, 'metrics not read')
  const listener = await startMetricsListener({ host: HOST, port, setting: 'VIGIA_BROKER_METRICAS_PORTA', onProblem })
  log.info({ porta: listener.port }, 'métricas')
  const registers = [listener.registry]
  const messages = new Counter({
    name: 'vigia_broker_messages_total',
    help: 'Accepted messages, by topic.',
    labelNames: ['topic'],
    registers,
  })
  const bytes = new Counter({
    name: 'vigia_broker_message_bytes_total',
    help: 'Size of the accepted messages, by topic.',
    labelNames: ['topic'],
    registers,
  })
  const dropped = new Counter({
    name: 'vigia_broker_messages_dropped_total',
    help: 'Messages that were not passed on because the cloud does not read fast enough, by topic.',
    labelNames: ['topic'],
    registers,
  })
  // A rate is known from the first message on only if its counter began at 0.
  for (const topic of SHEDDABLE) dropped.inc({ topic }, 0)
  const refusals = new Counter({
    name: 'vigia_broker_refusals_total',
    help: 'Refused connections, publications and subscriptions, and connections that ended with an error.',
    registers,
  })
  return {
    ...listener,
    metrics: {
      message(topic, size) {
        messages.inc({ topic })
        bytes.inc({ topic }, size)
      },
      dropped: (topic) => dropped.inc({ topic }),
      refused: () => refusals.inc(),
    },
    watch(broker) {
      new Gauge({
        name: 'vigia_broker_clients',
        help: 'Connected clients, by kind.',
        labelNames: ['kind'],
        registers,
        collect() {
          for (const [kind, count] of Object.entries(broker.clients())) this.set({ kind }, count)
        },
      })
    },
  }
}
