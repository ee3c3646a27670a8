import { expect, it } from 'vitest'
import { voteColour } from './colour-vote.ts'
import type { SeenColour } from './paint-colour.ts'
import { createPassage } from './passage.ts'
import type { VehicleDetection } from './vehicle-detection.ts'

const blue: SeenColour = { cor: 'azul', certainty: 0.8 }
const black: SeenColour = { cor: 'preto', certainty: 0.6 }

it('has no colour before a second frame agrees', () => {
  expect(voteColour([])).toBeNull()
  expect(voteColour([{ cor: 'azul', certainty: 1 }])).toBeNull()
  expect(voteColour([blue, blue])).toBe('azul')
})

it('outvotes single frames, and has no colour while frames disagree', () => {
  expect(voteColour([blue, black, blue, blue])).toBe('azul')
  expect(voteColour([blue, black, blue, black])).toBeNull()
})

it('keeps the votes of an absorbed passage', async () => {
  const settings = { cameraId: 1, linha: [], confPlaca: 0.8, modelo: 'leitor' }
  const at = (streamMs: number) => ({ streamMs, epochMs: streamMs })
  const detectionAt = (x: number): VehicleDetection => ({
    rotulo: 'car',
    confianca: 0.9,
    trackId: 1,
    box: { x, y: 0.2, w: 0.3, h: 0.3 },
  })
  const passageOf = async (colour: SeenColour) => {
    const passage = createPassage(settings, detectionAt(0), at(0), 't-1')
    for (const streamMs of [0, 2_000]) passage.see(detectionAt(streamMs / 5_000), at(streamMs))
    const read = {
      readings: [],
      heightPx: 0,
      epochMs: 0,
      vehicle: detectionAt(0),
      plate: null,
      qualidade: null,
      colour,
    }
    await passage.read({ ...read, media: async () => [] }, 0)
    return passage
  }
  const passage = await passageOf(blue)
  passage.absorb(await passageOf(blue))
  expect(passage.report(true)?.cor).toBe('azul')
  expect((await passageOf(blue)).report(true)?.cor).toBeNull()
})
