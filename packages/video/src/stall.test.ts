import { describe, expect, it } from 'vitest'
import { type Progress, stalled } from './stall.ts'

const progress = (changes: Partial<Progress>): Progress => ({
  openedAt: 0,
  firstPacketAt: null,
  lastPacketAt: null,
  lastFrameAt: null,
  keyframeAt: null,
  ...changes,
})
const verdict = (changes: Partial<Progress>, now: number) => stalled(progress(changes), now, 1000)?.failure ?? null

describe('stalled', () => {
  it('waits for the first packet, then says that none came', () => {
    expect(verdict({}, 1000)).toBeNull()
    expect(verdict({}, 1001)).toBe('sem_quadros')
  })

  it('says when packets stop', () => {
    expect(verdict({ firstPacketAt: 0, lastPacketAt: 5000, lastFrameAt: 5000 }, 6000)).toBeNull()
    expect(verdict({ firstPacketAt: 0, lastPacketAt: 5000, lastFrameAt: 5000 }, 6001)).toBe('video_parado')
  })

  it('says when keyframes come and none decodes', () => {
    const changes = { firstPacketAt: 0, lastPacketAt: 5000, lastFrameAt: 3900, keyframeAt: 4000 }
    expect(verdict(changes, 5000)).toBeNull()
    expect(verdict(changes, 5001)).toBe('dados_invalidos')
  })

  it('is patient while no keyframe has come', () => {
    expect(verdict({ firstPacketAt: 0, lastPacketAt: 3000 }, 3000)).toBeNull()
    expect(verdict({ firstPacketAt: 0, lastPacketAt: 3000 }, 3001)).toBe('dados_invalidos')
  })
})
