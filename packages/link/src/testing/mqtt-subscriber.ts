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
  close(): Promise<void>
}

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
  client.on('message', (topic, payload, { retain, qos }) => received.push({ topic, payload, retain, qos }))
  await client.subscribeAsync('#', { qos: 1 })
  return { received, close: () => client.endAsync(true) }
}
