import { expect, test } from 'vitest'
import { boundsOf, figuresOf, type PersonResult, tablesOf } from './person-result.ts'

const person = (more: Partial<PersonResult>): PersonResult => ({
  personPx: 200,
  headPx: 30,
  worn: { capacete: false, colete: null },
  missing: ['capacete'],
  ...more,
})
const worn = { capacete: true, colete: null }
const people = [
  person({}),
  person({ missing: [] }),
  person({ worn }),
  person({ worn, missing: [] }),
  person({ worn: { capacete: null, colete: null } }),
  person({ headPx: 23 }),
]

test('a doubtful head counts neither for nor against', () => {
  expect(figuresOf(people, 'capacete')).toMatchObject({ precision: { k: 2, n: 3 }, recall: { k: 2, n: 3 } })
  expect(figuresOf(people, 'colete')).toMatchObject({ precision: { n: 0 }, recall: { n: 0 } })
})

test('small heads are outside of the bounds, and a bound without any person is not kept', () => {
  expect(boundsOf(people).map(({ valor, ok }) => [valor.split(';')[0], ok])).toEqual([
    ['50,0 % (1 de 2', false],
    ['50,0 % (1 de 2', false],
    ['–', false],
    ['–', false],
  ])
  expect(boundsOf([person({})]).map(({ ok }) => ok)).toEqual([true, true, false, false])
})

test('each person is in the row of the own height', () => {
  const [, byHeight] = tablesOf([person({ personPx: 79 }), person({ personPx: 80 }), person({ personPx: 900 })])
  expect(byHeight?.linhas.map(([name, , recall]) => [name, recall?.split(' (')[1]?.split(';')[0]])).toEqual([
    ['40 a 79 px', '1 de 1'],
    ['80 a 119 px', '1 de 1'],
    ['120 a 159 px', undefined],
    ['160 a 239 px', undefined],
    ['240 a 359 px', undefined],
    ['360 px ou mais', '1 de 1'],
  ])
})
