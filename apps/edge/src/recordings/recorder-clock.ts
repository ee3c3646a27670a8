import type { RelogioGravador } from '@vigia/contracts/gravacoes'
import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import { readDeviceClock } from '@vigia/rtsp/device-clock'
import { playbackTarget, playbackUrl, type RecorderClock, type Span } from '@vigia/rtsp/playback-urls'
import { pullRecording } from '@vigia/rtsp/pull-recording'
import { type ConnectionSlots, createProbeSlots, hostOf } from '../capture/connection-slots.ts'

export interface RecorderClocksOptions {
  readonly allowed: AllowedCidrs
  readonly slots: ConnectionSlots
  /** Edge clock, in epoch ms. */
  now(): number
  /** Ports of the ONVIF service; default: the usual ones. */
  readonly ports?: readonly number[]
}

/** Measures the clock of each recorder once a day. `zone`: IANA name, for recorders that do not report theirs. */
export interface RecorderClocks {
  measure(liveUrl: string, zone: string, signal: AbortSignal): Promise<RelogioGravador>
}

const KEEP_MS = 24 * 3_600_000
const DEVICE_MS = 10_000
/** Part of the archive that shows the meaning of `Z`: recent, but already written by the recorder. */
const PROBE_AGE_MS = 120_000
const PROBE_MS = 5_000

export const recorderClock = ({ desvio_ms, fuso_min, z_local }: RelogioGravador): RecorderClock => ({
  offsetMs: desvio_ms,
  zoneMin: fuso_min,
  zIsLocal: z_local,
})

export function createRecorderClocks({ allowed, slots, now, ports }: RecorderClocksOptions): RecorderClocks {
  const known = new Map<string, { readonly at: number; readonly clock: RelogioGravador }>()

  /** Whether the recorder plays a recent part when `Z` is read this way. */
  async function plays(liveUrl: string, clock: RecorderClock, signal: AbortSignal): Promise<boolean> {
    const fromMs = now() - PROBE_AGE_MS
    const span: Span = { fromMs, toMs: fromMs + PROBE_MS }
    const url = playbackUrl(liveUrl, span, clock)
    const slot = url === null ? null : await slots.acquire({ host: hostOf(liveUrl), use: 'archive', signal })
    if (url === null || !slot) return false
    const seen = new AbortController()
    try {
      const { units } = await pullRecording({
        url,
        span,
        offsetMs: clock.offsetMs,
        signal: AbortSignal.any([signal, seen.signal, slot.revoked]),
        onParameters() {},
        onAccessUnit: () => seen.abort(),
      })
      return units > 0
    } finally {
      slot.release()
    }
  }

  /**
   * Asks for a recent part first in the reading that the other one would place in the future. A recording proves that
   * reading. null: both remain possible.
   */
  async function readsZLocally(liveUrl: string, clock: RecorderClock, signal: AbortSignal): Promise<boolean | null> {
    const first = clock.zoneMin > 0
    for (const zIsLocal of [first, !first]) if (await plays(liveUrl, { ...clock, zIsLocal }, signal)) return zIsLocal
    return null
  }

  return {
    async measure(liveUrl, zone, signal) {
      const { host } = new URL(liveUrl)
      const before = known.get(host)
      if (before && now() - before.at < KEEP_MS) return before.clock
      const device = await readDeviceClock(hostOf(liveUrl), {
        allowed,
        slots: createProbeSlots(slots),
        signal,
        prazoMs: DEVICE_MS,
        now,
        ...(ports && { ports }),
      })
      const clock = {
        offsetMs: device?.offsetMs ?? 0,
        zoneMin: device?.zoneMin ?? zoneMinutes(zone, now()),
        zIsLocal: false,
      }
      const isHikvision = playbackTarget(liveUrl)?.form === 'hikvision' && clock.zoneMin !== 0
      const zLocal = isHikvision ? await readsZLocally(liveUrl, clock, signal) : false
      const measured: RelogioGravador = {
        desvio_ms: clock.offsetMs,
        fuso_min: clock.zoneMin,
        z_local: zLocal ?? false,
        medido: device !== null && zLocal !== null,
      }
      if (measured.medido) known.set(host, { at: now(), clock: measured })
      return measured
    },
  }
}

/** Minutes east of UTC of an IANA zone at `epochMs`. */
function zoneMinutes(zone: string, epochMs: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(epochMs)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes = '0'] = /GMT([+-])(\d{1,2}):?(\d\d)?/.exec(name) ?? []
  if (hours === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
