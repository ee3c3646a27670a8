import { createArrivalClock } from './arrival-clock.ts'
import type { AudioConfig, AudioPacket } from './audio-config.ts'
import { type AudioFormat, createAudioTrack } from './audio-track.ts'

/** A packet of audio as a source delivers it. */
export interface SourceAudio {
  /** Time of its first sample from the peer's origin; null: none. */
  readonly ptsMs: number | null
  /** Valid during the call. */
  readonly data: Buffer
}

/** The audio of one run of a connection, aligned with its video. */
export interface AudioDelivery {
  readonly config: AudioConfig
  /** Takes the arrival of a picture, and returns audio that may be passed on. `now`: monotonic ms. */
  picture(timeMs: number, now: number): readonly AudioPacket[]
  packet(packet: SourceAudio, now: number): readonly AudioPacket[]
  close(): void
}

/**
 * Aligns audio and video by their arrival: the sender reports of many recorders are wrong. Returns null for a format
 * that cannot become AAC. `heldPictures`: of the source, see `PacketSource`.
 */
export function createAudioDelivery(format: AudioFormat, heldPictures: 0 | 1): AudioDelivery | null {
  const track = createAudioTrack(format)
  if (!track) return null
  const video = createArrivalClock()
  const audio = createArrivalClock()
  /** End of the last packet, for packets without a time. */
  let endMs = 0
  /** Stream time of the newest picture; null: none has arrived. */
  let newestMs: number | null = null
  let intervalMs = 0
  return {
    config: track.config,
    picture(timeMs, now) {
      if (newestMs !== null && timeMs > newestMs) intervalMs = Math.min(timeMs - newestMs, 200)
      newestMs = Math.max(timeMs, newestMs ?? 0)
      video.arrived(timeMs, now)
      return track.follow(newestMs)
    },
    packet({ ptsMs, data }, now) {
      const streamMs = video.at(now)
      // Before the first picture there is no stream time.
      if (streamMs === null || data.length === 0) return []
      const sourceMs = ptsMs ?? endMs
      const durationMs = track.durationMs(data)
      endMs = sourceMs + durationMs
      audio.arrived(endMs, now)
      const lateMs = (audio.at(now) ?? endMs) - endMs
      return track.push(data, streamMs + heldPictures * intervalMs - lateMs - durationMs)
    },
    close: track.close,
  }
}
