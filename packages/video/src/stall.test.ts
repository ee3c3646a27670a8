import { describe, expect, it } from 'vitest'
import { type PacketProgress, type PictureProgress, packetsStalled, picturesStalled } from './stall.ts'

const ofPackets = (changes: Partial<PacketProgress>, now: number) =>
  packetsStalled({ openedAt: 0, firstPacketAt: null, lastPacketAt: null, keyframeSeen: false, ...changes }, now, 1000)
    ?.failure ?? null
const ofPictures = (progress: PictureProgress, now: number) => picturesStalled(progress, now, 1000)?.failure ?? null

describe('packetsStalled', () => {
  it('waits for the first packet, then reports that none came', () => {
    expect(ofPackets({}, 1000)).toBeNull()
    expect(ofPackets({}, 1001)).toBe('sem_quadros')
  })

  it('reports packets that stop', () => {
    const changes = { firstPacketAt: 0, lastPacketAt: 5000, keyframeSeen: true }
    expect(ofPackets(changes, 6000)).toBeNull()
    expect(ofPackets(changes, 6001)).toBe('video_parado')
  })

  it('waits longer for the first keyframe', () => {
    expect(ofPackets({ firstPacketAt: 0, lastPacketAt: 3000 }, 3000)).toBeNull()
    expect(ofPackets({ firstPacketAt: 0, lastPacketAt: 3000 }, 3001)).toBe('dados_invalidos')
    expect(ofPackets({ firstPacketAt: 0, lastPacketAt: 60_000, keyframeSeen: true }, 60_000)).toBeNull()
  })
})

describe('picturesStalled', () => {
  it('reports keyframes that do not decode', () => {
    expect(ofPictures({ lastFrameAt: 3900, keyframeAt: 4000 }, 5000)).toBeNull()
    expect(ofPictures({ lastFrameAt: 3900, keyframeAt: 4000 }, 5001)).toBe('dados_invalidos')
    expect(ofPictures({ lastFrameAt: null, keyframeAt: 4000 }, 5001)).toBe('dados_invalidos')
  })

  it('waits longer for a keyframe after damage', () => {
    expect(ofPictures({ lastFrameAt: 1000, keyframeAt: null }, 4000)).toBeNull()
    expect(ofPictures({ lastFrameAt: 1000, keyframeAt: null }, 4001)).toBe('dados_invalidos')
  })
})
