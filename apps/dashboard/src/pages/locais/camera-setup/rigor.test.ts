import { configIaSchema } from '@vigia/contracts/calibracao'
import { ia, nomesIas } from '@vigia/contracts/ias'
import { expect, it } from 'vitest'
import { RIGORES, rigorOf, smallestPerson, valuesOf } from './rigor.ts'

it.each(nomesIas)('%s: each step is a calibration of the API, and a higher one asks for no less', (nome) => {
  const steps = RIGORES.map((rigor) => valuesOf(nome, rigor))
  for (const values of steps) expect(configIaSchema.safeParse({ [nome]: values }).success).toBe(true)
  for (const [index, { conf, area_min }] of steps.slice(1).entries()) {
    expect(conf).toBeGreaterThanOrEqual(steps[index]?.conf ?? 0)
    expect(area_min).toBeGreaterThanOrEqual(steps[index]?.area_min ?? 0)
  }
  expect(valuesOf(nome, '0').conf).toBe(ia(nome).limiares.conf?.padrao)
  expect(rigorOf(nome, undefined)).toBe('0')
})

it('finds the step of a stored calibration', () => {
  expect(rigorOf('invasao', { conf: 0.65 })).toBe('2')
  expect(rigorOf('invasao', { conf: 0.33 })).toBe('-1')
})

it('the smallest person has the smallest area, and at least the height that the model finds', () => {
  const { w, h } = smallestPerson(0.0015, null, 16 / 9)
  expect(w * h).toBeCloseTo(0.0015)
  expect(smallestPerson(0, '640x360', 16 / 9).h).toBeCloseTo(42 / 360)
})
