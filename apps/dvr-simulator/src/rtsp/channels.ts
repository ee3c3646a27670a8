import { matchStreamPath, type StreamPath } from '@vigia/rtsp/maker-urls'
import type { EncodedVideo } from '@vigia/video/access-units'
import type { EmptyAnswer, Quirk } from '../quirks.ts'
import type { PausePoint } from '../rtp/pause-point.ts'

/** Null for a stream without a file or with an unusable one. */
export interface Channel {
  readonly principal: EncodedVideo | null
  readonly sub: EncodedVideo | null
  readonly quirk: Quirk | null
  readonly pausePoint: PausePoint
}

/** Control name of the only track. */
export const TRACK = 'trackID=0'

/** Target of a request's URI: a stream or its only track. */
export interface Target {
  readonly path: StreamPath
  readonly channel: Channel | null
  readonly video: EncodedVideo | null
  /** The URI without the track. */
  readonly base: string
}

/** Returns null for an address that matches no maker's URL form. `channels` is numbered from 1. */
export function resolveTarget(uri: string, channels: readonly Channel[]): Target | null {
  // Clients append the control name to the base, also when the base ends in a query or a slash.
  const base = uri.replace(/\/(trackID=\d+)?$/i, '')
  const path = matchStreamPath(base.replace(/^rtsps?:\/\/[^/]*/i, ''))
  if (!path) return null
  const channel = channels[path.canal - 1] ?? null
  return { path, channel, video: channel?.[path.stream] ?? null, base }
}

const emptyAnswers = { vazio_404: 404, vazio_454: 454, vazio_503: 503, sem_video: 'sem_video' } as const

/** Answer of an empty channel: a status, or a description without video. Null: the channel has video. */
export function emptiness(target: Target, otherwise: EmptyAnswer): 404 | 454 | 503 | 'sem_video' | null {
  const quirk = target.channel?.quirk?.defeito
  if (quirk !== undefined && isEmptyAnswer(quirk)) return emptyAnswers[quirk]
  return target.video ? null : emptyAnswers[otherwise]
}

const isEmptyAnswer = (name: string): name is EmptyAnswer => Object.hasOwn(emptyAnswers, name)
