import { createUsedRate, createUsedRates, type Rate, type UsedRate } from '@vigia/runtime/used-rate'

/** Empresa of a camera, with the cameras that its rates are made from. */
export interface LiveAccount {
  readonly empresaId: number
  readonly rootId: number
  /** Cameras of the Empresa. */
  readonly cameras: number
  /** Cameras of the root Empresa and of all below it. */
  readonly rootCameras: number
}

/** Rates of one stream, of its Empresa, of its root Empresa and of this process. */
export interface UploadMeter {
  /** Counts a record. false: it exceeds a rate, and the upload must end. */
  take(bytes: number): boolean
  /** Counts a connection. false: it exceeds a rate, and must be refused. */
  connect(): boolean
}

/** Rates of the uploads that this process receives, passes on, or reads from other replicas. */
export interface UploadRates {
  /** The rates of one stream, over all its connections. */
  meter(account: LiveAccount): UploadMeter
}

const MIB = 1024 * 1024

/**
 * Rates of one stream. An edge sends four parts a second, and one more for each keyframe. A stream begins with the last
 * group of the ring (24 MiB), and after a reconnection with the newest segment (8 MiB). The longest group has 1,200
 * parts of 250 ms.
 */
export const STREAM_RATE: Rate = { recordsPerS: 64, bytesPerS: 4 * MIB, burstRecords: 1_536, burstBytes: 48 * MIB }
/** Rates for each camera: its main stream in parts of 250 ms, its sub stream in parts of 500 ms. */
export const CAMERA_RATE = { recordsPerS: 8, bytesPerS: MIB }
/** Rates of an Empresa with few cameras: two streams at their highest rates. */
const LEAST = { recordsPerS: 2 * STREAM_RATE.recordsPerS, bytesPerS: 2 * STREAM_RATE.bytesPerS }
/** Largest rates of an Empresa and of a root Empresa: 128 cameras, all opened. */
export const MOST_ROOT = { recordsPerS: 1_024, bytesPerS: 128 * MIB }
/** Rates of this process. Above them, a root Empresa with more than an equal share is refused. */
export const PROCESS_RATE: Rate = {
  recordsPerS: 4_096,
  bytesPerS: 256 * MIB,
  burstRecords: 16_384,
  burstBytes: 1_024 * MIB,
}
/** Cost of a connection, in records: its handshake reads the database. */
export const CONNECTION_RECORDS = 32
/** Many streams of an Empresa may begin together. */
const BURST_S = 8
/** Interval in which the roots with uploads are counted. */
const COUNT_MS = 1_000

/** Rates of an Empresa, or of a root Empresa, with this number of cameras. */
export function rateOf(cameras: number): Rate {
  const of = (unit: 'recordsPerS' | 'bytesPerS') =>
    Math.min(MOST_ROOT[unit], Math.max(LEAST[unit], CAMERA_RATE[unit] * cameras))
  const [recordsPerS, bytesPerS] = [of('recordsPerS'), of('bytesPerS')]
  return {
    recordsPerS,
    bytesPerS,
    burstRecords: STREAM_RATE.burstRecords + BURST_S * recordsPerS,
    burstBytes: STREAM_RATE.burstBytes + BURST_S * bytesPerS,
  }
}

/** @param monotonic ms */
export function createUploadRates(monotonic: () => number): UploadRates {
  const empresas = createUsedRates()
  const roots = createUsedRates()
  /** Use of an equal share of the process by each root. */
  const shares = createUsedRates()
  const all = createUsedRate()
  let busy = { at: Number.NEGATIVE_INFINITY, roots: 1 }

  /** Number of roots that divide the rates of the process. */
  function divided(now: number): number {
    if (now - busy.at >= COUNT_MS) busy = { at: now, roots: Math.max(1, roots.busy(now)) }
    return busy.roots
  }

  function meter({ empresaId, rootId, cameras, rootCameras }: LiveAccount): UploadMeter {
    const stream = createUsedRate()
    const [empresaRate, rootRate] = [rateOf(cameras), rateOf(rootCameras)]

    const used = (now: number): readonly (readonly [UsedRate, Rate])[] => [
      [stream, STREAM_RATE],
      [empresas.of(empresaId, now), empresaRate],
      [roots.of(rootId, now), rootRate],
    ]
    const hasExcess = (now: number) =>
      used(now).some(([one, rate]) => one.excessMs(rate, now) > 0) ||
      (all.excessMs(PROCESS_RATE, now) > 0 && shares.of(rootId, now).excessMs(PROCESS_RATE, now) > 0)

    function take(records: number, bytes: number): boolean {
      const now = monotonic()
      if (hasExcess(now)) return false
      const cost = { records, bytes }
      for (const [one, rate] of used(now)) one.charge(rate, now, cost)
      all.charge(PROCESS_RATE, now, cost)
      shares.of(rootId, now).charge(PROCESS_RATE, now, cost, divided(now))
      return true
    }
    return { take: (bytes) => take(1, bytes), connect: () => take(CONNECTION_RECORDS, 0) }
  }
  return { meter }
}
