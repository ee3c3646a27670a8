import type { ParteTransmissao, RegistroTransmissao } from '@vigia/contracts/transmissao'
import { createKeptParts } from './kept-parts.ts'
import type { BudgetSeat } from './uplink-budget.ts'

/** Sends the parts of a stream within its share of the uplink. */
export interface PartSender {
  /** `isConnected`: it may be sent now. It is kept for the next connection. */
  add(parte: ParteTransmissao, isConnected: boolean): void
  /** Goes on in a long group where it stopped. */
  resume(): void
  /** Sends the newest segment over a new connection. */
  repeat(): void
  /** Another stream follows. */
  forget(): void
  /** Parts left out because the line was too slow. */
  readonly dropped: number
}

export interface PartSenderOptions {
  readonly seat: Pick<BudgetSeat, 'maySend'>
  send(registro: RegistroTransmissao): void
  /** Monotonic, in ms. */
  now?(): number
}

/** The cloud ends a stream without a record. */
const LONGEST_GAP_MS = 5_000

/**
 * While the uplink has no capacity, or an event waits for it, parts are left out up to the next keyframe. In a long
 * group that keyframe is far away, and the stream begins with many parts at once. There the sender goes on with the
 * parts that it keeps, as soon as it may.
 */
export function createPartSender({ seat, now = () => performance.now(), ...options }: PartSenderOptions): PartSender {
  const kept = createKeptParts()
  let skipping = false
  /** First kept part that was left out; null: none, or not kept. */
  let unsent: number | null = null
  let dropped = 0
  let sentAt = now()

  function send(registro: RegistroTransmissao): void {
    sentAt = now()
    options.send(registro)
  }

  /** `index`: among the kept parts, if it is there. */
  function offer(parte: ParteTransmissao, index: number): void {
    const mayBegin = !skipping || parte.indice === 0
    if (seat.maySend(parte) && mayBegin) {
      if (skipping) send({ tipo: 'lacuna' })
      skipping = false
      send(parte)
      return
    }
    if (!skipping && kept.parts[index] === parte) unsent = index
    skipping = true
    dropped++
    resume()
    if (now() - sentAt > LONGEST_GAP_MS) send({ tipo: 'lacuna' })
  }

  function resume(): void {
    for (; kept.isLong && unsent !== null; unsent++) {
      const parte = kept.parts[unsent]
      if (!parte) {
        unsent = null
        skipping = false
        return
      }
      if (!seat.maySend(parte)) return
      dropped--
      send(parte)
    }
  }

  return {
    add(parte, isConnected) {
      if (parte.indice === 0) unsent = null
      kept.add(parte)
      if (kept.parts.length === 0) unsent = null
      if (isConnected) offer(parte, kept.parts.length - 1)
    },
    resume,
    repeat() {
      skipping = false
      unsent = null
      for (const [index, parte] of kept.parts.entries()) offer(parte, index)
    },
    forget() {
      kept.clear()
      unsent = null
    },
    get dropped() {
      return dropped
    },
  }
}
