import { expect, it } from 'vitest'
import { calibracaoPadrao } from '../catalogue.ts'
import type { Box } from '../geometry.ts'
import type { AnalysisConfig, Fired, ObservedTrack } from '../observation.ts'
import { START, sceneConfig, seen } from '../test-scene.ts'
import { createRule } from './rule.ts'

const BOX: Box = { x: 0.3, y: 0.2, w: 0.2, h: 0.2 }
const SLOW = { colour: 0.6, flicker: 0.2 }

const config = (rest: Partial<AnalysisConfig> = {}) =>
  sceneConfig('fumaca', { ...calibracaoPadrao.fumaca, conf: 0.5, min_quadros: 6 }, rest)
const smoke = (rest: Partial<ObservedTrack> = {}) =>
  seen(1, 'smoke', BOX, { confianca: 0.6, hits: 1, motion: 0.3, evidence: { fogo: SLOW }, ...rest })
/** Two inferences per second; `at` gives the track of each. */
function trigger(inferences: number, at: (inference: number) => ObservedTrack, settings = config()): Fired[] {
  const analysis = createRule(settings)
  return Array.from({ length: inferences }, (_, i) =>
    analysis.update({ tracks: [at(i)], epochMs: START + i * 500, streamMs: 5 + i * 500, evidence: {} }),
  ).flat()
}
const grown = (by: number): Box => ({ x: BOX.x, y: BOX.y, w: BOX.w * Math.sqrt(by), h: BOX.h * Math.sqrt(by) })

it('fires at the sixth inference on slowly moving smoke', () => {
  expect(trigger(5, () => smoke())).toEqual([])
  expect(trigger(20, () => smoke())).toMatchObject([{ ia: 'fumaca', trackIds: [1], rotulos: ['smoke'], zona: null }])
})

it.each([
  ['a wall or a cloud, grey and at rest', { confianca: 0.95, evidence: { fogo: { colour: 0.4, flicker: 0 } } }],
  ['something moving that is not grey', { confianca: 0.6, evidence: { fogo: { colour: 0, flicker: 0.3 } } }],
  ['a fog bank: it fills the first picture and does not spread', { box: { x: 0, y: 0, w: 1, h: 0.8 } }],
  ['fire', { rotulo: 'fire' }],
])('raises no event: %s', (_, rest: Partial<ObservedTrack>) => {
  expect(trigger(200, () => smoke(rest))).toEqual([])
})

it('accepts half the confidence when the cloud spreads', () => {
  const weak = { confianca: 0.38 }
  expect(trigger(60, () => smoke(weak))).toEqual([])
  expect(trigger(60, (i) => smoke({ ...weak, box: grown(1 + i * 0.1) }))).toHaveLength(1)
})

it('uses the middle of the cloud as its position', () => {
  const zone = (top: number, bottom: number) => config({ zonas: [[0, top, 1, top, 1, bottom, 0, bottom]] })
  expect(trigger(60, () => smoke(), zone(0.1, 0.38))).toHaveLength(1)
  expect(trigger(60, () => smoke(), zone(0.38, 0.9))).toEqual([])
})

it('is one event while it continues and drifts', () => {
  expect(trigger(7200, (i) => smoke({ box: { ...BOX, x: 0.3 + 0.2 * Math.sin(i / 40) } }))).toHaveLength(1)
})
