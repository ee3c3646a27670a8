import type { ProblemaImagem } from '@vigia/contracts/ias'
import sharp, { type Sharp } from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSecondOpinions } from './second-opinions.ts'
import { readPatio } from './testing/still.ts'

const clock = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="768" height="60">' +
    '<text x="9" y="40" font-size="32" fill="white" stroke="black">21/11/2026 20:01:02 CAM 1</text></svg>',
)

/** The judge of `camera_obstruida` on real pictures. */
const opinions = createSecondOpinions({ folder: null })
const assessPicture = (crop: Buffer, problema: ProblemaImagem | null) =>
  opinions.assess({ ia: 'camera_obstruida', frame: null, crop, caixas: [], conf: 0.5, detalhes: { problema } })

describe('createSecondOpinions', () => {
  let good: Buffer
  beforeAll(async () => {
    good = await readPatio()
  })
  const jpeg = (change: (picture: Sharp) => Sharp) => change(sharp(good)).jpeg({ quality: 80 }).toBuffer()
  const withClock = async (picture: Buffer) =>
    sharp(picture)
      .composite([{ input: clock, top: 0, left: 0 }])
      .jpeg()
      .toBuffer()

  it.each(['preta', 'coberta', 'desfocada', 'ofuscada'] as const)('refutes %s on a good picture', async (problema) => {
    const { decisao, confianca, motivo } = await assessPicture(good, problema)
    expect(decisao).toBe('refutado')
    expect(confianca).toBeGreaterThan(0.6)
    expect(motivo).toMatch(/^(A imagem|Os contornos)[^(%]+\.$/)
  })

  const spoilt: [ProblemaImagem, (picture: Sharp) => Sharp][] = [
    ['preta', (picture) => picture.linear(0.02, 1)],
    ['coberta', (picture) => picture.blur(60).linear(0.4, 10)],
    ['desfocada', (picture) => picture.blur(3)],
    ['ofuscada', (picture) => picture.linear(3, 60)],
    ['ofuscada', (picture) => picture.linear(0.25, 180)],
  ]
  it.each(spoilt)('confirms %s', async (problema, change) => {
    const { decisao, confianca } = await assessPicture(await jpeg(change), problema)
    expect(decisao).toBe('confirmado')
    expect(confianca).toBeGreaterThanOrEqual(0.5)
  })

  it('ignores a sharp clock in a blurred picture', async () => {
    for (const sigma of [4, 12, 30]) {
      const blurred = await withClock(await jpeg((picture) => picture.blur(sigma)))
      expect((await assessPicture(blurred, 'desfocada')).decisao).toBe('confirmado')
    }
    expect((await assessPicture(await withClock(good), 'desfocada')).decisao).toBe('refutado')
  })

  it('confirms a partly covered lens', async () => {
    const hand = { create: { width: 500, height: 576, channels: 3, background: '#70503c' } } as const
    const covered = await sharp(good)
      .composite([{ input: hand, left: 0, top: 0 }])
      .jpeg()
      .toBuffer()
    expect((await assessPicture(covered, 'coberta')).decisao).toBe('confirmado')
  })

  it.each(['desviada', 'congelada', null] as const)('cannot refute %s and gives the reason', async (problema) => {
    const { decisao, certeza, motivo } = await assessPicture(good, problema)
    expect([decisao, certeza]).toEqual(['confirmado', 'baixa'])
    expect(motivo).toMatch(/não (mostra|pode)/)
  })

  it('gives no verdict on an undecodable picture', async () => {
    for (const problema of ['preta', 'congelada'] as const)
      await expect(assessPicture(good.subarray(0, 20_000), problema)).rejects.toMatchObject({ code: 'validacao' })
  })

  it('measures pictures of any size', async () => {
    const tiny = await sharp(good).resize(16, 12).jpeg().toBuffer()
    for (const problema of ['preta', 'coberta', 'desfocada', 'ofuscada'] as const)
      expect((await assessPicture(tiny, problema)).confianca).toBeLessThanOrEqual(1)
  })
})
