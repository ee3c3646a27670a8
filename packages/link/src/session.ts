import { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import mqtt from 'mqtt'
import { certificateFault } from './early-certificate.ts'
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
  /** Time limit for the broker's answer, in addition to the upload time at SLOWEST_BYTES_PER_MS. */
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
  /**
   * Right time in epoch ms, for a certificate that is not valid yet by a wall clock that is behind; null: not known.
   * Absent: the wall clock is right.
   */
  now?(): number | null
  readonly subscriptions: readonly string[]
  /** The broker publishes it, retained, when this end disappears without DISCONNECT. */
  readonly will: Message | undefined
  /** Published, retained, after the subscriptions succeed. */
  readonly birth: Message | undefined
  readonly keepaliveS: number
  onMessage(topic: string, payload: Buffer): void
  /** Ends the session with DISCONNECT. */
  readonly signal: AbortSignal
}

export type Readiness = { readonly ok: true } | { readonly ok: false; readonly reason: string }

export interface Ending {
  readonly reason: string
  /** The broker accepted the connection (CONNACK). */
  readonly wasTaken: boolean
  /** The broker closed the connection without an error on this end. */
  readonly byBroker: boolean
}

/** One MQTT 3.1.1 connection, from the TCP handshake to its end; never reconnected. */
export interface Session {
  /** Settles when the broker accepted the connection, all subscriptions and the birth message, or on failure. */
  readonly ready: Promise<Readiness>
  /** Resolves with the reason when the connection has ended. */
  readonly closed: Promise<Ending>
  /**
   * Resolves at PUBACK (QoS 1) or after the write (QoS 0). Rejects on close and on timeout; a timeout ends the session.
   * Rejects with a MessageTooLargeError before sending anything when the packet exceeds MAX_PACKET_BYTES.
   */
  publish(topic: string, payload: Buffer, options: PublishOptions): Promise<void>
  /** Rejects like `publish`, and if the broker refuses a topic; the session then ends. */
  subscribe(topics: readonly string[]): Promise<void>
  unsubscribe(topics: readonly string[]): Promise<void>
  /** Sends at QoS 0. Drops the message and returns false when earlier bytes are still unsent or it is too large. */
  offer(topic: string, payload: Buffer): boolean
}

const CONNECT_TIMEOUT_MS = 10_000
const GOODBYE_TIMEOUT_MS = 1_500
const ANSWER_TIMEOUT_MS = 20_000
const TOPICS_AT_ONCE = 200
/** Slowest supported uplink: 64 kbit/s. */
const SLOWEST_BYTES_PER_MS = 8
/** Up to this size unsent bytes can be acknowledgements and pings; any picture is larger. */
const SMALL_BYTES = 1024

