import type { Prioridade } from '@vigia/contracts/ao-vivo'
import { USUAL_GROUP_MS } from '@vigia/contracts/keyframes'
import type { ParteTransmissao } from '@vigia/contracts/transmissao'
import { createUplinkLimit } from './uplink-limit.ts'
import type { UplinkBudgetOptions } from './uplink-options.ts'

/** Shares the uplink among the live streams of an edge. */
export interface UplinkBudget {
  /** Whether one more stream of this priority would get its keyframes. */
  hasCapacity(prioridade: Prioridade): boolean
  /** @param onNoCapacity the uplink has had no capacity even for the keyframes of this stream for some time */
  join(prioridade: Prioridade, onNoCapacity: () => void): BudgetSeat
  /** Rate for live video, in bytes a ms; null: no limit is known. */
  readonly limit: number | null
}

/** One stream in the budget. */
export interface BudgetSeat {
  prioridade: Prioridade
  /** Called for each part of the stream. */
  produced(parte: ParteTransmissao): void
  /** Whether the uplink has capacity for a part now. */
  maySend(parte: ParteTransmissao): boolean
  /** Returns whether a ping is due. Its answer shows that the bytes before it have arrived. */
  sent(bytes: number): boolean
  /** The ping is answered. Returns whether the next one is due. */
  answered(): boolean
  /** Time since the unanswered ping, in ms; 0: none. */
  readonly silentMs: number
  /** The connection ended, and what was under way is lost. */
  reset(): void
  leave(): void
}

const TICK_MS = 1_000
const TICKS_PER_MS = 90
/** Largest delay of an answer on an idle line. */
const IDLE_MS = 1_000
/** A tile without capacity for this long ends. */
const NO_CAPACITY_MS = 5_000
const KIB = 1024
/**
 * Maximum data of all streams under way: ms at the limit, minimum bytes, and bytes with no known limit. `answerMs`:
 * longest delay of an answer above the fastest one.
 */
const UNDER_WAY = {
  aberta: { ms: 1_000, least: 64 * KIB, unknown: 1024 * KIB, answerMs: 1_500 },
  mosaico: { ms: 250, least: 32 * KIB, unknown: 128 * KIB, answerMs: 500 },
} as const

/** Number of refused keyframes after which the capacity of a stream no longer grows. */
const MOST_REFUSED = 3

/** Rates of a stream before its first complete segment. */
const UNKNOWN = { full: 0, keys: 0 }

interface Ping {
  readonly at: number
  /** Bytes of the stream that arrive before the ping. */
  readonly covers: number
  /** Bytes of all streams that had arrived. */
  readonly arrived: number
}

interface Member extends BudgetSeat {
  onNoCapacity(): void
  /** Rates of the last complete segment, in bytes a ms; null: none was complete. */
  rates: { readonly full: number; readonly keys: number } | null
  segment: { bytes: number; keyBytes: number; ticks: number }
  underWay: number
  ping: Ping | null
  /** Keyframes in a row without capacity. */
  refusedKeys: number
  mode: 'tudo' | 'chaves' | 'nada'
  noCapacitySince: number | null
}

/**
 * Opened cameras come before tiles. Beyond the limit a stream falls to its keyframes, and then a tile ends. The limit
 * is set, or measured while the line is full: answers to pings become slow.
 */
