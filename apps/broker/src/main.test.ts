import { once } from 'node:events'
import net from 'node:net'
import { createEdgeLink } from '@vigia/link/edge-link'
import { createMemoryLog, createTestInstallation, type TestInstallation, until } from '@vigia/link/testing/installation'
import { killChild } from '@vigia/testing/kill-child'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BrokerProcess, startBrokerProcess } from './testing/broker-process.ts'

const processes: BrokerProcess[] = []
let installation: TestInstallation

function startProcess(environment: NodeJS.ProcessEnv = {}): BrokerProcess {
  const started = startBrokerProcess(installation.dir, environment)
  processes.push(started)
  return started
}

async function tlsOf(edgeId: number) {
  const identity = await installation.edge(edgeId)
  return () => identity
}

beforeEach(async () => {
  installation = await createTestInstallation()
})
afterEach(async () => {
  for (const { child } of processes.splice(0)) await killChild(child)
  await installation.remove()
})

describe('the broker process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'reports readiness and ends cleanly on %s with connected clients',
    async (signal) => {
      const { child, output, exit, ready } = startProcess()
      const porta = await ready()
      // The log line and the IPC message arrive on two pipes, in any order.
      await until('the ready line', () => output.out.includes('"pronto"'))
      const line = output.out.split('\n').find((text) => text.includes('"pronto"'))
      expect(JSON.parse(line ?? '')).toMatchObject({ msg: 'pronto', porta })

      const url = `mqtts://127.0.0.1:${porta}`
      await installation.admit(url, [7])
      const edge = createEdgeLink({ url, edgeId: 7, tls: await tlsOf(7), log: createMemoryLog() })
      edge.start()
      await until('the edge', () => edge.connected)
      child.kill(signal)
      expect(await exit).toEqual([0, null])
      await edge.stop()
    },
  )

  it('ends when its parent process is gone', async () => {
    const { child, ready } = startProcess()
    await ready()
    // Not 'close': Node delays that event after this side has closed the channel.
    const exit = once(child, 'exit')
    child.disconnect()
    expect(await exit).toEqual([0, null])
  })

  it('is replaced after kill -9, and a link reconnects', async () => {
    const first = startProcess()
    const porta = await first.ready()
    const url = `mqtts://127.0.0.1:${porta}`
    await installation.admit(url, [7])
    const backoff = { minMs: 50, maxMs: 100 }
    const edge = createEdgeLink({ url, edgeId: 7, tls: await tlsOf(7), log: createMemoryLog(), backoff })
    edge.start()
    await until('the edge', () => edge.connected)
    first.child.kill('SIGKILL')
    await until('the loss', () => !edge.connected)
    await first.exit
    await startProcess({ VIGIA_MQTT_PORT: String(porta) }).ready()
    await installation.admit(url, [7])
    await until('the return', () => edge.connected)
    await edge.publishBatch(Buffer.from('x'))
    await edge.stop()
  })
})

describe('an impossible start prints one line and ends with exit code 1', () => {
  it('port in use', async () => {
    const holder = net.createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as net.AddressInfo
    const { output, exit } = startProcess({ VIGIA_MQTT_PORT: String(port) })
    expect(await exit).toEqual([1, null])
    const why = `O broker MQTT não abriu 127.0.0.1:${port}: a porta já está em uso por outro programa.`
    expect(output.err).toBe(`${why} Libere a porta ou mude VIGIA_MQTT_PORT.\n`)
    holder.close()
  })

  it.each([
    ['certificates missing', { VIGIA_DATA_DIR: '/nao/existe' }, /^Não consegui ler os certificados .*prepare\.ts.*\n$/],
    ['a setting that makes no sense', { VIGIA_MQTT_PORT: 'abc' }, /^Valor inválido em VIGIA_MQTT_PORT\..*\n$/],
  ])('%s', async (_what, environment, line) => {
    const { output, exit } = startProcess(environment)
    expect(await exit).toEqual([1, null])
    expect(output.err).toMatch(line)
  })
})
