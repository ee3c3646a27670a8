import { createMemoryLog, createTestInstallation, type TestInstallation } from '@vigia/link/testing/installation'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { type Broker, createBroker } from '../app.ts'
import type { BrokerLimits } from '../limits.ts'

/**
 * Test fixture: a broker on a free port with edges 1 to 9 on its list. Its plain MQTT clients break the rules of the
 * link.
 */
export interface BrokerBench {
  readonly installation: TestInstallation
  readonly port: number
  readonly lines: readonly string[]
  /** Resolves when the broker accepts the connection; rejects when it refuses. */
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
    connect: (name, options) =>
      connectClient({ installation, port, name, options, onOpen: (client) => clients.push(client) }),
    close: async () => {
      for (const client of clients) client.end(true)
      await broker.stop()
      await installation.remove()
    },
  }
}

export interface ClientOptions {
  readonly installation: TestInstallation
  readonly port: number
  /** `cloud`, `edge-7`, … */
  readonly name: string
  readonly options?: IClientOptions | undefined
  /** Called with the client before its admission is known. */
  onOpen?(client: MqttClient): void
}

/**
 * Option of the socket, which the types of mqtt lack. With Nagle's algorithm a small message would wait 40 ms for the
 * delayed ACK of the previous one.
 */
const SOCKET = { noDelay: true }

/** Connection options of a client with the certificate of that name. */
export async function clientOptions({ installation, port, name, options }: ClientOptions): Promise<IClientOptions> {
  const edgeId = Number(/^edge-(\d+)$/.exec(name)?.[1])
  const { ca, cert, key } = name === 'cloud' ? installation.cloud : await installation.edge(edgeId)
  return {
    protocol: 'mqtts',
    host: '127.0.0.1',
    port,
    ca,
    cert,
    key,
    clientId: name,
    protocolVersion: 4,
    clean: true,
    keepalive: 30,
    reconnectPeriod: 0,
    resubscribe: false,
    ...SOCKET,
    ...options,
  }
}

/** A plain MQTT client with the certificate of that name. Rejects when the broker refuses it. */
export async function connectClient(how: ClientOptions): Promise<MqttClient> {
  const client = mqtt.connect(await clientOptions(how))
  how.onOpen?.(client)
  return taken(client)
}

function taken(client: MqttClient): Promise<MqttClient> {
  return new Promise((resolve, reject) => {
    client.once('connect', () => resolve(client))
    // The listener stays, so that a later connection error does not end the test process.
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

/** Messages that `client` receives from now on, as `topic=text`. */
export function heard(client: MqttClient): string[] {
  const messages: string[] = []
  client.on('message', (topic, payload) => messages.push(`${topic}=${payload}`))
  return messages
}

/** The QoS that the broker grants for a filter; 128: refused, or the connection ended. */
export async function granted(client: MqttClient, filter: string): Promise<number> {
  const over = Promise.withResolvers<void>()
  // mqtt.js does not reject pending subscriptions when the connection ends.
  client.once('close', over.resolve)
  const answer = client.subscribeAsync(filter, { qos: 1 }).then(
    (answers) => answers[0]?.qos ?? 128,
    () => 128,
  )
  const qos = await Promise.race([answer, over.promise])
  client.off('close', over.resolve)
  return qos ?? 128
}
