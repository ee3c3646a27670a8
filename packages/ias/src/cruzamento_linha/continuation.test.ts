import { describe, expect, it } from 'vitest'
import type { Point } from '../geometry.ts'
import { createScene, sceneConfig, seen, standing, wayOf } from '../test-scene.ts'

const config = sceneConfig('cruzamento_linha', {}, { linha: [[0.2, 0.5, 0.8, 0.5]] })
const at = (x: number, y: number): Point => ({ x, y })
const feet = wayOf(at(0.5, 0.36), at(0.5, 0.64), 15)

/** The events while one person walks along `feet` and each frame shows the tracks that `tracksAt` gives. */
function play(tracksAt: (foot: Point, index: number) => ReturnType<typeof seen>[]) {
  const scene = createScene(config)
  return feet.flatMap((foot, index) => scene.show(...tracksAt(foot, index)))
}
const person = (id: number, foot: Point, hits: number) => seen(id, 'person', standing(foot), { hits })
const lost = (id: number, foot: Point) => seen(id, 'person', standing(foot), { predicted: true, hits: 0 })

describe('a change of identity at the line', () => {
  it.each([5, 6, 7, 8, 9])('neither loses nor repeats the crossing: a new track from frame %i on', (change) => {
    const fired = play((foot, index) =>
      index < change ? [person(1, foot, index + 1)] : [person(2, foot, index - change + 1)],
    )
    expect(fired.map(({ detalhes }) => detalhes.direcao)).toEqual(['ab'])
  })

  it('counts the crossing once while the old track is still predicted', () => {
    const fired = play((foot, index) =>
      index < 6 ? [person(1, foot, index + 1)] : [lost(1, foot), person(2, foot, index - 5)],
    )
    expect(fired.map(({ trackIds }) => trackIds)).toEqual([[2]])
  })

  it('joins the tracks across a second without detections', () => {
    const fired = play((foot, index) =>
      index < 5 ? [person(1, foot, index + 1)] : index < 10 ? [lost(1, foot)] : [person(2, foot, index - 9)],
    )
    expect(fired.map(({ trackIds }) => trackIds)).toEqual([[2]])
  })

  it('starts a track again that begins beyond the line after two seconds without detections', () => {
    const fired = play((foot, index) =>
      index < 5 ? [person(1, foot, index + 1)] : [person(2, at(0.5, 0.54), index - 4)],
    )
    expect(fired).toHaveLength(1)
    const scene = createScene(config)
    for (let index = 0; index < 5; index++) scene.show(person(1, feet[index] ?? at(0.5, 0.4), index + 1))
    scene.skip(2)
    const later = Array.from({ length: 10 }, (_, index) => scene.show(person(2, at(0.5, 0.54), index + 1)))
    expect(later.flat()).toEqual([])
  })

  it.each([0.1, 0.2])('does not cross twice when a new track begins before the line after the crossing: %f', (jump) => {
    const way = [...feet, ...wayOf(at(0.5, 0.64), at(0.5, 0.8), 9)]
    const scene = createScene(config)
    const fired = way.flatMap((foot, index) =>
      scene.show(index < 11 ? person(1, foot, index + 1) : person(2, at(0.5, foot.y - jump), index - 10)),
    )
    expect(fired.map(({ trackIds }) => trackIds)).toEqual([[1]])
  })

  it('does not join two people who are visible at once', () => {
    const fired = play((_, index) => [
      person(1, at(0.5, 0.4), index + 1),
      ...(index < 5 ? [] : [person(2, at(0.52, 0.6), index - 4)]),
    ])
    expect(fired).toEqual([])
  })

  it('joins no vehicle with a person', () => {
    const fired = play((foot, index) =>
      index < 6 ? [person(1, foot, index + 1)] : [seen(2, 'car', standing(foot), { hits: index - 5 })],
    )
    expect(fired).toEqual([])
  })
})
