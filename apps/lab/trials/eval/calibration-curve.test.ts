import { expect, it } from 'vitest'
import { calibrationCurves } from './calibration-curve.ts'
import type { StillSet } from './data-set.ts'
import type { ShownStill } from './show-still.ts'

const person = { tarefa: 'objetos' as const, rotulo: 'person' }
const box = (x: number) => ({ x, y: 0, w: 0.1, h: 0.2 })
const found = (x: number, confianca: number, rotulo = 'person') => ({ rotulo, confianca, ...box(x) })

it('gives the share of right detections for each range of the confidence', () => {
  const set: StillSet = {
    name: 'set',
    classes: [person],
    ignored: [],
    underFire: false,
    stills: [{ path: 'a', name: 'a', boxes: [0, 0.2].map((x) => ({ classe: 0, product: person, box: box(x) })) }],
  }
  const shown: ShownStill = {
    heightPx: 100,
    luz: 'dia',
    found: {
      objetos: [found(0, 0.95), found(0.2, 0.45), found(0.4, 0.4), found(0.6, 0.1), found(0.2, 0.9, 'car')],
    },
    asked: [],
    raised: [],
  }
  const rows = calibrationCurves([set], new Map([['a', shown]]))
  expect(rows.map(({ de, achados, certos }) => [de, achados, certos])).toEqual([
    [0.4, 2, 1],
    [0.9, 1, 1],
  ])
})
