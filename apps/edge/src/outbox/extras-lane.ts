import type { ConfirmacoesExtras } from '@vigia/contracts/extras'
import { type ExtraItem, encodeExtras, MAX_EXTRAS } from '@vigia/link/extras-batch'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import type { Logger } from 'pino'
import type { ExtraReader } from './extra-store.ts'
import type { UploadRate } from './upload-rate.ts'

export interface ExtrasLane {
  /**
   * Sends the next message of extras; returns whether there was one. The caller calls it while no event waits for the
   * line, or when the lane is due (lane-turns.ts).
   */
  fill(): boolean
  /** Whether a message of extras is on the line. */
  readonly sending: boolean
  confirm(confirmacoes: ConfirmacoesExtras): void
  /** Called when the link goes up or down: unanswered extras are sent again. */
  reset(): void
  stop(): void
}

export interface ExtrasLaneOptions {
  readonly extras: Pick<ExtraReader, 'next'> & { remove(ids: readonly string[]): void }
  readonly publish: (payload: Buffer) => Promise<void>
  readonly log: Logger
  /** Rate and size of the backlog, which also apply to extras. */
  readonly rate: UploadRate
  /** Kinds of extras that the cloud stores. */
  kinds(): readonly string[]
  monotonic(): number
  readonly confirmTimeout: BackoffLimits
  /** Calls `fill` of the sender after this time. */
  plan(inMs: number): void
  /** Called after an answer: the sender decides which lane is next. */
  onSettled(): void
}

/** A live event waits for at most one message of extras on the line. */
const MOST_BYTES = 128 * 1024

/**
 * The lowest lane of the outbox: one message in flight, newest extras first, each with its own confirmation. Unanswered
 * extras are sent again with a growing pause, first together and then one by one.
 */
export function createExtrasLane(options: ExtrasLaneOptions): ExtrasLane {
  const { extras, log, rate, monotonic, confirmTimeout } = options
  /** Camera of each id in flight; null: none. One map per message, so that late promises have no effect. */
  let flight: Map<string, number> | null = null
  const waits = createCameraWaits(options)
  let timer: NodeJS.Timeout | null = null
  let sending = false
  let silences = 0
  let pausedUntil = 0

  function reset() {
    flight = null
    sending = false
    if (timer) clearTimeout(timer)
    timer = null
  }

  function send(itens: readonly ExtraItem[], payload: Buffer) {
    const ids = new Map(itens.map(({ extra }) => [extra.id, extra.camera_id]))
    flight = ids
    sending = true
    const sentAt = monotonic()
    rate.sent(payload.length)
    const out = (error: unknown) => {
      if (flight !== ids) return
      sending = false
      if (error !== null) log.debug({ err: error, bytes: payload.length }, 'extras not published')
      rate.took(error === null ? monotonic() - sentAt : null, payload.length)
      timer = setTimeout(() => unanswered(ids), backoffMs(silences, confirmTimeout))
    }
    options.publish(payload).then(
      () => out(null),
      (error: unknown) => out(error ?? new Error('not published')),
    )
  }

  function unanswered(ids: ReadonlyMap<string, number>) {
    if (flight !== ids) return
    silences++
    log.debug({ extras: ids.size }, 'no answer to extras: repeating them')
    reset()
    options.onSettled()
  }

  function remove(ids: readonly string[]) {
    try {
      extras.remove(ids)
    } catch (error) {
      // The extras are sent again later, and the cloud stores each id once.
      log.warn({ err: error }, 'confirmed extras cannot be removed from the disk yet')
      pausedUntil = monotonic() + confirmTimeout.minMs
    }
  }

  return {
    get sending() {
      return sending
    },
    fill() {
      const kinds = options.kinds()
      if (flight !== null || kinds.length === 0) return false
      const waitMs = Math.max(rate.waitMs(), pausedUntil - monotonic())
      if (waitMs > 0) {
        options.plan(waitMs)
        return false
      }
      const itens = extras.next(kinds, {
        records: silences > 1 ? 1 : MAX_EXTRAS,
        bytes: Math.min(MOST_BYTES, rate.targetBytes),
        without: waits.current(),
      })
      if (itens.length === 0) return false
      const payload = encodeExtras(itens)
      if (payload) send(itens, payload)
      else remove(itens.map(({ extra }) => extra.id))
      return payload !== null
    },
    confirm({ itens, espere }) {
      for (const id of espere?.ids ?? []) {
        const camera = flight?.get(id)
        flight?.delete(id)
        if (camera !== undefined) waits.begin(camera, (espere?.s ?? 0) * 1_000)
      }
      const refused = itens.filter(({ resultado }) => resultado === 'recusado')
      if (refused.length > 0) log.info({ extras: refused.length, motivo: refused[0]?.motivo }, 'extras refused')
      silences = 0
      pausedUntil = 0
      remove(itens.map(({ id }) => id))
      for (const { id } of itens) flight?.delete(id)
      if (flight?.size === 0) reset()
      options.onSettled()
    },
    reset() {
      silences = 0
      waits.clear()
      reset()
    },
    stop: reset,
  }
}

/** Cameras whose extras the cloud cannot store yet. */
function createCameraWaits({ monotonic, plan }: Pick<ExtrasLaneOptions, 'monotonic' | 'plan'>) {
  /** End of the wait of each camera (monotonic ms). */
  const ends = new Map<number, number>()
  return {
    begin: (cameraId: number, waitMs: number) => ends.set(cameraId, monotonic() + waitMs),
    /** Cameras that wait now. Plans the end of the first wait, since nothing else would. */
    current(): number[] {
      const now = monotonic()
      for (const [camera, end] of ends) if (end <= now) ends.delete(camera)
      if (ends.size > 0) plan(Math.min(...ends.values()) - now)
      return [...ends.keys()]
    },
    clear: () => ends.clear(),
  }
}