export function openSession(options: SessionOptions): Session {
  const { now } = options
  const client = mqtt.connect({
    protocol: 'mqtts',
    host: options.host,
    port: options.port,
    ca: options.tls.ca,
    cert: options.tls.cert,
    key: options.tls.key,
    // Checked below: Node takes a clock that is behind for a wrong certificate.
    rejectUnauthorized: now === undefined,
    clientId: options.clientId,
    protocolVersion: 4,
    clean: true,
    keepalive: options.keepaliveS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // The library must not reconnect: createConnection opens a new session instead.
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    timerVariant: 'native',
    // The library would otherwise format every payload for its debug log.
    log: () => {},
    ...(options.will === undefined ? {} : { will: { ...options.will, qos: 1, retain: true } }),
  })

  const { stream } = client
  if (now && stream instanceof TLSSocket)
    stream.once('secureConnect', () => {
      const fault = certificateFault(stream, options.host, options.tls.ca, now())
      // Nothing is sent before this event.
      if (fault) fail(fault.message)
    })

  // With Nagle's algorithm an answer would wait up to 40 ms for the delayed ACK of the previous packet.
  if (client.stream instanceof Socket) client.stream.setNoDelay(true)

  const closed = Promise.withResolvers<Ending>()
  /** Rejects the pending operations when the session closes. */
  const waiting = new Set<(error: Error) => void>()
  const uploads = keepaliveDuringUploads(client, options.keepaliveS)
  let reason: string | null = null
  let isTaken = false
  let isClosed = false
  /** The broker has not yet received an offered message. */
  let isOffering = false
  const why = () => reason ?? 'o broker fechou a conexão'

  function close() {
    if (isClosed) return
    isClosed = true
    uploads.stop()
    options.signal.removeEventListener('abort', leave)
    for (const reject of waiting) reject(new Error(`link closed: ${why()}`))
    client.end(true)
    // `end` has no effect while an earlier, graceful `end` is stuck.
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
    // Without a connection no DISCONNECT can be sent, so the end is forced.
    client.end(!client.connected, {}, () => {
      clearTimeout(timer)
      close()
    })
  }

  /** Resolves with `answer`. Rejects when the session ends first; the session ends after `limitMs`. */
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
    // mqtt.js would queue the message for a reconnection that never happens.
    if (isClosed || !client.connected) throw new Error('link not connected')
    const size = packetBytes(topic, payload)
    if (size > MAX_PACKET_BYTES) throw new MessageTooLargeError(topic, size)
    const done = uploads.begin(payload.length)
    // Unacknowledged bytes are ahead of this message in the same queue.
    const limitMs = (timeoutMs ?? ANSWER_TIMEOUT_MS) + uploads.bytes / SLOWEST_BYTES_PER_MS
    try {
      await orEnd(client.publishAsync(topic, payload, { qos, retain }), limitMs)
    } finally {
      done()
    }
  }

  /** Resolves when the broker answers a ping, which proves that it received the `bytes` sent before. */
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
   * QoS 0 has no acknowledgement, and on a narrow uplink the system's socket buffers hold the data of several seconds.
   * Therefore the next message is accepted only after the broker has answered a ping sent behind this one. At most one
   * live picture delays an event.
   */
  function offer(topic: string, payload: Buffer): boolean {
    if (isClosed || !client.connected || isOffering || client.stream.writableLength > SMALL_BYTES) return false
    if (packetBytes(topic, payload) > MAX_PACKET_BYTES) return false
    isOffering = true
    publish(topic, payload, { qos: 0 })
      .then(() => pingAnswered(payload.length))
      .catch(() => {
        // The session ended; `closed` has the reason.
      })
      .finally(() => {
        isOffering = false
      })
    return true
  }

  /** Several messages, because a broker limits the size of one. */
  const inParts = async (topics: readonly string[], send: (part: string[]) => Promise<unknown>) => {
    for (let at = 0; at < topics.length; at += TOPICS_AT_ONCE)
      await orEnd(send(topics.slice(at, at + TOPICS_AT_ONCE)), ANSWER_TIMEOUT_MS)
  }

  async function subscribe(topics: readonly string[]): Promise<void> {
    await inParts(topics, async (part) => {
      const granted = await client.subscribeAsync(part, { qos: 1 })
      if (!granted.some(({ qos }) => qos === 128)) return
      fail('o broker recusou uma assinatura')
      throw new Error('subscription refused')
    })
  }

  async function becomeReady(): Promise<Readiness> {
    const connected = Promise.withResolvers<void>()
    client.once('connect', () => {
      isTaken = true
      connected.resolve()
    })
    try {
      await orEnd(connected.promise, CONNECT_TIMEOUT_MS)
      await subscribe(options.subscriptions)
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

  const unsubscribe = (topics: readonly string[]) => inParts(topics, (part) => client.unsubscribeAsync(part))
  return { ready: becomeReady(), closed: closed.promise, publish, offer, subscribe, unsubscribe }
}

/** Text of an error. An AggregateError (a name with two addresses, both refused) has no message. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  return 'code' in error ? String(error.code) : error.name
}

/**
 * Postpones the keep-alive ping during uploads. On a narrow uplink the ping waits behind a picture, and the library
 * would treat the late answer as a dead connection. The time limit of the upload detects a dead connection instead.
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
    /** Returns a function to call on acknowledgement. */
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
