import { readFile } from 'node:fs/promises'
import { headWeights } from '@vigia/ias/head-calibration'
import { builtInModels } from '@vigia/vision/built-in-models'
import { describe, expect, it } from 'vitest'

const results = JSON.parse(await readFile(new URL('../../training/heads.json', import.meta.url), 'utf8'))

describe.each(Object.keys(headWeights))('the training of %s', (id) => {
  it('made the file of the registry', () => {
    expect(builtInModels.find((model) => model.id === id)?.sha256).toBe(results[id].sha256)
  })

  it('computed the weights of the verdict, to four digits', () => {
    const rounded = Object.entries<number[]>(results[id].weights).map(([label, weights]) => [
      label,
      weights.map((weight) => Math.round(weight * 1e4) / 1e4),
    ])
    expect(headWeights[id]).toEqual(Object.fromEntries(rounded))
  })
})
