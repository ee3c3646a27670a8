import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import mqtt from 'mqtt'

export interface Publication {
  readonly topic: string
  readonly payload: Buffer
  readonly retain: boolean
}

interface PublishTarget {
  /** Address of the connection. TLS checks the certificate for `host`. */
  readonly address: string
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly login: { readonly usuario: string; readonly senha: string } | null
}

export type Published =
  | { readonly ok: true }
  /** `login`: the broker refused user or password. `recusado`: it refused the session or closed it. */
  | { readonly ok: false; readonly falha: 'login' | 'recusado' }
  /** Code of the failed connection. */
  | { readonly ok: false; readonly falha: 'rede'; readonly code: string }

/** CONNACK return codes of a refused login (MQTT 3.1.1, table 3.1). */
const BAD_LOGIN = new Set([4, 5])

/**
 * Publishes messages with QoS 1 over one connection to a broker that is not part of this installation, and ends it.
 * Resolves when the broker has confirmed all of them. Rejects only when `signal` aborts first.
 */
export async function publishOnce(
  { address, host, port, tls, login }: PublishTarget,
  publications: readonly Publication[],
  signal: AbortSignal,
): Promise<Published> {
  signal.throwIfAborted()
  const client = mqtt.connect({
    protocol: tls ? 'mqtts' : 'mqtt',
    host: address,
    port,
    rejectUnauthorized: true,
    // RFC 6066, section 3: an address is no server name.
    ...(isIP(host) === 0 && { servername: host }),
    ...(login && { username: login.usuario, password: login.senha }),
    clientId: `vigia-${randomUUID()}`,
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
    log: () => {},
  })
  const ended = new Promise<Published>((resolve, reject) => {
    client.on('error', (error) => resolve(failure(error)))
    // The client reports only some errors of its connection, and EHOSTUNREACH is none of them.
    client.stream.on('error', (error) => resolve(failure(error)))
    client.on('close', () => resolve({ ok: false, falha: 'recusado' }))
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    return await Promise.race([publishAll(client, publications), ended])
  } finally {
    client.end(true)
    client.stream.destroy()
  }
}

async function publishAll(client: mqtt.MqttClient, publications: readonly Publication[]): Promise<Published> {
  await new Promise<void>((resolve) => client.once('connect', () => resolve()))
  try {
    await Promise.all(
      publications.map(({ topic, payload, retain }) => client.publishAsync(topic, payload, { qos: 1, retain })),
    )
    return { ok: true }
  } catch (error) {
    return failure(error)
  }
}

function failure(error: unknown): Published {
  const { code } = error as { code?: unknown }
  if (typeof code === 'number') return { ok: false, falha: BAD_LOGIN.has(code) ? 'login' : 'recusado' }
  if (typeof code === 'string') return { ok: false, falha: 'rede', code }
  return { ok: false, falha: 'recusado' }
}
