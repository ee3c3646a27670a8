import { describe, expect, it } from 'vitest'
import { nameVehicles, withMistakenVehicles } from './from-above.ts'
import { createTracker } from './tracker.ts'

type Seen = readonly [rotulo: string, x: number, y: number, w: number, h: number]

/** Labels of the tracks after these pictures, 200 ms apart. */
function namesAfter(pictures: readonly (readonly Seen[])[]): string[] {
  const tracker = createTracker()
  const tracks = pictures.map((seen, index) =>
    tracker.update(
      seen.map(([rotulo, x, y, w, h]) => ({ rotulo, confianca: 0.6, x, y, w, h })),
      index * 200,
    ),
  )
  return nameVehicles(tracks.at(-1) ?? []).map(({ rotulo }) => rotulo)
}
const pictures = (count: number, seen: (index: number) => readonly Seen[]) =>
  Array.from({ length: count }, (_, i) => seen(i))

describe('a car seen from straight above', () => {
  it('is a vehicle, also when the detector changes its label between pictures', () => {
    const labels = ['surfboard', 'cell phone', 'cell phone', 'car', 'cell phone', 'remote', 'cell phone', 'boat']
    const names = namesAfter(pictures(8, (i) => [[labels[i] ?? '', 0.3, 0.9 - i * 0.08, 0.2, 0.4]]))
    expect(names).toEqual(['car'])
  })

  it('is a vehicle as soon as it has entered the picture', () => {
    expect(namesAfter(pictures(3, (i) => [['cell phone', 0.4, 0, 0.2, 0.06 + i * 0.08]]))).toEqual(['car'])
  })

  it.each([
    ['lies still', pictures(30, () => [['cell phone', 0.4, 0.4, 0.2, 0.3]])],
    ['shakes', pictures(30, (i) => [['laptop', 0.4 + (i % 2) * 0.03, 0.4, 0.2, 0.3]])],
    ['is small', pictures(10, (i) => [['kite', 0.2 + i * 0.02, 0.2, 0.05, 0.1]])],
    [
      'is carried',
      pictures(10, (i) => [
        ['laptop', 0.24 + i * 0.03, 0.4, 0.16, 0.2],
        ['person', 0.2 + i * 0.03, 0.1, 0.25, 0.8],
      ]),
    ],
  ] as const)('is no vehicle if it %s', (_, seen) => {
    expect(namesAfter(seen as readonly (readonly Seen[])[]).filter((name) => name !== 'person')).toEqual([])
  })
})

it('keeps the labels of people, animals, bags and vehicles', () => {
  for (const label of ['person', 'dog', 'suitcase', 'truck', 'bicycle'])
    expect(namesAfter(pictures(8, (i) => [[label, 0.1 + i * 0.05, 0.4, 0.2, 0.3]]))).toEqual([label])
})

it('requests things only together with vehicles', () => {
  expect(withMistakenVehicles(['person'])).toEqual(['person'])
  expect(withMistakenVehicles(['person', 'car'])).toContain('cell phone')
  expect(withMistakenVehicles(['person', 'car'])).not.toContain('dog')
})
