import { VigiaError } from '@vigia/contracts/errors'
import type { Fluxo } from '@vigia/contracts/transmissao'
import { streamEndText } from './end-text.ts'
import type { LiveStreams } from './live-streams.ts'
import { playlistTiming } from './playlist.ts'
import { hasLongGroup } from './segment-list.ts'
import { type HlsStream, notDelivered } from './serve-hls.ts'
import type { StreamSeat } from './stream-state.ts'

/** A player that asks for nothing this long has left. */
const LEFT_MS = 15_000
/** The first request waits this long for the first part of a stream. */
const FIRST_MS = 6_000

interface Player {
  readonly seat: StreamSeat
  timing: HlsStream['timing'] | null
  isLong: boolean
  timer: NodeJS.Timeout | undefined
}

export interface HlsStreams {
  /** @throws VigiaError `indisponivel`: no part in time, or the stream has ended */
  open(camera: { readonly id: number; readonly edgeId: number }, fluxo: Fluxo, signal: AbortSignal): Promise<HlsStream>
}

/** Viewers of HLS: one seat for all players of a stream, as long as any of them asks. */
export function createHlsStreams(streams: LiveStreams): HlsStreams {
  const players = new Map<string, Player>()

  function playerOf(camera: { readonly id: number; readonly edgeId: number }, fluxo: Fluxo): Player {
    const key = `${camera.id}/${camera.edgeId}/${fluxo}`
    const known = players.get(key)
    const seat = known?.seat ?? streams.watch(camera, fluxo, 'aberta')
    const player: Player = known ?? { seat, timing: null, isLong: false, timer: undefined }
    const leave = () => {
      clearTimeout(player.timer)
      players.delete(key)
      player.seat.leave()
    }
    if (!known) {
      players.set(key, player)
      player.seat.ended.addEventListener('abort', leave, { once: true })
    }
    clearTimeout(player.timer)
    player.timer = setTimeout(leave, LEFT_MS)
    player.timer.unref()
    return player
  }

  return {
    async open(camera, fluxo, signal) {
      const player = playerOf(camera, fluxo)
      const { seat } = player
      await firstPart(seat, signal)
      const [first] = seat.window.segments
      if (!first) throw seat.end === null ? notDelivered(seat.window) : failure(seat)
      // The values of a playlist must not change. A segment longer than the target would be worse.
      const isLong = hasLongGroup(seat.window.segments)
      if (isLong && !player.isLong) player.timing = null
      player.isLong ||= isLong
      player.timing ??= playlistTiming(first.init, seat.partMs, player.isLong)
      return { window: seat.window, timing: player.timing }
    },
  }
}

const failure = ({ end }: StreamSeat) =>
  new VigiaError('indisponivel', { detalhe: streamEndText(end).detail, tentarEmS: 2 })

/** Resolves at the first part, at the end of the stream, when the client leaves, or after FIRST_MS. */
async function firstPart({ window, ended }: StreamSeat, signal: AbortSignal): Promise<void> {
  const until = AbortSignal.any([signal, ended, AbortSignal.timeout(FIRST_MS)])
  while (window.segments.length === 0 && !until.aborted) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => resolve()
    const leave = window.subscribe(wake)
    until.addEventListener('abort', wake, { once: true })
    await promise
    leave()
    until.removeEventListener('abort', wake)
  }
}
