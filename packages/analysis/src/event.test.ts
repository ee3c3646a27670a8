import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { calibracaoPadrao } from '@vigia/contracts/ias'
import { openStill } from '@vigia/video/testing/still'
import { expect, it } from 'vitest'
import { createEvent } from './event.ts'
import { createFramePictures } from './frame-pictures.ts'
import { createSnapshots } from './snapshots.ts'

const patio = fileURLToPath(new URL('../../vision/fixtures/patio.jpg', import.meta.url))

it('has at least the confidence of the frame that fired, also if the best picture has less', async () => {
  const held = await openStill(await readFile(patio))
  if (!held) throw new Error('not readable')
  const pictures = createFramePictures(held.frame, 0)
  const box = { x: 0.4, y: 0.4, w: 0.2, h: 0.4 }
  const eventOf = async (best: number, now: number) => {
    const snapshots = createSnapshots()
    await snapshots.consider(1, [{ rotulo: 'truck', confianca: best, ...box }], pictures)
    const caixas = [{ rotulo: 'car', confianca: now, ...box }]
    const about = { camera_id: 1, ocorrido_em: 0, calibracao: calibracaoPadrao.veiculo, modelo: 'm' }
    const fired = {
      ia: 'veiculo',
      trackIds: [1],
      caixas,
      confianca: now,
      rotulos: ['car'],
      zona: null,
      detalhes: {},
    } as const
    return (await createEvent(fired, about, { best: snapshots.best(1), track: null, pictures })).candidate
  }
  try {
    const unsure = await eventOf(0.42, 0.55)
    expect(unsure.confianca).toBe(0.55)
    expect(unsure.caixas[0]?.confianca).toBe(0.42)
    expect((await eventOf(0.9, 0.55)).confianca).toBe(0.9)
  } finally {
    await held.release()
  }
})
