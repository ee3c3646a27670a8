import type { Detection } from '@vigia/ias/detection'
import type { Box } from '@vigia/ias/geometry'
import { describe, expect, it } from 'vitest'
import { mergeInferences } from './merge-inferences.ts'

const region: Box = { x: 0.4, y: 0.2, w: 0.3, h: 0.3 }
const seen = (x: number, y: number, w: number, h: number, confianca: number, rotulo = 'person'): Detection => ({
  rotulo,
  confianca,
  x,
  y,
  w,
  h,
})

describe('mergeInferences', () => {
  it('returns a single inference sorted by confidence', () => {
    const [weak, strong] = [seen(0.1, 0.1, 0.05, 0.2, 0.4), seen(0.12, 0.1, 0.05, 0.2, 0.8)]
    expect(mergeInferences([{ region: null, detections: [weak, strong] }])).toEqual([strong, weak])
    expect(mergeInferences([])).toEqual([])
  })

  it('merges a person of two inferences and keeps the more confident box', () => {
    const whole = seen(0.5, 0.3, 0.03, 0.1, 0.3)
    const enlarged = seen(0.502, 0.303, 0.03, 0.098, 0.8)
    const other = seen(0.55, 0.3, 0.03, 0.1, 0.5)
    const inferences = [
      { region: null, detections: [whole] },
      { region, detections: [enlarged, other] },
    ]
    expect(mergeInferences(inferences)).toEqual([enlarged, other])
  })

  it('drops boxes cut by the border of a region, with and without the whole object', () => {
    const whole = seen(0.66, 0.3, 0.08, 0.15, 0.5)
    const cut = seen(0.66, 0.3, 0.0395, 0.15, 0.9)
    expect(
      mergeInferences([
        { region: null, detections: [whole] },
        { region, detections: [cut] },
      ]),
    ).toEqual([whole])
    expect(mergeInferences([{ region, detections: [cut] }])).toEqual([])
  })

  it.each([
    ['left', { x: 0, y: 0.3, w: 0.3, h: 0.3 }, seen(0, 0.4, 0.05, 0.1, 0.7)],
    ['top', { x: 0.3, y: 0, w: 0.3, h: 0.3 }, seen(0.4, 0, 0.05, 0.1, 0.7)],
    ['right', { x: 0.7, y: 0.3, w: 0.3, h: 0.3 }, seen(0.95, 0.4, 0.05, 0.1, 0.7)],
    ['bottom', { x: 0.3, y: 0.7, w: 0.3, h: 0.3 }, seen(0.4, 0.9, 0.05, 0.1, 0.7)],
  ])('keeps boxes cut by the %s border of the frame', (_, place, found) => {
    expect(mergeInferences([{ region: place, detections: [found] }])).toEqual([found])
  })

  it('merges a torso in one inference with the person in the other', () => {
    const person = seen(0.5, 0.22, 0.08, 0.25, 0.7)
    const torso = seen(0.51, 0.23, 0.06, 0.13, 0.5)
    expect(
      mergeInferences([
        { region: null, detections: [person] },
        { region, detections: [torso] },
      ]),
    ).toEqual([person])
  })

  it('keeps a small person before a large one, other labels, and objects that one inference separates', () => {
    const large = seen(0.45, 0.22, 0.12, 0.27, 0.7)
    const child = seen(0.5, 0.35, 0.03, 0.1, 0.6)
    const bag = seen(0.5, 0.36, 0.03, 0.09, 0.5, 'backpack')
    const close = seen(0.47, 0.22, 0.12, 0.27, 0.4)
    const inferences = [
      { region: null, detections: [large, close] },
      { region, detections: [child, bag] },
    ]
    expect(mergeInferences(inferences)).toEqual([large, child, bag, close])
  })

  it('reports a van as one vehicle, also when the inferences label it differently', () => {
    const car = seen(0.5, 0.3, 0.1, 0.08, 0.6, 'car')
    const truck = seen(0.5, 0.3, 0.1, 0.08, 0.5, 'truck')
    expect(
      mergeInferences([
        { region: null, detections: [car] },
        { region, detections: [truck] },
      ]),
    ).toEqual([car])
  })
})
