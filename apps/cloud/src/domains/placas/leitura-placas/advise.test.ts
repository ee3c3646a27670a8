import { expect, it } from 'vitest'
import { advise } from './advise.ts'

const good = { largura_px: 120, borrao_px: 2, angulo_graus: 3 }
const passages = (change: Partial<typeof good>, isRead = true) =>
  Array.from({ length: 9 }, () => ({ isRead, qualidade: { ...good, ...change } }))

it('has nothing to say against good plates', () => {
  expect(advise(passages({}))).toEqual({ passagens: 9, com_placa: 9, ...good, conselhos: ['boa'] })
})

it.each([
  ['a narrow plate', { largura_px: 60 }, ['aproximar']],
  ['a blurred plate', { borrao_px: 9 }, ['exposicao']],
  ['a tilted plate', { angulo_graus: -22 }, ['nivelar']],
  ['a narrow and tilted plate', { largura_px: 60, angulo_graus: 22 }, ['aproximar', 'nivelar']],
])('names the cause of %s', (_, change, conselhos) => {
  expect(advise(passages(change)).conselhos).toEqual(conselhos)
})

it('calls no reading good that misses many plates', () => {
  expect(advise(passages({}, false)).conselhos).toEqual([])
})

it('distinguishes a camera without vehicles from one without plates', () => {
  expect(advise([]).conselhos).toEqual(['sem_passagens'])
  expect(advise([{ isRead: false, qualidade: null }]).conselhos).toEqual(['sem_placas'])
})
