import { readFileSync } from 'node:fs'
import { createTestInstallation, type TestInstallation, until } from '@vigia/link/testing/installation'
import { CERTIFICATES_TOPIC, everyEdge, topics } from '@vigia/link/topics'
import { below, type Check, holds, resultOf } from '@vigia/testing/checks'
import { median } from '@vigia/testing/stats'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { MqttClient } from 'mqtt'
import { connectClient } from '../../src/testing/broker-client.ts'
import { type BrokerProcess, startBrokerProcess } from '../../src/testing/broker-process.ts'
import { type SubscriberProcess, startSubscriber } from '../../src/testing/subscriber-process.ts'

const MIB = 1024 * 1024
const ROUNDS = 40
/** Number of edges that flood together; the broker reads each at 4 MiB a second. */
const FLOODING = [3, 4, 5, 6, 7, 8, 9, 10]
/** Largest ratio of median round trips in one run: flooded client frozen against flooded client reading. */
const RATIO = 3
/** Shortest round trip, in ms, whose ratio is above the noise of shared processors. */
const FLOOR_MS = 25
/** Behaviour of a frozen client: it reads nothing, or every second moment. */
const MANNERS = ['never', 'half'] as const
type Manner = (typeof MANNERS)[number]

const options = { keepalive: 60 }

interface Stage {
  readonly broker: BrokerProcess
  connect(name: string): Promise<MqttClient>
  subscribe(name: string, filter: string): Promise<SubscriberProcess>
  end(): Promise<void>
}

/** Freezes an edge and the cloud, each in both manners, at a broker of its own. Needs Linux: SIGSTOP and /proc. */
export async function carryOut({ progress }: TrialOutput): Promise<Result> {
  const rows: Check[] = []
  const cases = MANNERS.flatMap((manner) => [freezeEdge, freezeCloud].map((freeze) => ({ manner, freeze })))
  for (const [index, { manner, freeze }] of cases.entries()) {
    progress(index / cases.length, `${freeze.name}, ${manner}`)
    const installation = await createTestInstallation()
    const stage = await startStage(installation)
    try {
      rows.push(...(await freeze(stage, manner)))
    } finally {
      await stage.end()
      await installation.remove()
    }
  }
  return resultOf(rows)
}

async function startStage(installation: TestInstallation): Promise<Stage> {
  const clients: MqttClient[] = []
  const subscribers: SubscriberProcess[] = []
  const broker = startBrokerProcess(installation.dir)
  const port = await broker.ready()
  const connect = async (name: string) => {
    const client = await connectClient({ installation, port, name, options })
    clients.push(client)
    return client
  }
  const cloud = await connect('cloud')
  const list = JSON.stringify(await installation.allowed([1, 2, ...FLOODING]))
  await cloud.publishAsync(CERTIFICATES_TOPIC, list, { qos: 1 })
  await cloud.endAsync()
  return {
    broker,
    connect,
    async subscribe(name, filter) {
      const subscriber = await startSubscriber({ installation, port, name, options }, filter)
      subscribers.push(subscriber)
      return subscriber
    },
    async end() {
      for (const subscriber of subscribers) await subscriber.end()
      for (const client of clients) client.end(true)
      broker.child.kill('SIGKILL')
      await broker.exit
    },
  }
}

/** Resident memory of the broker, in MiB. */
const memory = ({ child }: BrokerProcess) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024

/** Median round trip in ms, and the largest memory. Each round sends `flood` before its measurement. */
async function measure(broker: BrokerProcess, round: () => Promise<unknown>, flood: () => void) {
  const times: number[] = []
  let peak = 0
  for (let count = 0; count < ROUNDS; count += 1) {
    flood()
    const started = performance.now()
    await round()
    times.push(performance.now() - started)
    peak = Math.max(peak, memory(broker))
  }
  return { ms: median(times), peak }
}

const isShort = (what: string, frozenMs: number, readingMs: number): Check =>
  below(`${what}: round trip of others`, frozenMs, Math.max(RATIO * readingMs, FLOOR_MS), 'ms')

/** Round trips of another edge stay short and memory stays bounded. */
async function freezeEdge({ broker, connect, subscribe }: Stage, manner: Manner): Promise<Check[]> {
  const what = `frozen edge, reads: ${manner}`
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

  const whileReading = await measure(broker, roundTrip, flood)
  frozen.freeze(manner)
  const whileFrozen = await measure(broker, roundTrip, flood)
  if (manner === 'never') await until('the drop', () => broker.output.out.includes('client does not read fast enough'))
  return [
    isShort(what, whileFrozen.ms, whileReading.ms),
    // At most 8 MiB wait for it, plus the message that has just arrived.
    below(`${what}: more memory`, whileFrozen.peak - whileReading.peak, 100, 'MiB'),
    holds(`${what}: the others stay connected`, cloud.connected && other.connected),
  ]
}

/** The broker answers the edges with bounded memory, and the cloud stays connected. */
async function freezeCloud({ broker, connect, subscribe }: Stage, manner: Manner): Promise<Check[]> {
  const what = `frozen cloud, reads: ${manner}`
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

  const whileReading = await measure(broker, acknowledged, flood)
  await until('all of it at the cloud', () => cloud.messages.length === 2 * ROUNDS)
  cloud.freeze(manner)
  const whileFrozen = await measure(broker, acknowledged, flood)
  await Promise.all(
    flooding.map(({ id, client }) => client.publishAsync(topics(id).candidatos, 'end of the flood', { qos: 1 })),
  )
  const peak = Math.max(whileFrozen.peak, memory(broker))
  if (manner === 'never') await until('a line', () => broker.output.out.includes('message not passed on'))

  // After SIGCONT the session still exists, and new messages of the edges arrive.
  cloud.wake()
  await until('a message of after', async () => {
    await other.publishAsync(topics(2).candidatos, 'awake', { qos: 1 })
    return cloud.messages.includes('awake')
  })
  const isConnected =
    !broker.output.out.includes('"motivo":"client does not read fast enough"') &&
    [...flooding.map(({ client }) => client), other].every(({ connected }) => connected)
  return [
    isShort(what, whileFrozen.ms, whileReading.ms),
    // 120 MiB were sent; at most 64 MiB and one message wait for it.
    below(`${what}: more memory`, peak - whileReading.peak, 64 + 60, 'MiB'),
    holds(`${what}: everybody stays connected`, isConnected),
  ]
}
