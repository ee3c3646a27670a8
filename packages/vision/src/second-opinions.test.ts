import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Caixa } from '@vigia/contracts/eventos'
import { ia, type NomeIa } from '@vigia/contracts/ias'
import type { Box } from '@vigia/ias/geometry'
import sharp from 'sharp'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSecondOpinions, type SecondOpinions } from './second-opinions.ts'
import { bring, toyClassifier, toyDetector } from './testing/models.ts'
import { patio, readPatio } from './testing/still.ts'

const caixa = (rotulo: string, place: Box): Caixa => ({ rotulo, confianca: 0.5, ...place })
/** A box that the first model doubts. */
const doubtful = (rotulo: string, place: Box): Caixa => ({ ...caixa(rotulo, place), confianca: 0.12 })
const PLACE = { x: 0.1, y: 0.6, w: 0.1, h: 0.1 }

let frame: Buffer
let folder: string
let opinions: SecondOpinions | null
beforeAll(async () => {
  frame = await readPatio()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigia-second-'))
  opinions = null
})
afterEach(async () => {
  await opinions?.close()
  await rm(folder, { recursive: true })
})

const assess = (nome: NomeIa, caixas: Caixa[], picture = frame, whole: Buffer | null = picture) => {
  opinions ??= createSecondOpinions({ folder })
  return opinions.assess({ ia: nome, frame: whole, crop: picture, caixas, conf: 0.5, detalhes: {} })
}
/** The yard with one colour around `place`: the small classifiers classify colours. */
const painted = (colour: string, { x, y, w, h }: Box = PLACE) => {
  const [width, height] = [Math.round(w * 768 * 3), Math.round(h * 576 * 3)]
  const input = { create: { width, height, channels: 3, background: colour } } as const
  const [left, top] = [Math.max(0, Math.round((x - w) * 768)), Math.round((y - h) * 576)]
  return sharp(frame).composite([{ input, left, top }]).jpeg({ quality: 95 }).toBuffer()
}

describe('objects', () => {
  it.each(['invasao', 'cruzamento_linha', 'permanencia'] as const)(
    '%s: confirms a person, refutes an empty lawn',
    async (nome) => {
      const yes = await assess(nome, [caixa('person', patio.people[0])])
      expect(yes).toMatchObject({ decisao: 'confirmado', modelo: 'ssdlite-mobilenetv2-300' })
      expect((await assess(nome, [doubtful('person', patio.lawn)])).decisao).toBe('refutado')
    },
  )

  it('veiculo: confirms a van and doubts an empty lawn', async () => {
    expect((await assess('veiculo', [caixa('car', patio.van)])).decisao).toBe('confirmado')
    const lawn = await assess('veiculo', [doubtful('car', patio.lawn)])
    expect(lawn).toMatchObject({ decisao: 'confirmado', certeza: 'baixa' })
  })

  it('aglomeracao: confirms if half of the boxes are people', async () => {
    const people = patio.people.slice(0, 3).map((place) => caixa('person', place))
    const shadows = [0, 0.1, 0.2, 0.3].map((x) => doubtful('person', { ...patio.lawn, x: patio.lawn.x + x, h: 0.1 }))
    expect((await assess('aglomeracao', [...people, ...shadows.slice(0, 3)])).decisao).toBe('confirmado')
    expect((await assess('aglomeracao', [...people.slice(0, 1), ...shadows])).decisao).toBe('refutado')
  })

  it('objeto_abandonado: is uncertain about a bag on an empty lawn', async () => {
    const opinion = await assess('objeto_abandonado', [caixa('backpack', { ...PLACE, x: 0.5 })])
    expect(opinion).toMatchObject({ decisao: 'confirmado', certeza: 'baixa' })
  })
})

describe('fogo and fumaca', () => {
  beforeEach(() =>
    bring(folder, 'brasa', toyClassifier(), {
      tarefa: 'fogo',
      decodificador: 'classificador',
      rotulos: ['fire', '', 'smoke'],
    }),
  )

  it.each([
    ['fogo', 'fire', '#ff0000', /^Havia fogo no mesmo lugar\.$/],
    ['fumaca', 'smoke', '#0000ff', /^Havia fumaça ou fogo no mesmo lugar\.$/],
    ['fumaca', 'smoke', '#ff0000', /^Havia fumaça ou fogo/],
  ] as const)('%s with %s is confirmed on %s', async (nome, rotulo, colour, motivo) => {
    const opinion = await assess(nome, [caixa(rotulo, PLACE)], await painted(colour))
    expect(opinion).toMatchObject({ decisao: 'confirmado', certeza: 'alta', modelo: 'brasa' })
    expect(opinion.motivo).toMatch(motivo)
    expect(opinion.confianca).toBeGreaterThanOrEqual(0.8)
  })

  it.each([
    ['fogo', 'fire', '#30ff00'],
    ['fogo', 'fire', '#00ff00'],
    ['fogo', 'fire', '#0000ff'],
    ['fumaca', 'smoke', '#00ff00'],
  ] as const)('%s with %s is uncertain on %s, never refuted', async (nome, rotulo, colour) => {
    const opinion = await assess(nome, [caixa(rotulo, PLACE)], await painted(colour))
    expect(opinion).toMatchObject({ decisao: 'confirmado', certeza: 'baixa' })
    expect(opinion.motivo).toMatch(/^Não é certo que seja (fogo|fumaça ou fogo)\. Confira a imagem/)
  })

  it('inspects the box, not the rest of the picture', async () => {
    const elsewhere = [caixa('fire', { ...PLACE, x: 0.8 })]
    const green = sharp({ create: { width: 768, height: 576, channels: 3, background: '#00ff00' } })
    const input = { create: { width: 200, height: 200, channels: 3, background: '#ff0000' } } as const
    const picture = await green
      .composite([{ input, left: 20, top: 280 }])
      .jpeg()
      .toBuffer()
    expect((await assess('fogo', elsewhere, picture)).certeza).toBe('baixa')
    expect((await assess('fogo', [caixa('fire', PLACE)], picture)).certeza).toBe('alta')
    expect((await assess('fogo', [], picture, null)).certeza).toBe('baixa')
  })
})

