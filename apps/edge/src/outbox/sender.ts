import type { Confirmacao } from '@vigia/contracts/candidate'
import { backoffMs } from '@vigia/link/backoff'
import { encodeEnvelope } from '@vigia/link/envelope'
import type { Logger } from 'pino'
import type { ClockOffset } from './clock-offset.ts'
import type { Outbox, StoredRecord } from './store.ts'

export interface Sender {
  /** Ids on their way. */
  inFlight(): ReadonlySet<string>
  /** Something was added. */
  wake(): void
  /** The link came up or went down. */
  connection(connected: boolean): void
  /** The cloud's own acknowledgement: the only thing that empties the outbox. */
  acknowledge(confirmation: Confirmacao): void
  stop(): void
}

export interface SenderOptions {
  readonly outbox: Outbox
  /** Resolves at PUBACK, which proves nothing past the broker; rejects when it did not get that far. */
  publish(payload: Buffer): Promise<void>
  readonly clock: ClockOffset
  readonly log: Logger
  /** Edge clock, epoch ms. */
  now(): number
  /** Cameras that send at the same time. */
  readonly maxInFlight?: number
  /** Wait for the cloud's acknowledgement before a record is sent again, ms: doubles up to the limit. */
  readonly ackTimeout?: { readonly minMs: number; readonly maxMs: number }
}

interface Flight {
  readonly id: string
  sentAt: number
  /** Times sent since it was taken up. */
  sends: number
  /** Times sent since the link came up. */
  attempts: number
  timer: NodeJS.Timeout | null
}

/**
 * Empties the outbox: one record of each camera at a time, in the order of its numbers, several cameras side by side. A record
 * is sent until the cloud says that it has it; sending twice is harmless, because its identity is the record's own.
 */
export function createSender(options: SenderOptions): Sender {
  const { outbox, log, clock } = options
  const maxInFlight = options.maxInFlight ?? 8
  const ackTimeout = options.ackTimeout ?? { minMs: 10_000, maxMs: 120_000 }
  const flights = new Map<number, Flight>()
  let connected = false
  let stopped = false
  /** Where the round over the cameras goes on, so that a busy camera does not starve the others. */
  let lastServed = 0

  function send(cameraId: number, record: StoredRecord, flight: Flight) {
    const payload = encode(record)
    if (payload === null) return
    flight.sentAt = options.now()
    flight.sends++
    flight.attempts++
    // The wait begins when the bytes are out: on a narrow uplink a picture may need minutes. It doubles, and its upper half
    // is drawn by chance, or all sites would answer a cloud that comes back in one burst.
    const waitForAnswer = () => {
      if (stopped || flights.get(cameraId) !== flight || flight.timer) return
      const waitMs = backoffMs(flight.attempts - 1, ackTimeout, Math.random)
      flight.timer = setTimeout(() => resend(cameraId, flight), waitMs)
    }
    options.publish(payload).then(waitForAnswer, (error: unknown) => {
      log.debug({ camera: cameraId, id: flight.id, err: error }, 'record not published')
      waitForAnswer()
    })
  }

  function resend(cameraId: number, flight: Flight) {
    if (flight.timer) clearTimeout(flight.timer)
    flight.timer = null
    if (!connected || stopped) return
    const record = outbox.head(cameraId)
    if (record?.registro.id === flight.id) send(cameraId, record, flight)
    else release(cameraId)
  }

  function encode(record: StoredRecord): Buffer | null {
    const { registro } = record
    try {
      return encodeEnvelope({ registro, midias: [...record.midias] })
    } catch (error) {
      // Damaged or oversized pictures must not hold up everything behind them: the event goes out without them.
      log.error({ camera: registro.camera_id, id: registro.id, err: error }, 'a record can not be sent as it is')
      if (registro.tipo === 'lacuna' || registro.midia_descartada) return null
      outbox.stripMedia(registro.id)
      const bare = outbox.head(registro.camera_id)
      return bare?.registro.id === registro.id ? encode(bare) : null
    }
  }

  function release(cameraId: number) {
    const flight = flights.get(cameraId)
    if (flight?.timer) clearTimeout(flight.timer)
    flights.delete(cameraId)
    fill()
  }

  function fill() {
    if (!connected || stopped) return
    const cameras = outbox.cameras()
    const round = [...cameras.filter((id) => id > lastServed), ...cameras.filter((id) => id <= lastServed)]
    for (const cameraId of round) {
      if (flights.size >= maxInFlight) return
      if (flights.has(cameraId)) continue
      const record = outbox.head(cameraId)
      if (!record) continue
      lastServed = cameraId
      const flight: Flight = { id: record.registro.id, sentAt: 0, sends: 0, attempts: 0, timer: null }
      flights.set(cameraId, flight)
      send(cameraId, record, flight)
    }
  }

  return {
    inFlight: () => new Set([...flights.values()].map(({ id }) => id)),
    wake: fill,
    connection(up) {
      connected = up
      for (const [cameraId, flight] of flights) {
        if (flight.timer) clearTimeout(flight.timer)
        flight.timer = null
        flight.attempts = 0
        if (up) resend(cameraId, flight)
      }
      fill()
    },
    acknowledge({ id, resultado, motivo, enviado_em }) {
      const entry = [...flights].find(([, flight]) => flight.id === id)
      // A record that was sent more than once says nothing about the round trip (Karn's rule).
      if (entry?.[1].sends === 1) clock.sample(entry[1].sentAt, options.now(), enviado_em)
      const removed = outbox.remove(id)
      if (resultado === 'recusado') log.error({ id, motivo, removed }, 'the cloud refused a record')
      else log.debug({ id, resultado, removed }, 'record acknowledged')
      if (entry) release(entry[0])
    },
    stop() {
      stopped = true
      for (const { timer } of flights.values()) if (timer) clearTimeout(timer)
      flights.clear()
    },
  }
}
