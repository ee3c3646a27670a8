import { matchStreamPath, type StreamPath } from '@vigia/rtsp/maker-urls'
import { matchPlaybackPath } from '@vigia/rtsp/playback-urls'
import type { EncodedVideo } from '@vigia/video/testing/access-units'
import type { EmptyAnswer, Quirk } from '../quirks.ts'
import type { EncodedAudio } from '../rtp/audio.ts'
import type { ChannelKeyframes } from '../rtp/keyframe-calls.ts'
import type { PausePoint } from '../rtp/pause-point.ts'
import type { Archive, ReplayPart } from './archive.ts'

/** Null for a stream without a file or with an unusable one. */
export interface Channel {
  readonly principal: EncodedVideo | null
  readonly sub: EncodedVideo | null
  readonly quirk: Quirk | null
  readonly pausePoint: PausePoint
  readonly keyframes: ChannelKeyframes
  /** Sound of its live streams; null: none. */
  readonly audio: EncodedAudio | null
}

/** Control names of the tracks. */
export const TRACK = 'trackID=0'
export const AUDIO_TRACK = 'trackID=1'

/** Target of a request's URI: a stream or one of its tracks. */
export interface Target {
  readonly path: Pick<StreamPath, 'canal' | 'stream' | 'usuario' | 'senha'>
  readonly channel: Channel | null
  readonly video: EncodedVideo | null
  /** The URI without the track. */
  readonly base: string
  /** The URI names the audio track. */
  readonly isAudio: boolean
  /** null: the live picture. */
  readonly part: ReplayPart | null
}

/** Path of the replay of an ONVIF recording, of which GetReplayUri informs the client. */
export const replayPath = (canal: number, stream: 'principal' | 'sub'): string => `/onvif/replay/${canal}/${stream}`

/** Returns null for an address that matches no maker's URL form. `channels` is numbered from 1. */
export function resolveTarget(uri: string, channels: readonly Channel[], archive: Archive | null): Target | null {
  // Clients append the control name to the base, also when the base ends in a query or a slash.
  const base = uri.replace(/\/(trackID=\d+)?$/i, '')
  // The second clause removes the mark of `redireciona_caminho`.
  const text = base.replace(/^rtsps?:\/\/[^/]*/i, '').replace(/[?&]movido=1$/, '')
  const live = matchStreamPath(text)
  const recorded = live || !archive ? null : matchRecorded(text, archive)
  const path = live ?? recorded?.path
  if (!path) return null
  const channel = channels[path.canal - 1] ?? null
  const isAudio = uri.endsWith(`/${AUDIO_TRACK}`)
  return { path, channel, video: channel?.[path.stream] ?? null, base, isAudio, part: recorded?.part ?? null }
}

function matchRecorded(text: string, archive: Archive): Pick<Target, 'path' | 'part'> | null {
  const [, canal, stream] = /^\/onvif\/replay\/(\d{1,3})\/(principal|sub)$/.exec(text) ?? []
  if (canal !== undefined) {
    const path = { canal: Number(canal), stream: stream === 'sub' ? 'sub' : 'principal' } as const
    return { path, part: { fromMs: 0, toMs: null, isOnvif: true } }
  }
  const asked = matchPlaybackPath(text)
  return asked && { path: asked, part: archive.partOf(asked) }
}

const emptyAnswers = { vazio_404: 404, vazio_454: 454, vazio_503: 503, sem_video: 'sem_video' } as const

/** Answer of an empty channel: a status, or a description without video. Null: the channel has video. */
export function emptiness(target: Target, otherwise: EmptyAnswer): 404 | 454 | 503 | 'sem_video' | null {
  const quirk = target.channel?.quirk?.defeito
  if (quirk !== undefined && isEmptyAnswer(quirk)) return emptyAnswers[quirk]
  return target.video ? null : emptyAnswers[otherwise]
}

const isEmptyAnswer = (name: string): name is EmptyAnswer => Object.hasOwn(emptyAnswers, name)