describe('epi', () => {
  const [person] = patio.people
  const head = { x: person.x + 0.01, y: person.y, w: 0.025, h: 0.03 }
  const boxes = [caixa('person', person), caixa('no_hardhat', head)]
  beforeEach(() =>
    bring(folder, 'cabeca', toyClassifier(), {
      tarefa: 'epi',
      decodificador: 'classificador',
      rotulos: ['no_hardhat', 'hardhat', 'no_vest'],
    }),
  )

  it('confirms an alarm when the item is missing', async () => {
    const opinion = await assess('epi', boxes, await painted('#ff0000', head))
    expect(opinion).toMatchObject({ decisao: 'confirmado', modelo: 'cabeca' })
    expect(opinion.motivo).toBe('A pessoa estava sem capacete.')
  })

  it('does not refute by the classifier of an installer, whose errors are unknown', async () => {
    const opinion = await assess('epi', boxes, await painted('#00ff00', head))
    expect(opinion).toMatchObject({ decisao: 'confirmado', certeza: 'baixa' })
    expect(opinion.motivo).toContain('Confira a imagem')
  })

  it('confirms an alarm with one missing item of two', async () => {
    const chest = { ...head, x: 0.2, y: 0.6 }
    const two = [...boxes, caixa('no_vest', chest)]
    const opinion = await assess('epi', two, await painted('#0000ff', chest))
    expect(opinion).toMatchObject({ decisao: 'confirmado', motivo: expect.stringContaining('colete') })
  })

  it('without a finding requires a person in the picture and asks for a human check', async () => {
    const dark = await painted('#050505', head)
    // The painted square hides the head only; the person is seen below it.
    expect(await assess('epi', boxes, dark)).toMatchObject({
      decisao: 'confirmado',
      certeza: 'baixa',
      motivo: expect.stringContaining('Confira a imagem'),
    })
    const lawn = [caixa('person', patio.lawn), caixa('no_hardhat', { ...PLACE, w: 0.03, h: 0.03 })]
    const empty = await assess('epi', lawn, await painted('#050505', { ...PLACE, w: 0.03, h: 0.03 }))
    expect(empty.decisao).toBe('refutado')
  })

  it('uses the crop when the frame is not stored', async () => {
    const red = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#ff0000' } })
      .jpeg()
      .toBuffer()
    expect((await assess('epi', boxes, red, null)).decisao).toBe('confirmado')
  })
})

it('uses an installed detector for confirmation', async () => {
  await bring(folder, 'chama', toyDetector([[32, 32, 32, 32, 1, 0]], true), {
    tarefa: 'fogo',
    uso: 'confirmacao',
    decodificador: 'yolov8',
    rotulos: ['fire', 'smoke'],
  })
  const seen = await assess('fogo', [caixa('fire', PLACE)], await painted('#00ff00'))
  expect(seen).toMatchObject({ decisao: 'confirmado', modelo: 'chama' })
  const red = await painted('#ff0000')
  expect((await assess('fogo', [caixa('fire', PLACE)], red)).certeza).toBe('baixa')
  // Below the confidence threshold the alarm relied on flicker, which a picture does not show.
  const flickering = await assess('fogo', [{ ...caixa('fire', PLACE), confianca: 0.3 }], red)
  expect(flickering).toMatchObject({ certeza: 'baixa', motivo: expect.stringContaining('tremula') })
})

it('reports an unusable model, uses the others and retries', async () => {
  const manifest = { tarefa: 'fogo', decodificador: 'classificador', rotulos: ['fire', '', 'smoke'] }
  await bring(folder, 'brasa', toyClassifier(), manifest)
  await truncate(join(folder, 'brasa.onnx'), 100)
  const fire = [caixa('fire', PLACE)]
  await expect(assess('fogo', fire)).rejects.toMatchObject({
    code: 'interno',
    detalhe: expect.stringContaining('brasa'),
  })
  expect((await assess('invasao', [caixa('person', patio.people[0])])).decisao).toBe('confirmado')
  await bring(folder, 'brasa', toyClassifier(), manifest)
  expect((await assess('fogo', fire)).modelo).toBe('brasa')
})

it('judges every IA except plates', async () => {
  const lawn = [caixa('person', patio.lawn), caixa('no_vest', PLACE), caixa('fire', PLACE), caixa('smoke', PLACE)]
  expect((await assess('epi', lawn)).modelo).toMatch(/^epi-/)
  expect((await assess('fogo', lawn)).modelo).toMatch(/^fogo-/)
  expect((await assess('fumaca', lawn)).modelo).toMatch(/^fogo-/)
  await expect(assess('placa', [])).rejects.toMatchObject({ code: 'interno' })
  expect(ia('camera_obstruida').modelo).toBeNull()
  expect(await assess('camera_obstruida', [])).toMatchObject({ decisao: 'confirmado', modelo: 'medida-da-imagem' })
})
