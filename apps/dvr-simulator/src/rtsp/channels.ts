import { matchStreamPath, type StreamPath } from '@vigia/rtsp/maker-urls'
import type { EncodedVideo } from '@vigia/video/access-units'
import type { EmptyAnswer, Quirk } from '../quirks.ts'

/** A stream without a file, or with one that cannot be used, is null. */
export interface Channel {
  readonly principal: EncodedVideo | null
  readonly sub: EncodedVideo | null
  readonly quirk: Quirk | null
}

/** The control name of the one track. */
export const TRACK = 'trackID=0'

/** What a request's URI points at: the address of a stream, or of the one track in it. */
export interface Target {
  readonly path: StreamPath
  readonly channel: Channel | null
  readonly video: EncodedVideo | null
  /** The URI less the track. */
  readonly base: string
}

/** Null for an address that no maker has. `channels` is numbered from 1. */
export function resolveTarget(uri: string, channels: readonly Channel[]): Target | null {
  // Clients put the control name behind the base, whether that ends in a query or in a slash of ours.
  const base = uri.replace(/\/(trackID=\d+)?$/i, '')
  const path = matchStreamPath(base.replace(/^rtsps?:\/\/[^/]*/i, ''))
  if (!path) return null
  const channel = channels[path.canal - 1] ?? null
  return { path, channel, video: channel?.[path.stream] ?? null, base }
}

const emptyAnswers = { vazio_404: 404, vazio_454: 454, vazio_503: 503, sem_video: 'sem_video' } as const

/** How an empty channel shows: a status, or a description without video. Null: there is video. */
export function emptiness(target: Target, otherwise: EmptyAnswer): 404 | 454 | 503 | 'sem_video' | null {
  const quirk = target.channel?.quirk?.defeito
  if (quirk !== undefined && isEmptyAnswer(quirk)) return emptyAnswers[quirk]
  return target.video ? null : emptyAnswers[otherwise]
}

const isEmptyAnswer = (name: string): name is EmptyAnswer => Object.hasOwn(emptyAnswers, name)
