import { calibracaoPadrao } from '@vigia/contracts/ias'
import type { Chance } from '@vigia/ias/chance'
import type { Track } from '@vigia/vision/track-state'
import { describe, expect, it } from 'vitest'
import type { Outcome } from './analyses.ts'
import { createDiscards } from './discards.ts'
import type { FramePictures } from './frame-pictures.ts'
import type { SeenDiscard } from './model.ts'

const BEGINNING = Date.UTC(2026, 10, 9, 15)
const box = { x: 0.4, y: 0.4, w: 0.1, h: 0.3 }
const track = (id: number): Track => ({
  id,
  rotulo: 'person',
  confianca: 0.5,
  box,
  hits: 5,
  firstSeenMs: 0,
  lastSeenMs: 0,
  misses: 0,
  predicted: false,
  stillMs: 0,
  thing: false,
  trail: [{ atMs: 0, box }],
})
const chance = (trackId: number, rest: Partial<Chance> = {}): Chance => ({
  trackId,
  visitTrackId: trackId,
  passage: 0,
  confianca: 0.42,
  area: 0.03,
  stop: 'conf',
  ...rest,
})
const outcome = (...chances: Chance[]): Outcome => ({
  ia: 'invasao',
  calibracao: calibracaoPadrao.invasao,
  fired: [],
  promising: [],
  state: null,
  chances,
})
const picture = { jpeg: Buffer.from('jpeg'), box }
const pictures: FramePictures = {
  streamMs: 0,
  width: 100,
  height: 100,
  sharpness: async () => 1,
  whole: async () => picture.jpeg,
  crop: async () => picture.jpeg,
  square: async () => picture,
}

function start() {
  const delivered: SeenDiscard[] = []
  const discards = createDiscards({
    cameraId: 7,
    trilhaOf: (id) => `t-${id}`,
    onDiscard: (one) => delivered.push(one),
  })
  const frame = (atMs: number, tracks: readonly Track[], ...chances: Chance[]) =>
    discards.take([outcome(...chances)], {
      pictures,
      time: { epochMs: BEGINNING + atMs, streamMs: atMs },
      tracks,
    })
  return { delivered, discards, frame }
}

describe('discarded candidates', () => {
  it('are delivered once when their track ends, with marks, path, reason and picture', async () => {
    const { delivered, frame } = start()
    await frame(0, [track(1)], chance(1))
    await frame(200, [track(1)], chance(1, { confianca: 0.6, stop: 'resfriamento' }))
    await frame(400, [track(1)], chance(1, { confianca: 0.5, stop: 'zona' }))
    expect(delivered).toEqual([])
    await frame(600, [])
    await frame(800, [])
    expect(delivered).toEqual([
      {
        camera_id: 7,
        ia: 'invasao',
        ocorrido_em: BEGINNING,
        motivo: 'resfriamento',
        trilha: 't-1',
        visita: 't-1',
        disparou_ms: null,
        completo: true,
        confianca: 0.6,
        omitidos: 0,
        calibracao: calibracaoPadrao.invasao,
        caixa: { rotulo: 'person', confianca: 0.6, ...box },
        trajeto: [{ ms: 0, ...box }],
        marcas: [
          [0, 0.42, 0.03, 0],
          [200, 0.6, 0.03, 0],
          [400, 0.5, 0.03, 1],
        ],
        jpeg: picture.jpeg,
      },
    ])
  })

  it('continue the track of an event without a picture, up to a minute', async () => {
    const { delivered, frame } = start()
    await frame(0, [track(1)], chance(1, { stop: null }))
    for (let atMs = 200; atMs <= 70_000; atMs += 200)
      await frame(atMs, [track(1)], chance(1, { confianca: 0.7, stop: 'alertado' }))
    await frame(71_000, [])
    expect(delivered).toMatchObject([{ motivo: 'alertado', disparou_ms: 0, completo: false, jpeg: null }])
    const marks = delivered[0]?.marcas ?? []
    expect(marks.length).toBeLessThanOrEqual(128)
    expect(marks[0]?.[0]).toBe(0)
  })

  it('are left out far below conf, and above sixty an hour, and are counted', async () => {
    const { delivered, frame } = start()
    await frame(0, [track(1)], chance(1, { confianca: 0.29 }))
    await frame(200, [])
    expect(delivered).toEqual([])
    for (let id = 2; id <= 66; id++) {
      await frame(id * 400, [track(id)], chance(id))
      await frame(id * 400 + 200, [])
    }
    expect(delivered).toHaveLength(60)
    await frame(3_600_000, [track(99)], chance(99))
    await frame(3_600_200, [])
    expect(delivered.at(-1)).toMatchObject({ trilha: 't-99', omitidos: 5 })
  })

  it('follow a stay beyond its required time, and count short stays apart from the others', async () => {
    const { delivered, discards } = start()
    const calibracao = { ...calibracaoPadrao.permanencia, permanencia_s: 30 }
    const frame = (atMs: number, tracks: readonly Track[], ...chances: Chance[]) =>
      discards.take([{ ...outcome(...chances), ia: 'permanencia', calibracao }], {
        pictures,
        time: { epochMs: BEGINNING + atMs, streamMs: atMs },
        tracks,
      })
    const short = (id: number) => chance(id, { stop: 'duracao', confianca: 0.8 })
    for (let atMs = 0; atMs <= 300_000; atMs += 1_000) await frame(atMs, [track(1)], short(1))
    expect(delivered).toEqual([])
    await frame(330_000, [track(1)], short(1))
    expect(delivered).toMatchObject([{ ia: 'permanencia', motivo: 'duracao', completo: false, disparou_ms: null }])
    for (let id = 2; id <= 70; id++) {
      await frame(400_000 + id * 400, [track(id)], short(id))
      await frame(400_200 + id * 400, [])
    }
    expect(delivered).toHaveLength(60)
    await frame(500_000, [track(99)], chance(99))
    await frame(500_200, [])
    expect(delivered.at(-1)).toMatchObject({ trilha: 't-99', motivo: 'conf', omitidos: 10 })
  })
})
