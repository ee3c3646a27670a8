import { describe, expect, it } from 'vitest'
import { openAacEncoder } from './aac-encoder.ts'
import { type AudioPacket, audioConfig, FRAME_SAMPLES } from './audio-config.ts'
import { type AudioTrack, createAudioTrack } from './audio-track.ts'
import { decodeG711, encodeG711 } from './g711.ts'

const PACKET_MS = 20
const g711 = () => createAudioTrack({ codec: 'pcma', sampleRate: 8000 }) as AudioTrack
/** 20 ms of silence. */
const packet = Buffer.alloc(160, 0xd5)
const UNIT_MS = (FRAME_SAMPLES * 1000) / 8000
/** The encoder holds two units beside the one that fills. */
const LATE_MS = 4.2 * UNIT_MS

const gapless = (packets: readonly AudioPacket[]) =>
  packets.every(({ timeMs }, i) => i === 0 || Math.abs(timeMs - (packets[i - 1]?.timeMs ?? 0) - UNIT_MS) < 0.001)

const play = (track: AudioTrack, fromMs: number, toMs: number) =>
  Array.from({ length: (toMs - fromMs) / PACKET_MS }, (_, i) => track.push(packet, fromMs + i * PACKET_MS)).flat()

describe('a track of G.711', () => {
  it('has units of 128 ms; the first one holds no sound and lies before the first sample', () => {
    const track = g711()
    const packets = play(track, 1000, 3000)
    expect(packets[0]?.timeMs).toBe(1000 - UNIT_MS)
    expect(gapless(packets)).toBe(true)
    expect(3000 - (packets.at(-1)?.timeMs ?? 0)).toBeLessThan(LATE_MS)
    track.close()
  })

  it('fills missing audio with silence, and drops what comes too late', () => {
    const track = g711()
    const packets = [...play(track, 0, 1000), ...play(track, 2000, 3000)]
    expect(gapless(packets)).toBe(true)
    expect(packets.at(-1)?.timeMs).toBeGreaterThan(3000 - LATE_MS)
    expect(play(track, 1000, 2000)).toEqual([])
    track.close()
  })

  it('accepts jitter without silence', () => {
    const track = g711()
    const jittered = Array.from({ length: 100 }, (_, i) => track.push(packet, i * PACKET_MS + (i % 7) * 20 - 60)).flat()
    expect(gapless(jittered)).toBe(true)
    expect(Math.abs((jittered.at(-1)?.timeMs ?? 0) - 2000)).toBeLessThan(LATE_MS)
    track.close()
  })

  it('follows the video with silence when the camera sends no audio', () => {
    const track = g711()
    const packets = Array.from({ length: 100 }, (_, i) => track.follow(i * 100)).flat()
    expect(gapless(packets)).toBe(true)
    expect(9900 - (packets.at(-1)?.timeMs ?? 0)).toBeLessThan(1000)
    track.close()
  })

  it('begins again after an interruption of more than ten seconds', () => {
    const track = g711()
    const packets = [...play(track, 0, 1000), ...play(track, 60_000, 61_000)]
    expect(packets.length).toBeLessThan(20)
    expect(packets.at(-1)?.timeMs).toBeGreaterThan(61_000 - LATE_MS)
    track.close()
  })
})

it('refuses what cannot become AAC-LC', () => {
  expect(createAudioTrack({ codec: 'pcma', sampleRate: 8001 })).toBeNull()
  const specifics = ['', '12', '2b8a', '17f8', '1598', '158c']
  for (const specific of specifics) expect(audioConfig(Buffer.from(specific, 'hex'))).toBeNull()
  const encoder = openAacEncoder(48_000, 2)
  expect(audioConfig(encoder.specific)).toMatchObject({ codecs: 'mp4a.40.2', sampleRate: 48_000, channels: 2 })
  encoder.close()
})

it('decodes G.711 as ITU-T defines it', () => {
  const samples = new Float32Array(4)
  decodeG711('pcma', Buffer.from([0xd5, 0x55, 0xaa, 0x2a]), samples, 0)
  expect([...samples].map((value) => value * 32_768)).toEqual([8, -8, 32_256, -32_256])
  decodeG711('pcmu', Buffer.from([0xff, 0x7f, 0x80, 0x00]), samples, 0)
  expect([...samples].map((value) => Math.abs(value * 32_768))).toEqual([0, 0, 32_124, 32_124])
  expect(samples[2]).toBeGreaterThan(0)
  for (const law of ['pcma', 'pcmu'] as const) {
    decodeG711(law, Buffer.from([encodeG711(law, 0.25)]), samples, 0)
    expect(samples[0]).toBeCloseTo(0.25, 1)
  }
})
