import { createMemoryLog, createTestInstallation, type TestInstallation } from '@vigia/link/testing/installation'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { type Broker, type BrokerLimits, createBroker } from '../app.ts'

/** For tests: a broker on a free port to which the cloud has named the edges 1 to 9, and plain MQTT clients that try things the link never would. */
export interface BrokerBench {
  readonly installation: TestInstallation
  readonly port: number
  readonly lines: readonly string[]
  /** Resolves when the broker has taken the connection; rejects when it refused. */
  connect(name: string, options?: IClientOptions): Promise<MqttClient>
  close(): Promise<void>
}

export async function createBrokerBench(limits?: Partial<BrokerLimits>): Promise<BrokerBench> {
  const installation = await createTestInstallation()
  const log = createMemoryLog()
  const settings = { host: '127.0.0.1', port: 0, tls: installation.broker, log }
  const broker: Broker = createBroker(limits === undefined ? settings : { ...settings, limits })
  const { porta: port } = await broker.start()
  await installation.admit(`mqtts://127.0.0.1:${port}`, [1, 2, 3, 4, 5, 6, 7, 8, 9])
  const clients: MqttClient[] = []
  return {
    installation,
    port,
    lines: log.lines,
    connect: async (name, options) => {
      const edgeId = Number(/^edge-(\d+)$/.exec(name)?.[1])
      const tls = name === 'cloud' ? installation.cloud : await installation.edge(edgeId)
      const client = mqtt.connect({
        ...{ protocol: 'mqtts', host: '127.0.0.1', port, ...tls, clientId: name },
        ...{ protocolVersion: 4, clean: true, keepalive: 30, reconnectPeriod: 0, resubscribe: false },
        ...options,
      })
      clients.push(client)
      return taken(client)
    },
    close: async () => {
      for (const client of clients) client.end(true)
      await broker.stop()
      await installation.remove()
    },
  }
}

function taken(client: MqttClient): Promise<MqttClient> {
  return new Promise((resolve, reject) => {
    client.once('connect', () => resolve(client))
    // Kept, so that a later error of the connection does not end the test process.
    client.on('error', reject)
    client.once('close', () => reject(new Error('closed')))
  })
}

/** Resolves when the connection of `client` has ended. */
export const ended = (client: MqttClient): Promise<void> =>
  new Promise((resolve) => {
    if (client.connected) client.once('close', () => resolve())
    else resolve()
  })

/** What `client` receives from now on, as `topic=text`. */
export function heard(client: MqttClient): string[] {
  const messages: string[] = []
  client.on('message', (topic, payload) => messages.push(`${topic}=${payload}`))
  return messages
}

/** The QoS that the broker grants for a filter; 128 is a refusal. */
export const granted = async (client: MqttClient, filter: string): Promise<number> =>
  client.subscribeAsync(filter, { qos: 1 }).then(
    (answers) => answers[0]?.qos ?? 128,
    () => 128,
  )
