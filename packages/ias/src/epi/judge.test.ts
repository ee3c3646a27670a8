import { describe, expect, it } from 'vitest'
import type { Alarm, ClassifiedRegion, Detected, SecondModels } from '../judging.ts'
import { judge } from './judge.ts'

const MODELO = 'epi-mobilenetv2-300'
const box = { x: 0.1, y: 0.1, w: 0.2, h: 0.2 }

const alarmOf = (...rotulos: string[]): Alarm => ({
  caixas: ['person', ...rotulos].map((rotulo) => ({ rotulo, confianca: 0.5, ...box })),
  rotulos: ['no_hardhat', 'no_vest'],
  conf: 0.5,
  detalhes: {},
})

function region(rotulo: string, missing: number, worn: number, confianca = 0.5): ClassifiedRegion {
  const other = rotulo === 'no_hardhat' ? 'hardhat' : 'vest'
  return {
    first: { rotulo, confianca },
    seen: new Map([
      [rotulo, missing],
      [other, worn],
    ]),
  }
}

/** A model for items with these findings, and a model for objects that is sure of a person or of none. */
const models = (regions: readonly ClassifiedRegion[], person = true, modelo = MODELO): SecondModels => ({
  inspect: async () => ({ kind: 'classified', modelo, regions }),
  detect: async (): Promise<Detected> => detected(person ? 0.95 : 0),
  measure: () => Promise.reject(new Error('not asked')),
})

describe('the judge of epi', () => {
  it('confirms a bare head, with the probability that the helmet is missing', async () => {
    const opinion = await judge(alarmOf('no_hardhat'), models([region('no_hardhat', 0.97, 0.02)]))
    expect(opinion).toMatchObject({ decisao: 'confirmado', certeza: 'alta', modelo: MODELO })
    expect(opinion.motivo).toBe('A pessoa estava sem capacete.')
    expect(opinion.confianca).toBeGreaterThan(0.7)
  })

  it('names a probably missing helmet, even if the model for objects sees no person', async () => {
    const opinion = await judge(alarmOf('no_hardhat'), models([region('no_hardhat', 0.55, 0.45)], false))
    expect(opinion).toMatchObject({ decisao: 'confirmado', certeza: 'baixa' })
    expect(opinion.motivo).toBe('Não é certo que falte capacete. Confira a imagem.')
  })

  it('refutes a clearly worn helmet', async () => {
    const opinion = await judge(alarmOf('no_hardhat'), models([region('no_hardhat', 0.01, 0.99)]))
    expect(opinion).toMatchObject({ decisao: 'refutado', certeza: 'alta' })
    expect(opinion.motivo).toBe('A pessoa usava capacete.')
    expect(opinion.confianca).toBeGreaterThan(0.9)
  })

  it('never refutes where the first model was sure', async () => {
    const opinion = await judge(alarmOf('no_hardhat'), models([region('no_hardhat', 0.01, 0.99, 0.6)]))
    expect(opinion).toMatchObject({ decisao: 'confirmado', certeza: 'baixa' })
  })

  it('refutes only what it sees: neither head nor helmet is uncertain', async () => {
    const opinion = await judge(alarmOf('no_hardhat'), models([region('no_hardhat', 0.01, 0.02)]))
    expect(opinion).toMatchObject({ decisao: 'confirmado', certeza: 'baixa' })
    expect(opinion.motivo).toContain('Confira a imagem')
  })

  it('never refutes a vest', async () => {
    const opinion = await judge(alarmOf('no_vest'), models([region('no_vest', 0.01, 0.99)]))
    expect(opinion).toMatchObject({ decisao: 'confirmado', certeza: 'baixa' })
  })

  it('confirms one missing item of two, and refutes only if every item is worn', async () => {
    const helmetOn = region('no_hardhat', 0.01, 0.99)
    const both = alarmOf('no_hardhat', 'no_vest')
    const one = await judge(both, models([helmetOn, region('no_vest', 0.99, 0.01)]))
    expect(one).toMatchObject({ certeza: 'alta', motivo: 'A pessoa estava sem colete.' })
    const none = await judge(both, models([helmetOn, region('no_vest', 0.01, 0.99)]))
    expect(none).toMatchObject({ decisao: 'confirmado', certeza: 'baixa' })
  })

  it('never refutes by the classifier of an installer, whose errors are unknown', async () => {
    const worn = [region('no_hardhat', 0.01, 0.99)]
    expect((await judge(alarmOf('no_hardhat'), models(worn, true, 'meu-epi'))).decisao).toBe('confirmado')
    const bare = [region('no_hardhat', 0.9, 0.05)]
    expect((await judge(alarmOf('no_hardhat'), models(bare, true, 'meu-epi'))).certeza).toBe('alta')
  })
})

const quality = { noise: 1, light: 120, sharpness: 0.6 }
const detected = (value: number): Detected => ({
  kind: 'detected',
  modelo: 'objetos',
  regions: [{ first: null, seen: [value], quality }],
})
