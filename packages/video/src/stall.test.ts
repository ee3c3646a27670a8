import { LONGEST_GROUP_MS } from '@vigia/contracts/keyframes'
import { describe, expect, it } from 'vitest'
import { type PacketProgress, type PictureProgress, packetsStalled, picturesStalled } from './stall.ts'

const unopened: PacketProgress = {
  openedAt: null,
  firstPacketAt: null,
  lastPacketAt: null,
  keyframeSeen: false,
  lastSkippedAt: null,
}
const ofPackets = (changes: Partial<PacketProgress>, now: number) =>
  packetsStalled({ ...unopened, openedAt: 0, ...changes }, now, 1000)?.failure ?? null
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

  it('waits for the keyframe of the longest group while pictures arrive', () => {
    const since0 = (now: number) => ({ firstPacketAt: 0, lastPacketAt: now, lastSkippedAt: now })
    expect(ofPackets(since0(120_000), 120_000)).toBeNull()
    expect(ofPackets(since0(LONGEST_GROUP_MS), LONGEST_GROUP_MS)).toBeNull()
    expect(ofPackets(since0(LONGEST_GROUP_MS + 1), LONGEST_GROUP_MS + 1)).toBe('sem_quadro_chave')
    expect(ofPackets({ ...since0(60_000), lastSkippedAt: 50_000 }, 60_000)).toBe('dados_invalidos')
  })

  it('ends a stream whose packets are no pictures', () => {
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

  it('waits for the keyframe of the longest group after damage', () => {
    const damaged = { lastFrameAt: 1000, keyframeAt: null }
    expect(ofPictures(damaged, 1000 + LONGEST_GROUP_MS)).toBeNull()
    expect(ofPictures(damaged, 1001 + LONGEST_GROUP_MS)).toBe('sem_quadro_chave')
  })
})
