import { Socket } from 'node:net'
import mqtt from 'mqtt'
import { MAX_PACKET_BYTES, MessageTooLargeError, packetBytes } from './limits.ts'

export interface TlsIdentity {
  /** PEM texts: the installation's CA, this end's certificate, its private key. */
  readonly ca: string
  readonly cert: string
  readonly key: string
}

export interface PublishOptions {
  readonly qos: 0 | 1
  readonly retain?: boolean
  /** How long the broker may take to answer, ms, on top of what the bytes need on a narrow uplink. */
  readonly timeoutMs?: number
}

interface Message {
  readonly topic: string
  readonly payload: Buffer
}

export interface SessionOptions {
  readonly host: string
  readonly port: number
  readonly clientId: string
  readonly tls: TlsIdentity
  readonly subscriptions: readonly string[]
  /** Published retained by the broker when this end vanishes. */
  readonly will: Message | undefined
  /** Published retained once the subscriptions stand. */
  readonly birth: Message | undefined
  readonly keepaliveS: number
  onMessage(topic: string, payload: Buffer): void
  /** Ends the session politely. */
  readonly signal: AbortSignal
}

export type Readiness = { readonly ok: true } | { readonly ok: false; readonly reason: string }

export interface Ending {
  readonly reason: string
  /** The broker had taken this end in (CONNACK). */
  readonly wasTaken: boolean
  /** The other side closed the connection, and no fault was seen. */
  readonly byBroker: boolean
}

/** One MQTT 3.1.1 connection, from the TCP handshake to its end; never made again. */
export interface Session {
  /** Settles when the broker has taken the connection, every subscription and the birth message, or when that failed. */
  readonly ready: Promise<Readiness>
  /** Resolves when the connection is over. */
  readonly closed: Promise<Ending>
  /**
   * Resolves at PUBACK (QoS 1) or when written (QoS 0); rejects on timeout, which also ends the session, and on close. Rejects with a
   * MessageTooLargeError, without sending anything, when the packet is larger than MAX_PACKET_BYTES.
   */
  publish(topic: string, payload: Buffer, options: PublishOptions): Promise<void>
  /**
   * Sends at QoS 0. false, and it is dropped, when it would have to wait because what was sent before is still on its way out, or
   * when it is too large.
   */
  offer(topic: string, payload: Buffer): boolean
}

const CONNECT_TIMEOUT_MS = 10_000
const GOODBYE_TIMEOUT_MS = 1_500
const ANSWER_TIMEOUT_MS = 20_000
/** The slowest uplink we wait for, bytes per ms: 64 kbit/s. */
const SLOWEST_BYTES_PER_MS = 8
/** Room for acknowledgements and pings; any picture is larger. */
const SMALL_BYTES = 1024

