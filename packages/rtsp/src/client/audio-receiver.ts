import type { SdpAudio } from '../sdp.ts'
import type { Channels } from './addresses.ts'
import type { AudioFormatReader } from './audio-format.ts'
import { isRtcp } from './rtcp.ts'
import { createSequenceTracker, emptyPacket, readRtp } from './rtp.ts'

/** A packet of audio in its own memory. */
export interface RtspAudioPacket {
  /** Time of its first sample from the first packet of the track, in ms. */
  readonly ptsMs: number
  readonly data: Buffer
}

export interface AudioReceiver {
  /** Whether a frame on this channel belongs to the audio. `videoType`: payload type of the video. */
  owns(channel: number, bytes: Buffer, start: number, end: number, videoType: number): boolean
  frame(bytes: Buffer, start: number, end: number): void
}

/**
 * Turns the frames of one audio track into packets. After a lost packet an incomplete unit is dropped: the reader fills
 * the gap by the times. Reports of the sender are skipped, because readers align audio by its arrival.
 */
export function createAudioReceiver(
  { payloadType }: SdpAudio,
  { payloads, clockRate, packetTicks }: AudioFormatReader,
  channels: Channels,
  onPacket: (packet: RtspAudioPacket) => void,
): AudioReceiver {
  const packet = emptyPacket()
  const sequence = createSequenceTracker()
  let ssrc: number | null = null
  let last: number | null = null
  let ticks = 0

  function changeSource(): void {
    ssrc = packet.ssrc
    last = null
    sequence.reset()
    payloads.lost()
  }

  return {
    owns(channel, bytes, start, end, videoType) {
      if (isRtcp(bytes, start, end)) return channel === channels.rtcp || channel === channels.rtp
      // Some servers send on another channel than the one that they granted.
      return ((bytes[start + 1] ?? 0) & 0x7f) === payloadType && (payloadType !== videoType || channel === channels.rtp)
    },
    frame(bytes, start, end) {
      if (isRtcp(bytes, start, end)) return
      if (!readRtp(bytes, start, end, packet) || packet.payloadType !== payloadType) return
      if (ssrc !== packet.ssrc) changeSource()
      const order = sequence.judge(packet.sequence)
      if (order === 'old') return
      if (order === 'gap') payloads.lost()
      if (last !== null) ticks += (packet.timestamp - last) | 0
      last = packet.timestamp
      const found = payloads.take(bytes.subarray(packet.start, packet.end), packet.marker)
      for (const [index, data] of found.entries())
        onPacket({ ptsMs: ((ticks + index * (packetTicks ?? 0)) * 1000) / clockRate, data })
    },
  }
}
