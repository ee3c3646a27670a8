import mqtt from 'mqtt'

interface ReceivedMessage {
  readonly topic: string
  readonly payload: Buffer
  readonly retain: boolean
  readonly qos: number
}

/** A client that receives every message of a broker on this machine. */
export interface MqttSubscriber {
  readonly received: readonly ReceivedMessage[]
  /** Resolves when everything that the broker retains has arrived: it precedes the answer to this message. */
  mark(): Promise<void>
  close(): Promise<void>
}

const MARK = 'marca'

export async function subscribeToAll(port: number, login: { usuario: string; senha: string }): Promise<MqttSubscriber> {
  const received: ReceivedMessage[] = []
  const client = await mqtt.connectAsync({
    protocol: 'mqtt',
    host: '127.0.0.1',
    port,
    reconnectPeriod: 0,
    protocolVersion: 4,
    username: login.usuario,
    password: login.senha,
  })
  const marked = Promise.withResolvers<void>()
  client.on('message', (topic, payload, { retain, qos }) => {
    if (topic === MARK) marked.resolve()
    else received.push({ topic, payload, retain, qos })
  })
  await client.subscribeAsync('#', { qos: 1 })
  const mark = async () => {
    await client.publishAsync(MARK, '', { qos: 1 })
    await marked.promise
  }
  return { received, mark, close: () => client.endAsync(true) }
}
