import { VigiaError } from '@vigia/contracts/errors'
import type { Fluxo } from '@vigia/contracts/transmissao'
import { streamEndText } from './end-text.ts'
import type { LiveStreams } from './live-streams.ts'
import { firstTooLong, isIntervalKnown, type PlaylistTiming, playedWindow, playlistTiming } from './playlist.ts'
import type { WindowSegment } from './segment-list.ts'
import { type HlsStream, notDelivered } from './serve-hls.ts'
import type { StreamSeat } from './stream-state.ts'
import type { StreamWindow } from './stream-window.ts'

/** A player that asks for nothing this long has left. */
const LEFT_MS = 15_000
/** A playlist that has ended is read until then: a player asks for it each target duration of a usual group. */
const ENDED_MS = 15_000

interface HlsTimes {
  /** Monotonic, in ms. */
  readonly now?: () => number
  /** The first request waits this long for the first part of a stream, and for its first whole group. */
  readonly firstMs?: number
}

/** A playlist, whose target must not change (RFC 8216, 6.2.1). */
interface Playlist {
  readonly timing: PlaylistTiming
  /** It ended, at a segment that is longer than the target. */
  end: { readonly msn: number; readonly untilMs: number } | null
}

interface Player {
  readonly seat: StreamSeat
  playlist: Playlist | null
  timer: NodeJS.Timeout | undefined
}

export interface HlsStreams {
  /** @throws VigiaError `indisponivel`: no part in time, or the stream has ended */
  open(camera: { readonly id: number; readonly edgeId: number }, fluxo: Fluxo, signal: AbortSignal): Promise<HlsStream>
}

/**
 * Viewers of HLS: one seat for all players of a stream, as long as any of them asks. When a group outgrows the target,
 * the playlist ends, and a further one begins at the same address.
 */
export function createHlsStreams(
  streams: Pick<LiveStreams, 'watch'>,
  { now = () => performance.now(), firstMs = 6_000 }: HlsTimes = {},
): HlsStreams {
  const players = new Map<string, Player>()

  function playerOf(camera: { readonly id: number; readonly edgeId: number }, fluxo: Fluxo): Player {
    const key = `${camera.id}/${camera.edgeId}/${fluxo}`
    const known = players.get(key)
    const seat = known?.seat ?? streams.watch(camera, fluxo, 'aberta')
    const player: Player = known ?? { seat, playlist: null, timer: undefined }
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

  /** The playlist that runs, or has just ended; else the next one. */
  function playlistOf(player: Player, segments: readonly [WindowSegment, ...WindowSegment[]]): Playlist {
    if (player.playlist?.end && now() >= player.playlist.end.untilMs) player.playlist = null
    player.playlist ??= { timing: playlistTiming(segments, player.seat.partMs), end: null }
    return player.playlist
  }

  /** Ends the playlist if a segment outgrows its target. Returns the number of that segment; null: it runs. */
  function endOf(playlist: Playlist, { segments }: StreamWindow): number | null {
    const msn = playlist.end === null ? firstTooLong(segments, playlist.timing.target) : null
    if (msn !== null) playlist.end = { msn, untilMs: now() + ENDED_MS }
    return playlist.end?.msn ?? null
  }

  return {
    async open(camera, fluxo, signal) {
      const player = playerOf(camera, fluxo)
      const { seat } = player
      const { window } = seat
      if (player.playlist === null) await firstGroup(seat, AbortSignal.any([signal, AbortSignal.timeout(firstMs)]))
      const [first, ...others] = window.segments
      if (!first || signal.aborted) throw seat.end === null ? notDelivered(window) : failure(seat)
      const playlist = playlistOf(player, [first, ...others])
      const { timing } = playlist
      return { window: playedWindow(window, timing.target, () => endOf(playlist, window)), timing }
    },
  }
}

const failure = ({ end, causa }: StreamSeat) =>
  new VigiaError('indisponivel', { detalhe: streamEndText(end, causa).detail, tentarEmS: 2 })

/** Resolves when the keyframe interval is known, at the end of the stream, or when `signal` aborts. */
async function firstGroup({ window, ended }: StreamSeat, signal: AbortSignal): Promise<void> {
  const until = AbortSignal.any([signal, ended])
  while (!isIntervalKnown(window.segments) && !until.aborted) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => resolve()
    const leave = window.subscribe(wake)
    until.addEventListener('abort', wake, { once: true })
    await promise
    leave()
    until.removeEventListener('abort', wake)
  }
}