export function createUplinkBudget(options: UplinkBudgetOptions): UplinkBudget {
  const { isLineFree, now = () => performance.now() } = options
  const limit = createUplinkLimit(options, now)
  const members = new Set<Member>()
  let fastestMs = IDLE_MS
  let tickAt = now()
  let arrived = 0

  function isBelowMost({ prioridade, ping, refusedKeys }: Member): boolean {
    const { ms, least, unknown, answerMs } = UNDER_WAY[prioridade]
    const usual = limit.value === null ? unknown : Math.max(least, limit.value * ms)
    // Streams whose keyframes coincide take turns.
    const most = usual * (1 + Math.min(MOST_REFUSED, refusedKeys))
    const underWay = [...members].reduce((sum, member) => sum + member.underWay, 0)
    return underWay < most && (ping === null || now() - ping.at <= fastestMs + answerMs)
  }

  function tick(): void {
    const at = now()
    if (at - tickAt < TICK_MS) return
    limit.grow(at - tickAt)
    tickAt = at
    share(members, limit.value)
    for (const member of [...members]) {
      member.noCapacitySince = member.mode === 'nada' ? (member.noCapacitySince ?? at) : null
      if (at - (member.noCapacitySince ?? at) >= NO_CAPACITY_MS) member.onNoCapacity()
    }
  }

  function ask(member: Member): boolean {
    if (member.ping !== null || member.underWay === 0) return false
    member.ping = { at: now(), covers: member.underWay, arrived }
    return true
  }

  function join(prioridade: Prioridade, onNoCapacity: () => void): BudgetSeat {
    const member: Member = {
      prioridade,
      onNoCapacity,
      rates: null,
      underWay: 0,
      ping: null,
      refusedKeys: 0,
      mode: 'tudo',
      noCapacitySince: null,
      segment: { bytes: 0, keyBytes: 0, ticks: 0 },
      get silentMs() {
        return member.ping === null ? 0 : now() - member.ping.at
      },
      produced(parte) {
        count(member, parte)
        tick()
      },
      maySend(parte) {
        const isKey = parte.indice === 0
        if (member.mode === 'nada' || (member.mode === 'chaves' && !isKey)) return false
        const hasCapacity = isBelowMost(member)
        if (isKey) member.refusedKeys = hasCapacity ? 0 : member.refusedKeys + 1
        return hasCapacity && isLineFree()
      },
      sent(bytes) {
        member.underWay += bytes
        return ask(member)
      },
      answered() {
        const { ping } = member
        if (ping === null) return false
        member.ping = null
        member.underWay -= ping.covers
        arrived += ping.covers
        const ms = now() - ping.at
        fastestMs = Math.min(fastestMs, ms)
        if (limit.measure(arrived - ping.arrived, ms - fastestMs)) share(members, limit.value)
        return ask(member)
      },
      reset() {
        member.underWay = 0
        member.ping = null
      },
      leave: () => void members.delete(member),
    }
    members.add(member)
    return member
  }

  return {
    hasCapacity: (prioridade) => prioridade === 'aberta' || limit.value === null || share(members, limit.value) > 0,
    join,
    get limit() {
      return limit.value
    },
  }
}

/** Counts a part for the rates of its stream. A long segment counts before its end. */
function count(member: Member, { indice, dados, duracao }: ParteTransmissao): void {
  const { bytes, keyBytes, ticks } = member.segment
  if (ticks > (indice === 0 ? 0 : USUAL_GROUP_MS * TICKS_PER_MS))
    member.rates = { full: (bytes * TICKS_PER_MS) / ticks, keys: (keyBytes * TICKS_PER_MS) / ticks }
  if (indice === 0) {
    member.segment = { bytes: 0, keyBytes: dados.length, ticks: 0 }
  }
  member.segment.bytes += dados.length
  member.segment.ticks += duracao
}

/**
 * Sets the mode of each stream; the oldest stream of a priority comes first. Returns the rate that remains beside
 * opened cameras and the keyframes of tiles, in bytes a ms.
 */
function share(members: Iterable<Member>, limit: number | null): number {
  let rest = limit ?? Number.POSITIVE_INFINITY
  const { aberta = [], mosaico = [] } = Object.groupBy(members, ({ prioridade }) => prioridade)
  for (const member of aberta) {
    const { full, keys } = member.rates ?? UNKNOWN
    member.mode = full <= rest ? 'tudo' : 'chaves'
    rest = Math.max(0, rest - (full <= rest ? full : keys))
  }
  for (const member of mosaico) {
    const { keys } = member.rates ?? UNKNOWN
    member.mode = keys <= rest ? 'chaves' : 'nada'
    if (keys <= rest) rest -= keys
  }
  let spare = rest
  for (const member of mosaico) {
    const { full, keys } = member.rates ?? UNKNOWN
    if (member.mode === 'nada' || full - keys > spare) continue
    member.mode = 'tudo'
    spare -= full - keys
  }
  return rest
}
