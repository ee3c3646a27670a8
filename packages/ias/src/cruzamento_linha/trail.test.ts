import { describe, expect, it } from 'vitest'
import type { Box } from '../geometry.ts'
import type { Fired } from '../observation.ts'
import { createScene, sceneConfig, seen } from '../test-scene.ts'

const config = (linha: number[][]) => sceneConfig('cruzamento_linha', {}, { linha })
const ways = (fired: readonly Fired[]) => fired.map(({ detalhes }) => detalhes.direcao)

describe('a vehicle that gets its label only after it has moved', () => {
  // A car of a third of the picture that drives down from the upper border, filmed from above.
  const car = (foot: number): Box => ({ x: 0.4, y: Math.max(0, foot - 0.65), w: 0.2, h: Math.min(foot, 0.65) })
  const feet = [0.25, 0.3, 0.39, 0.53, 0.65, 0.78, 0.9]
  const STREAM_MS = 1_000
  const trailTo = (index: number) =>
    feet.slice(0, index + 1).map((foot, i) => ({ atMs: STREAM_MS + (i - KNOWN_AT) * 200, box: car(foot) }))
  const KNOWN_AT = 4

  it('crosses from the side where its trail began', () => {
    const scene = createScene(
      config([
        [0.2, 0.5],
        [0.8, 0.5],
      ]),
    )
    const fired = feet
      .slice(KNOWN_AT)
      .flatMap((foot, i) => scene.show(seen(1, 'car', car(foot), { trail: trailTo(KNOWN_AT + i) })))
    expect(ways(fired)).toEqual(['ab'])
  })

  it('raises no event for a crossing on its trail', () => {
    const scene = createScene(
      config([
        [0.2, 0.2],
        [0.8, 0.2],
      ]),
    )
    const fired = feet
      .slice(KNOWN_AT)
      .flatMap((foot, i) =>
        scene.show(seen(1, 'car', car(foot), { trail: [{ atMs: 0, box: car(0.05) }, ...trailTo(KNOWN_AT + i)] })),
      )
    expect(fired).toEqual([])
  })
})
