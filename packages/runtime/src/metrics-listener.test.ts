import { Gauge } from 'prom-client'
import { afterEach, expect, it } from 'vitest'
import { type MetricsListener, startMetricsListener } from './metrics-listener.ts'

const opened: MetricsListener[] = []
const problems: unknown[] = []
async function open(port: number): Promise<MetricsListener> {
  const onProblem = (error: unknown) => problems.push(error)
  const listener = await startMetricsListener({ host: '127.0.0.1', port, setting: 'VIGIA_TESTE_PORTA', onProblem })
  opened.push(listener)
  return listener
}
afterEach(async () => {
  problems.length = 0
  for (const listener of opened.splice(0)) await listener.stop()
})

it('has a registry of its own, with the metrics of the process', async () => {
  const [a, b] = [await open(0), await open(0)]
  new Gauge({ name: 'of_a', help: 'a', registers: [a.registry] }).set(1)
  const texts = await Promise.all(
    [a, b].map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  )
  expect(texts.map((text) => text.includes('of_a 1\n'))).toEqual([true, false])
  for (const text of texts) expect(text).toContain('nodejs_eventloop_lag_p99_seconds ')
})

it('names the setting of a taken port', async () => {
  const { port } = await open(0)
  const error: unknown = await open(port).catch((caught: unknown) => caught)
  expect(error).toMatchObject({
    detalhe: `Não consegui abrir 127.0.0.1:${port} para as métricas. Escolha outra porta em VIGIA_TESTE_PORTA.`,
  })
})

it('answers 500 when a metric cannot be read, and reports it', async () => {
  const { port, registry } = await open(0)
  const collect = () => {
    throw new Error('unreadable')
  }
  new Gauge({ name: 'broken', help: 'b', registers: [registry], collect })
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(500)
  expect(problems).toEqual([expect.objectContaining({ message: 'unreadable' })])
})
