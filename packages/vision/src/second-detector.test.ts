import type { Caixa } from '@vigia/contracts/eventos'
import type { Box } from '@vigia/ias/geometry'
import { type Alarm, type Detected, judgeScored, type Opinion } from '@vigia/ias/judging'
import { SCORE_FACTORS } from '@vigia/ias/verdict-calibration'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultSecondOpinionId, modelManifest } from './registry.ts'
import { createSecondDetector } from './second-detector.ts'
import type { AlarmPictures, SecondModel } from './second-model.ts'
import { createDice } from './testing/footage.ts'
import { patio, readPatio } from './testing/still.ts'

async function addNoise(picture: Sharp, deviation: number): Promise<Sharp> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  const dice = createDice(7)
  for (let i = 0; i < data.length; i++)
    data[i] = Math.min(255, Math.max(0, (data[i] ?? 0) + (dice() + dice() + dice() - 1.5) * 2 * deviation))
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
}
const isSure = ({ decisao, certeza }: Opinion) => decisao === 'confirmado' && certeza === 'alta'
const caixa = (place: Box, rotulo = 'person'): Caixa => ({ rotulo, confianca: 0.12, ...place })

describe('createSecondDetector', () => {
  let detector: SecondModel<Detected>
  let frame: Buffer
  beforeAll(async () => {
    detector = await createSecondDetector(modelManifest(defaultSecondOpinionId))
    frame = await readPatio()
  })
  afterAll(() => detector.close())

  const judge = async (pictures: AlarmPictures, rotulos = ['person'], fonte?: Alarm['fonte']) => {
    const found = await detector.inspect(pictures, { rotulos, factors: SCORE_FACTORS })
    return judgeScored(
      found,
      { caixas: pictures.caixas, rotulos, conf: 0.45, detalhes: {}, ...(fonte && { fonte }) },
      0,
    )
  }
  const assess = (caixas: Caixa[], rotulos?: string[]) => judge({ frame, crop: frame, caixas }, rotulos)

  it.each(patio.people.map((place, index) => [index, place] as const))('confirms person %i', async (_, place) => {
    const { decisao, confianca, motivo } = await assess([caixa(place)])
    expect(decisao).toBe('confirmado')
    expect(motivo).toMatch(/^(Havia pessoa no mesmo lugar|Não é certo que seja pessoa)/)
    expect(confianca).toBeGreaterThanOrEqual(0.5)
  })

  it('refutes a person whose box shows an empty lawn', async () => {
    const { decisao, certeza, confianca, motivo } = await assess([caixa(patio.lawn)])
    expect([decisao, certeza]).toEqual(['refutado', 'alta'])
    expect(motivo).toBe('Não havia pessoa na região do alerta.')
    expect(confianca).toBeGreaterThan(0.95)
  })

  it('does not confirm surely a person whose box shows a traffic cone', async () => {
    expect(isSure(await assess([caixa(patio.cone)]))).toBe(false)
  })

  it('refutes nothing that the first model is sure of', async () => {
    const opinion = await assess([{ ...caixa(patio.lawn), confianca: 0.6 }])
    expect(opinion).toMatchObject({ decisao: 'confirmado', certeza: 'baixa' })
    expect(opinion.motivo).toContain('Confira a imagem')
  })

  it('refutes a doubtful candidate on the main stream', async () => {
    const pictures = { frame, crop: frame, caixas: [{ ...caixa(patio.lawn), confianca: 0.5 }] }
    expect((await judge(pictures)).decisao).toBe('confirmado')
    expect((await judge(pictures, ['person'], 'principal')).decisao).toBe('refutado')
  })

  it.each([
    ['noisy', 'com ruído demais', (picture: Sharp) => addNoise(picture, 40)],
    ['dark', 'escura demais', async (picture: Sharp) => picture.linear(0.15, 0)],
    ['blurred', 'desfocada demais', async (picture: Sharp) => picture.blur(4)],
  ] as const)('refutes nothing in a %s picture', async (_, words, spoil) => {
    const picture = await (await spoil(sharp(frame))).jpeg().toBuffer()
    const opinion = await judge({ frame: picture, crop: picture, caixas: [caixa(patio.lawn)] })
    expect(opinion).toMatchObject({ decisao: 'confirmado', certeza: 'baixa' })
    expect(opinion.motivo).toContain(words)
  })

  it('ignores a person beside the box', async () => {
    const [person] = patio.people
    expect(isSure(await assess([caixa({ ...person, x: person.x - person.w * 1.5 })]))).toBe(false)
  })

  it('confirms an alarm with one real box among several', async () => {
    const { decisao } = await assess([caixa(patio.lawn), caixa(patio.people[0])])
    expect(decisao).toBe('confirmado')
  })

  it('compares labels: a van is no person, but a truck may be a car', async () => {
    expect(isSure(await assess([caixa(patio.van)]))).toBe(false)
    const vehicle = await assess([caixa(patio.van, 'truck')], ['car', 'truck'])
    expect(vehicle).toMatchObject({ decisao: 'confirmado', motivo: expect.stringContaining('carro ou caminhão') })
  })

  it('uses the crop when the frame is not stored', async () => {
    const cut = (place: Box) => {
      const [left, top] = [Math.round(place.x * 768) - 20, Math.round(place.y * 576) - 20]
      return sharp(frame).extract({ left, top, width: 90, height: 130 }).jpeg().toBuffer()
    }
    const only = async (place: Box) => judge({ frame: null, crop: await cut(place), caixas: [caixa(place)] })
    expect(isSure(await only(patio.people[0]))).toBe(true)
    expect(isSure(await only(patio.lawn))).toBe(false)
  })

  it('checks the whole picture when there are no boxes', async () => {
    expect((await assess([])).decisao).toBe('confirmado')
  })

  it('gives no verdict on an undecodable picture', async () => {
    const damaged = Buffer.from(frame)
    damaged.fill(0xff, 2000, 2200)
    const png = await sharp(frame).png().toBuffer()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    for (const picture of [Buffer.alloc(0), frame.subarray(0, 20_000), damaged, png, svg]) {
      const pictures = { frame: picture, crop: frame, caixas: [caixa(patio.lawn)] }
      await expect(judge(pictures)).rejects.toMatchObject({ code: 'validacao' })
    }
  })

  it('gives no verdict on labels unknown to the model', async () => {
    await expect(assess([caixa(patio.lawn, 'fumaca')], ['fumaca'])).rejects.toMatchObject({ code: 'interno' })
  })
})
