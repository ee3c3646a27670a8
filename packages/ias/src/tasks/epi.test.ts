import { expect, it } from 'vitest'
import { epiEvidence } from './epi.ts'

const left = { id: 1, rotulo: 'person', box: { x: 0.1, y: 0.2, w: 0.2, h: 0.6 } }
const right = { id: 2, rotulo: 'person', box: { x: 0.25, y: 0.25, w: 0.2, h: 0.6 } }
const plan = [left, right].map(({ id }) => ({ trackId: id }))
const seen = (rotulo: string, confianca: number, x: number, y: number) => ({
  rotulo,
  confianca,
  x: x - 0.02,
  y: y - 0.02,
  w: 0.04,
  h: 0.04,
})

it('assigns each helmet and vest to the person who wears it', () => {
  const found = [seen('hardhat', 0.8, 0.2, 0.22), seen('no_hardhat', 0.7, 0.35, 0.28), seen('vest', 0.6, 0.34, 0.45)]
  const evidence = epiEvidence(found, [left, right], plan)
  expect(evidence.get(1)).toMatchObject({ hardhat: 0.8, noHardhat: 0, vest: 0, noVest: 0 })
  expect(evidence.get(2)).toMatchObject({ hardhat: 0, noHardhat: 0.7, vest: 0.6, noVest: 0 })
  expect(evidence.get(2)?.caixas).toHaveLength(2)
})

it('counts a cap as a missing helmet, without a box of its own', () => {
  const found = [seen('no_hardhat', 0.7, 0.2, 0.22), seen('cap', 0.6, 0.2, 0.22)]
  const evidence = epiEvidence(found, [left], plan)
  expect(evidence.get(1)).toMatchObject({ hardhat: 0, noHardhat: 0.7, cap: 0.6, caixas: found.slice(0, 1) })
})

it('assigns no helmet in the hand or on a shelf', () => {
  const evidence = epiEvidence([seen('hardhat', 0.9, 0.2, 0.6), seen('hardhat', 0.9, 0.8, 0.3)], [left, right], plan)
  expect([...evidence.values()].every(({ hardhat }) => hardhat === 0)).toBe(true)
})

it('leaves out people without an inference', () => {
  const evidence = epiEvidence([seen('hardhat', 0.8, 0.2, 0.22)], [left, right], plan.slice(1))
  expect([...evidence.keys()]).toEqual([2])
  expect(evidence.get(2)?.hardhat).toBe(0)
})

it('assigns head and vest of a person visible down to the chest', () => {
  const bust = { id: 3, rotulo: 'person', box: { x: 0.4, y: 0.5, w: 0.3, h: 0.5 } }
  const found = [seen('no_hardhat', 0.8, 0.55, 0.72), seen('vest', 0.6, 0.55, 0.96)]
  const evidence = epiEvidence(found, [bust], [{ trackId: 3 }])
  expect(evidence.get(3)).toMatchObject({ noHardhat: 0.8, vest: 0.6 })
})

it('assigns nothing to a car behind a person, also at a better position', () => {
  const car = { id: 4, rotulo: 'car', box: { x: 0.05, y: 0.2, w: 0.3, h: 0.4 } }
  const found = [seen('no_hardhat', 0.8, 0.21, 0.24)]
  expect(epiEvidence(found, [car, left], plan).get(1)).toMatchObject({ noHardhat: 0.8, caixas: found })
})
