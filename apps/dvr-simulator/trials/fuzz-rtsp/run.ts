import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { RtspAccessUnit, RtspAudioPacket } from '@vigia/rtsp/client'
import { playSession } from '@vigia/rtsp/client/session'
import { readRtspUrl } from '@vigia/rtsp/rtsp-url'
import { mutate } from './mutate.ts'
import { openPeer } from './peer.ts'
import { createRandom, seedOf } from './random.ts'
import { PICTURES, type Script, SOUNDS, validScript } from './script.ts'

export interface FuzzFault {
  /** Index of the dialogue; `--first INDEX --dialogues 1` repeats it. */
  readonly index: number
  readonly text: string
}

export interface FuzzResult {
  readonly crashes: readonly FuzzFault[]
  readonly hangs: readonly FuzzFault[]
  /** Violated guarantees of the client: limits, keyframe as first unit, no secret in a reason. */
  readonly broken: readonly FuzzFault[]
  readonly units: number
  readonly ends: ReadonlyMap<string, number>
  /** Growth of heap and buffers after garbage collection, from the first tenth to the end. */
  readonly growthBytes: number
  /** Peak of the buffers. */
  readonly peakBytes: number
}

export interface FuzzOptions {
  readonly dialogues: number
  readonly seed: number
  /** Index of the first dialogue. */
  readonly first?: number
  readonly onProgress?: (done: number) => void
}

/** Number of parallel dialogues: a dialogue that waits for a timeout does not delay the others. */
const CONCURRENT = 32
const OPEN_TIMEOUT_MS = 60
const STALL_TIMEOUT_MS = 60
/**
 * A dialogue ends within the open timeout plus three stall timeouts. The limit counts turns of the event loop: a
 * process without processor time is no hang.
 */
const HANG_TICKS = 100
const TICK_MS = 100
/** Open timeout of a dialogue that must succeed. A dialogue without an end is a hang before. */
const VALID_OPEN_TIMEOUT_MS = 600_000
/** Every n-th dialogue has no mutation, which checks that the script itself works. */
const VALID_EVERY = 50
const PASSWORD = 'segredo'
const MAX_NAL_BYTES = 4 * 1024 * 1024
const MAX_UNIT_BYTES = 8 * 1024 * 1024
const MAX_SOUND_BYTES = 64 * 1024