export function openSession(options: SessionOptions): Session {
  const client = mqtt.connect({
    protocol: 'mqtts',
    host: options.host,
    port: options.port,
    ca: options.tls.ca,
    cert: options.tls.cert,
    key: options.tls.key,
    rejectUnauthorized: true,
    clientId: options.clientId,
    protocolVersion: 4,
    clean: true,
    keepalive: options.keepaliveS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // This connection is not made again by the library, so it has nothing to queue and nothing to subscribe again.
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    timerVariant: 'native',
    // The library would otherwise format every payload for its debug log.
    log: () => {},
    ...(options.will === undefined ? {} : { will: { ...options.will, qos: 1, retain: true } }),
  })

  // Small packets go at once: an answer of the cloud would otherwise wait for the delayed ACK of the one before, 40 ms.
  if (client.stream instanceof Socket) client.stream.setNoDelay(true)

  const closed = Promise.withResolvers<Ending>()
  /** Those who wait for an answer of the broker, to be told that none will come. */
  const waiting = new Set<(error: Error) => void>()
  const uploads = keepaliveDuringUploads(client, options.keepaliveS)
  let reason: string | null = null
  let isTaken = false
  let isClosed = false
  /** An offered message has not reached the broker yet. */
  let isOffering = false
  const why = () => reason ?? 'o broker fechou a conexão'

  function close() {
    if (isClosed) return
    isClosed = true
    uploads.stop()
    options.signal.removeEventListener('abort', leave)
    for (const reject of waiting) reject(new Error(`link closed: ${why()}`))
    client.end(true)
    // `end` does nothing more when a polite end is under way and stuck.
    client.stream.destroy()
    closed.resolve({ reason: why(), wasTaken: isTaken, byBroker: reason === null })
  }
  function fail(cause: string) {
    if (!isClosed) reason ??= cause
    close()
  }
  function leave() {
    reason = 'encerrado'
    const timer = setTimeout(close, GOODBYE_TIMEOUT_MS)
    // A connection that is not up has nobody to say goodbye to.
    client.end(!client.connected, {}, () => {
      clearTimeout(timer)
      close()
    })
  }

  /** `answer`, or a rejection when the session ends first or `limitMs` pass (which ends the session). */
  async function orEnd<Value>(answer: Promise<Value>, limitMs: number): Promise<Value> {
    const ended = Promise.withResolvers<never>()
    const timer = setTimeout(() => fail('o broker não respondeu a tempo'), limitMs)
    waiting.add(ended.reject)
    if (isClosed) ended.reject(new Error(`link closed: ${why()}`))
    try {
      return await Promise.race([answer, ended.promise])
    } finally {
      clearTimeout(timer)
      waiting.delete(ended.reject)
    }
  }

  async function publish(topic: string, payload: Buffer, { qos, retain = false, timeoutMs }: PublishOptions) {
    // Checked here because mqtt.js would take the message and keep it for a connection that never comes.
    if (isClosed || !client.connected) throw new Error('link not connected')
    const size = packetBytes(topic, payload)
    if (size > MAX_PACKET_BYTES) throw new MessageTooLargeError(topic, size)
    const done = uploads.begin(payload.length)
    // What is still under way stands before it in the same queue.
    const limitMs = (timeoutMs ?? ANSWER_TIMEOUT_MS) + uploads.bytes / SLOWEST_BYTES_PER_MS
    try {
      await orEnd(client.publishAsync(topic, payload, { qos, retain }), limitMs)
    } finally {
      done()
    }
  }

  /** Resolves when the broker answers a ping, and so has the `bytes` that were sent before it. */
  async function pingAnswered(bytes: number): Promise<void> {
    const answered = Promise.withResolvers<void>()
    const hear = ({ cmd }: { cmd?: string }) => {
      if (cmd === 'pingresp') answered.resolve()
    }
    const done = uploads.begin(bytes)
    client.on('packetreceive', hear)
    try {
      client.sendPing()
      await orEnd(answered.promise, ANSWER_TIMEOUT_MS + uploads.bytes / SLOWEST_BYTES_PER_MS)
    } finally {
      client.removeListener('packetreceive', hear)
      done()
    }
  }

  /**
   * Nothing acknowledges QoS 0, and the system's own buffers hold seconds of a narrow uplink: the next one waits until a ping
   * that follows this one is answered. So live pictures never stand in the way of an event by more than one of them.
   */
  function offer(topic: string, payload: Buffer): boolean {
    if (isClosed || !client.connected || isOffering || client.stream.writableLength > SMALL_BYTES) return false
    if (packetBytes(topic, payload) > MAX_PACKET_BYTES) return false
    isOffering = true
    publish(topic, payload, { qos: 0 })
      .then(() => pingAnswered(payload.length))
      .catch(() => {
        // The session ended; whoever waits for its end is told why.
      })
      .finally(() => {
        isOffering = false
      })
    return true
  }

  async function becomeReady(): Promise<Readiness> {
    const connected = Promise.withResolvers<void>()
    client.once('connect', () => {
      isTaken = true
      connected.resolve()
    })
    try {
      await orEnd(connected.promise, CONNECT_TIMEOUT_MS)
      const granted = await orEnd(client.subscribeAsync([...options.subscriptions], { qos: 1 }), ANSWER_TIMEOUT_MS)
      if (granted.some(({ qos }) => qos === 128)) throw new Error('o broker recusou uma assinatura')
      if (options.birth !== undefined) {
        await publish(options.birth.topic, options.birth.payload, { qos: 1, retain: true })
      }
      return { ok: true }
    } catch (error) {
      fail(describe(error))
      return { ok: false, reason: why() }
    }
  }

  client.on('error', (error) => fail(describe(error)))
  client.on('close', close)
  client.on('message', (topic, payload) => options.onMessage(topic, payload))
  if (options.signal.aborted) leave()
  else options.signal.addEventListener('abort', leave)

  return { ready: becomeReady(), closed: closed.promise, publish, offer }
}

/** An AggregateError (a name with two addresses, both refused) has no message of its own. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  return 'code' in error ? String(error.code) : error.name
}

/**
 * A ping queues behind the bytes of a picture that is still going up a narrow uplink, and the library would take its late
 * answer for a dead connection. While something is being sent, its own time limit watches the connection instead.
 */
function keepaliveDuringUploads(client: mqtt.MqttClient, keepaliveS: number) {
  let active = 0
  let bytes = 0
  const timer = setInterval(
    () => {
      if (active > 0) client.reschedulePing(true)
    },
    (keepaliveS * 1000) / 4,
  )
  timer.unref()
  return {
    /** Bytes that the broker has not acknowledged yet. */
    get bytes() {
      return bytes
    },
    /** Returns what to call when it is acknowledged. */
    begin: (size: number) => {
      active += 1
      bytes += size
      return () => {
        active -= 1
        bytes -= size
      }
    },
    stop: () => clearInterval(timer),
  }
}
