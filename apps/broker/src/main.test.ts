import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { fileURLToPath } from 'node:url'
import { createEdgeLink } from '@vigia/link/edge-link'
import { createMemoryLog, createTestInstallation, type TestInstallation, until } from '@vigia/link/testing/installation'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
const processes: ChildProcess[] = []
let installation: TestInstallation

function startProcess(environment: NodeJS.ProcessEnv = {}) {
  const child = fork(main, {
    // A fork inherits the test runner's own flags, which are not the product's.
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH, VIGIA_DATA_DIR: installation.dir, VIGIA_MQTT_PORT: '0', ...environment },
  })
  processes.push(child)
  const output = { out: '', err: '' }
  child.stdout?.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output.err += chunk
  })
  return { child, output, exit: once(child, 'close') }
}
async function ready(child: ChildProcess): Promise<number> {
  const [message] = await once(child, 'message')
  expect(message).toMatchObject({ pronto: true, porta: expect.any(Number) })
  return (message as { porta: number }).porta
}

beforeEach(async () => {
  installation = await createTestInstallation()
})
afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL')
  await installation.remove()
})

describe('the broker process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'says when it is ready, and ends cleanly on %s with clients connected',
    async (signal) => {
      const { child, output, exit } = startProcess()
      const porta = await ready(child)
      // The line and the message come on two pipes, in either order.
      await until('the ready line', () => output.out.includes('"pronto"'))
      const line = output.out.split('\n').find((text) => text.includes('"pronto"'))
      expect(JSON.parse(line ?? '')).toMatchObject({ msg: 'pronto', porta })

      const url = `mqtts://127.0.0.1:${porta}`
      await installation.admit(url, [7])
      const edge = createEdgeLink({ url, edgeId: 7, tls: await installation.edge(7), log: createMemoryLog() })
      edge.start()
      await until('the edge', () => edge.connected)
      const started = performance.now()
      child.kill(signal)
      expect(await exit).toEqual([0, null])
      expect(performance.now() - started).toBeLessThan(5_000)
      await edge.stop()
    },
  )

  it('ends when the process that started it is gone', async () => {
    const { child } = startProcess()
    await ready(child)
    // Not 'close': Node holds that back once the channel was closed from this side.
    const exit = once(child, 'exit')
    child.disconnect()
    expect(await exit).toEqual([0, null])
  })

  it('is replaced after kill -9, and a link comes back', async () => {
    const first = startProcess()
    const porta = await ready(first.child)
    const url = `mqtts://127.0.0.1:${porta}`
    await installation.admit(url, [7])
    const backoff = { minMs: 50, maxMs: 100 }
    const edge = createEdgeLink({ url, edgeId: 7, tls: await installation.edge(7), log: createMemoryLog(), backoff })
    edge.start()
    await until('the edge', () => edge.connected)
    first.child.kill('SIGKILL')
    await until('the loss', () => !edge.connected)
    await first.exit
    await ready(startProcess({ VIGIA_MQTT_PORT: String(porta) }).child)
    await installation.admit(url, [7])
    await until('the return', () => edge.connected)
    await edge.publishRecord(Buffer.from('x'))
    await edge.stop()
  })
})

describe('a start that cannot be is one line and exit code 1', () => {
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