/** Plays mutated dialogues to the client, in this process over connections in memory. */
export async function runFuzz({ dialogues, seed, first = 0, onProgress }: FuzzOptions): Promise<FuzzResult> {
  const collect = garbageCollector()
  const crashes: FuzzFault[] = []
  const hangs: FuzzFault[] = []
  const broken: FuzzFault[] = []
  const ends = new Map<string, number>()
  let units = 0
  let next = first
  let done = 0
  let base = 0
  let peakBytes = 0
  const last = first + dialogues
  const warm = Math.ceil(dialogues / 10)
  const onCrash = (error: unknown) => crashes.push({ index: -1, text: String(error) })
  process.on('uncaughtException', onCrash)
  process.on('unhandledRejection', onCrash)

  async function work(): Promise<void> {
    while (next < last) {
      const index = next++
      const { end, fault, count } = await playOne(index)
      units += count
      ends.set(end, (ends.get(end) ?? 0) + 1)
      if (end === 'crash') crashes.push({ index, text: fault ?? '' })
      else if (end === 'hang') hangs.push({ index, text: fault ?? '' })
      else if (fault !== null) broken.push({ index, text: fault })
      if (++done === warm) base = await collect()
      if (done % 100 === 0) {
        peakBytes = Math.max(peakBytes, process.memoryUsage().arrayBuffers)
        onProgress?.(done)
      }
    }
  }

  async function playOne(index: number): Promise<{ end: string; fault: string | null; count: number }> {
    const random = createRandom(seedOf(seed, index))
    const script = validScript(random)
    const isValid = index % VALID_EVERY === 0
    if (!isValid) mutate(script, random)
    const judge = createJudge()
    const stop = new AbortController()
    const target = readRtspUrl(`rtsp://admin:${PASSWORD}@h/stream${random.chance(0.3) ? '?x=1' : ''}`)
    const openTimeoutMs = isValid ? VALID_OPEN_TIMEOUT_MS : OPEN_TIMEOUT_MS
    const context = { target, remote: '127.0.0.1', peer: null, openTimeoutMs, challenges: [], isRedirected: false }
    const playing = playSession(
      { socket: openPeer(script, random), ...context },
      { stallTimeoutMs: STALL_TIMEOUT_MS, signal: stop.signal, ...judge.handlers },
    ).then(
      (end) => ({ end }),
      (error: Error) => ({ end: 'crash' as const, error }),
    )
    const { promise: late, resolve } = Promise.withResolvers<{ end: 'hang' }>()
    let ticks = 0
    const ticking = setInterval(() => ++ticks === HANG_TICKS && resolve({ end: 'hang' }), TICK_MS)
    const found = await Promise.race([playing, late])
    clearInterval(ticking)
    stop.abort()
    if ('error' in found) return { end: 'crash', fault: found.error.stack ?? found.error.message, count: judge.count }
    if (found.end === 'hang') return { end: 'hang', fault: describeScript(script), count: judge.count }
    const { end } = found
    const name = typeof end === 'string' ? end : 'failure' in end ? end.failure : 'reconnect'
    const leak = JSON.stringify(end).includes(PASSWORD) ? 'the password is in the reason' : null
    const isWhole = judge.count === PICTURES && judge.sounds === SOUNDS
    const lacks = isValid && !isWhole ? `${judge.count} pictures, ${judge.sounds} sounds: ${JSON.stringify(end)}` : null
    return { end: name, fault: judge.fault ?? leak ?? lacks, count: judge.count }
  }

  try {
    await Promise.all(Array.from({ length: CONCURRENT }, work))
    const growthBytes = (await collect()) - base
    return { crashes, hangs, broken, units, ends, growthBytes, peakBytes }
  } finally {
    process.off('uncaughtException', onCrash)
    process.off('unhandledRejection', onCrash)
  }
}

const describeScript = ({ codec, ending, frames }: Script): string =>
  `${codec}, ${frames.length} frames, then ${ending}`

/** Checks the units delivered by the client. */
function createJudge() {
  let fault: string | null = null
  let count = 0
  let sounds = 0
  let hasParameters = false
  const expect = (holds: boolean, text: string) => {
    if (!holds) fault ??= text
  }
  return {
    handlers: {
      onParameters() {
        hasParameters = true
      },
      onAccessUnit({ nals, keyframe, ticks, utcMs }: RtspAccessUnit) {
        expect(hasParameters, 'a unit before the parameter sets')
        expect(count > 0 || keyframe, 'the first unit is no keyframe')
        expect(count > 0 || ticks === 0, 'the time of the first unit is not 0')
        expect(Number.isSafeInteger(ticks), `ticks ${ticks}`)
        expect(utcMs === null || Number.isSafeInteger(utcMs), `utcMs ${utcMs}`)
        expect(nals.length > 0 && nals.every(({ length }) => length > 0), 'an empty unit')
        expect(
          nals.every(({ length }) => length <= MAX_NAL_BYTES),
          'a NAL unit beyond the bound',
        )
        expect(nals.reduce((sum, { length }) => sum + length, 0) <= MAX_UNIT_BYTES, 'a unit beyond the bound')
        count++
      },
      audio: {
        onFormat() {},
        onPacket({ ptsMs, data }: RtspAudioPacket) {
          expect(Number.isFinite(ptsMs), `ptsMs ${ptsMs}`)
          expect(data.length <= MAX_SOUND_BYTES, 'a sound beyond the bound')
          sounds++
        },
      },
    },
    get fault() {
      return fault
    },
    get count() {
      return count
    },
    get sounds() {
      return sounds
    },
  }
}

/** Returns the bytes of heap and buffers after a full collection. */
function garbageCollector(): () => Promise<number> {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  return async () => {
    // A buffer is freed one turn of the event loop after its owner is collected.
    for (let round = 0; round < 3; round++) {
      gc()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
}
