import { readFileSync } from 'node:fs'
import { createTestInstallation, type TestInstallation, until } from '@vigia/link/testing/installation'
import { CERTIFICATES_TOPIC, everyEdge, topics } from '@vigia/link/topics'
import type { MqttClient } from 'mqtt'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectClient } from './testing/broker-client.ts'
import { type BrokerProcess, startBrokerProcess } from './testing/broker-process.ts'
import { type SubscriberProcess, startSubscriber } from './testing/subscriber-process.ts'

/** Measures the time and memory that a client without reads costs the others, with the broker's own limits. */
const MIB = 1024 * 1024
const ROUNDS = 40
/** Number of edges that flood together; the broker reads each at 4 MiB a second. */
const FLOODING = [3, 4, 5, 6, 7, 8, 9, 10]
/** Largest ratio of median round trips in one run: flooded client frozen against flooded client reading. */
const RATIO = 3
/** Shortest round trip, in ms, whose ratio is above the noise of shared processors. */
const FLOOR_MS = 25

let installation: TestInstallation
let broker: BrokerProcess
let port: number
const clients: MqttClient[] = []
const subscribers: SubscriberProcess[] = []
const options = { keepalive: 60 }

async function connect(name: string): Promise<MqttClient> {
  const client = await connectClient({ installation, port, name, options })
  clients.push(client)
  return client
}
async function subscribe(name: string, filter: string): Promise<SubscriberProcess> {
  const subscriber = await startSubscriber({ installation, port, name, options }, filter)
  subscribers.push(subscriber)
  return subscriber
}
beforeEach(async () => {
  installation = await createTestInstallation()
  broker = startBrokerProcess(installation.dir)
  port = await broker.ready()
  const cloud = await connect('cloud')
  const list = JSON.stringify(await installation.allowed([1, 2, ...FLOODING]))
  await cloud.publishAsync(CERTIFICATES_TOPIC, list, { qos: 1 })
  await cloud.endAsync()
})
afterEach(async () => {
  for (const subscriber of subscribers.splice(0)) await subscriber.end()
  for (const client of clients.splice(0)) client.end(true)
  broker.child.kill('SIGKILL')
  await broker.exit
  await installation.remove()
})

/** Resident memory of the broker, in MiB. */
const memory = () =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${broker.child.pid}/status`, 'utf8'))?.[1]) / 1024

/** Median round trip in ms, and the largest memory. Each round sends `flood` before its measurement. */
async function measure(round: () => Promise<unknown>, flood: () => void) {
  const times: number[] = []
  let peak = 0
  for (let count = 0; count < ROUNDS; count += 1) {
    flood()
    const started = performance.now()
    await round()
    times.push(performance.now() - started)
    peak = Math.max(peak, memory())
  }
  return { ms: times.sort((a, b) => a - b)[ROUNDS / 2] ?? 0, peak }
}
type Measured = Awaited<ReturnType<typeof measure>>

function report(who: string, reading: Measured, frozen: Measured): void {
  const round = ({ ms, peak }: Measured) => `${ms.toFixed(1)} ms, ${peak.toFixed(0)} MiB`
  console.log(`${who}: reading ${round(reading)}; frozen ${round(frozen)}`)
}

const describeOnLinux = describe.runIf(process.platform === 'linux')

// SIGSTOP and /proc.
describeOnLinux.each(['never', 'half'] as const)('a reading client: %s (needs Linux)', (manner) => {
  it('a frozen edge: round trips of another edge stay short and memory stays bounded', async () => {
    const [cloud, other] = [await connect('cloud'), await connect('edge-2')]
    const frozen = await subscribe('edge-1', topics(1).confirmacoes)
    await cloud.subscribeAsync(everyEdge.candidatos, { qos: 1 })
    await other.subscribeAsync(topics(2).confirmacoes, { qos: 1 })
    cloud.on('message', () => cloud.publish(topics(2).confirmacoes, 'stored', { qos: 1 }))
    const payload = Buffer.alloc(MIB)
    const flood = () => void cloud.publish(topics(1).confirmacoes, payload, { qos: 0 })
    const roundTrip = () =>
      new Promise((resolve) => {
        other.once('message', resolve)
        other.publish(topics(2).candidatos, Buffer.alloc(1024), { qos: 1 })
      })

    const whileReading = await measure(roundTrip, flood)
    frozen.freeze(manner)
    const whileFrozen = await measure(roundTrip, flood)
    report(`edge, ${manner}`, whileReading, whileFrozen)
    expect(whileFrozen.ms).toBeLessThan(Math.max(RATIO * whileReading.ms, FLOOR_MS))
    // At most 8 MiB wait for it, plus the message that has just arrived.
    expect(whileFrozen.peak - whileReading.peak).toBeLessThan(100)
    if (manner === 'never')
      await until('the drop', () => broker.output.out.includes('client does not read fast enough'))
    expect([cloud.connected, other.connected]).toEqual([true, true])
  })

  it('a frozen cloud: the broker answers the edges with bounded memory, and the cloud stays connected', async () => {
    const flooding = await Promise.all(FLOODING.map(async (id) => ({ id, client: await connect(`edge-${id}`) })))
    const other = await connect('edge-2')
    const cloud = await subscribe('cloud', everyEdge.candidatos)
    const payload = Buffer.alloc(3 * MIB)
    let turn = 0
    const flood = () => {
      turn += 1
      const next = flooding[turn % flooding.length]
      next?.client.publish(topics(next.id).candidatos, payload, { qos: 1 })
    }
    // Only the broker's PUBACK can reach an edge at this point.
    const acknowledged = () => other.publishAsync(topics(2).candidatos, Buffer.alloc(1024), { qos: 1 })

    const whileReading = await measure(acknowledged, flood)
    await until('all of it at the cloud', () => cloud.messages.length === 2 * ROUNDS)
    cloud.freeze(manner)
    const whileFrozen = await measure(acknowledged, flood)
    await Promise.all(
      flooding.map(({ id, client }) => client.publishAsync(topics(id).candidatos, 'end of the flood', { qos: 1 })),
    )
    const peak = Math.max(whileFrozen.peak, memory())
    report(`cloud, ${manner}`, whileReading, { ...whileFrozen, peak })
    expect(whileFrozen.ms).toBeLessThan(Math.max(RATIO * whileReading.ms, FLOOR_MS))
    // 120 MiB were sent; at most 64 MiB and one message wait for it.
    expect(peak - whileReading.peak).toBeLessThan(64 + 60)
    if (manner === 'never') await until('a line', () => broker.output.out.includes('message not passed on'))

    // After SIGCONT the session still exists, and new messages of the edges arrive.
    cloud.wake()
    await until('a message of after', async () => {
      await other.publishAsync(topics(2).candidatos, 'awake', { qos: 1 })
      return cloud.messages.includes('awake')
    })
    expect(broker.output.out).not.toContain('"motivo":"client does not read fast enough"')
    expect([...flooding.map(({ client }) => client), other].every(({ connected }) => connected)).toBe(true)
  })
})
