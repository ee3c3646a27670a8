import { LONGEST_GROUP_MS } from '@vigia/contracts/keyframes'
import { expect, it } from 'vitest'
import { mediaStalled } from './stall.ts'

type Progress = Parameters<typeof mediaStalled>[0]

const nothing: Progress = {
  lastPacketAtMs: null,
  lastUnitAtMs: null,
  skipped: null,
  damage: null,
  foreignStructure: null,
}
/** The failure at `atMs` of a session that plays since 0, with a packet since 0 and a limit of 1 s. */
const failureAt = (atMs: number, progress: Partial<Progress>) =>
  mediaStalled({ ...nothing, lastPacketAtMs: atMs, ...progress }, { playingAtMs: 0, firstPacketAtMs: 0, atMs }, 1_000)
    ?.failure ?? null

it('waits for the first packet, and for the next one', () => {
  const silent = { playingAtMs: 0, firstPacketAtMs: null }
  expect(mediaStalled(nothing, { ...silent, atMs: 1_000 }, 1_000)).toBeNull()
  expect(mediaStalled(nothing, { ...silent, atMs: 1_001 }, 1_000)?.failure).toBe('sem_quadros')
  expect(failureAt(6_001, { lastPacketAtMs: 5_000, lastUnitAtMs: 5_000 })).toBe('video_parado')
})

it('ends a stream whose packets are no pictures', () => {
  expect(failureAt(3_000, {})).toBeNull()
  expect(failureAt(3_001, {})).toBe('dados_invalidos')
  expect(failureAt(3_001, { foreignStructure: 'MTAP' })).toBe('codec_nao_suportado')
})

it('waits for the keyframe of the longest group while pictures arrive', () => {
  const skipped = (lastAtMs: number) => ({ skipped: { sinceMs: 0, lastAtMs } })
  expect(failureAt(120_000, skipped(119_900))).toBeNull()
  expect(failureAt(LONGEST_GROUP_MS, skipped(LONGEST_GROUP_MS))).toBeNull()
  expect(failureAt(LONGEST_GROUP_MS + 1, skipped(LONGEST_GROUP_MS))).toBe('sem_quadro_chave')
  // The pictures have turned to garbage.
  expect(failureAt(60_000, skipped(50_000))).toBe('dados_invalidos')
})

it('waits for no further keyframe after several damaged ones', () => {
  const skipped = { sinceMs: 0, lastAtMs: 1_900 }
  expect(failureAt(2_000, { skipped, damage: { detail: 'faltando' } })).toBe('video_danificado')
})

it('waits as long for the next keyframe after a lost packet', () => {
  const lost = { lastUnitAtMs: 10_000, skipped: { sinceMs: 10_100, lastAtMs: 129_900 } }
  expect(failureAt(130_000, lost)).toBeNull()
})
