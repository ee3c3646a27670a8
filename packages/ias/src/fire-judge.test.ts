import { describe, expect, it } from 'vitest'
import { judgeFire } from './fire-judge.ts'
import type { Alarm, ClassifiedRegion, SecondModels } from './judging.ts'

const MODELO = 'fogo-mobilenetv2-300'
const box = { x: 0.1, y: 0.1, w: 0.2, h: 0.2 }

function alarmOf(rotulo: 'fire' | 'smoke', confianca: number, conf = 0.5): Alarm {
  const rotulos = rotulo === 'fire' ? ['fire'] : ['smoke']
  return { caixas: [{ rotulo, confianca, ...box }], rotulos, conf, detalhes: {} }
}

const finding = (...regions: readonly ClassifiedRegion[]): SecondModels => ({
  inspect: async () => ({ kind: 'classified', modelo: MODELO, regions }),
  detect: () => Promise.reject(new Error('not asked')),
  measure: () => Promise.reject(new Error('not asked')),
})

const region = (rotulo: string, confianca: number, fire: number, smoke: number): ClassifiedRegion => ({
  first: { rotulo, confianca },
  seen: new Map([
    ['fire', fire],
    ['smoke', smoke],
  ]),
})

describe('judgeFire', () => {
  it('confirms flames that both models see', async () => {
    const opinion = await judgeFire(alarmOf('fire', 0.7), finding(region('fire', 0.7, 0.97, 0.1)))
    expect(opinion).toMatchObject({ decisao: 'confirmado', certeza: 'alta', modelo: MODELO })
    expect(opinion.confianca).toBeGreaterThanOrEqual(0.8)
  })

  it('never refutes, and gives the probability of an uncertain alarm', async () => {
    for (const rotulo of ['fire', 'smoke'] as const) {
      const opinion = await judgeFire(alarmOf(rotulo, 0.6), finding(region(rotulo, 0.6, 0, 0)))
      expect(opinion).toMatchObject({ decisao: 'confirmado', certeza: 'baixa' })
      expect(opinion.confianca).toBeLessThan(0.5)
      expect(opinion.motivo).toMatch(/^Não é certo/)
    }
  })

  it('has a higher probability for a more confident first model', async () => {
    const weak = await judgeFire(alarmOf('fire', 0.2, 0.1), finding(region('fire', 0.2, 0.5, 0)))
    const strong = await judgeFire(alarmOf('fire', 0.9, 0.1), finding(region('fire', 0.9, 0.5, 0)))
    expect(strong.confianca).toBeGreaterThan(weak.confianca)
  })

  it('takes flames as confirmation of smoke, but not smoke as confirmation of flames', async () => {
    const smoke = await judgeFire(alarmOf('smoke', 0.8), finding(region('smoke', 0.8, 0.99, 0)))
    expect(smoke.certeza).toBe('alta')
    const fire = await judgeFire(alarmOf('fire', 0.5), finding(region('fire', 0.5, 0.02, 0.99)))
    expect(fire.certeza).toBe('baixa')
  })

  it('confirms an alarm with one burning place among several', async () => {
    const regions = [region('fire', 0.5, 0.01, 0), region('fire', 0.6, 0.98, 0)]
    expect((await judgeFire(alarmOf('fire', 0.6), finding(...regions))).certeza).toBe('alta')
  })

  it('names flicker as the reason when the first model was below the threshold', async () => {
    const opinion = await judgeFire(alarmOf('fire', 0.2, 0.5), finding(region('fire', 0.2, 0.05, 0)))
    expect(opinion).toMatchObject({ certeza: 'baixa', motivo: expect.stringContaining('tremula') })
  })

  it('judges the whole picture when no box is known', async () => {
    const whole = { first: null, seen: new Map([['fire', 0.99]]) }
    const opinion = await judgeFire({ ...alarmOf('fire', 0.5), caixas: [] }, finding(whole))
    expect(opinion.confianca).toBeGreaterThan(0.5)
  })
})
