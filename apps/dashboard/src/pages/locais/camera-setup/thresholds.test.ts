import { configIaSchema } from '@vigia/contracts/calibracao'
import { calibracaoPadrao, nomesIas } from '@vigia/contracts/ias'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as en from '../../../texts/en/camera.json'
import * as ptBr from '../../../texts/pt-BR/camera.json'
import { configOf, fieldOf, formOf, isChanged, limitsOf, problemOf, thresholdsOf } from './thresholds.ts'

const all = { eventos_habilitados: [...nomesIas], config_ia: {} }

describe('the form of the thresholds', () => {
  it('shows the defaults, and stores none of them', () => {
    const form = formOf(all)
    expect(form[fieldOf('invasao', 'conf')]).toBe(String(calibracaoPadrao.invasao.conf).replace('.', ','))
    expect(configOf(all, form)).toEqual({})
  })

  it('returns the stored calibration, with those of IAs that are off', () => {
    const camera = {
      eventos_habilitados: ['invasao', 'epi'] as ('invasao' | 'epi')[],
      config_ia: { invasao: { conf: 0.45, min_quadros: 9 }, epi: { exigir_colete: false }, fogo: { conf: 0.9 } },
    }
    expect(configOf(camera, formOf(camera))).toEqual(camera.config_ia)
    expect(isChanged(camera, formOf(camera))).toBe(false)
    expect(isChanged(camera, { ...formOf(camera), [fieldOf('invasao', 'conf')]: '0,450' })).toBe(false)
    expect(isChanged(camera, { ...formOf(camera), [fieldOf('invasao', 'conf')]: 'x' })).toBe(true)
    const changed = {
      ...formOf(camera),
      [fieldOf('invasao', 'conf')]: '0,6',
      [fieldOf('epi', 'exigir_colete')]: 'true',
    }
    expect(configOf(camera, changed)).toEqual({
      invasao: { conf: 0.6, min_quadros: 9 },
      epi: { exigir_colete: true },
      fogo: { conf: 0.9 },
    })
  })

  it('accepts exactly the values that the API accepts', () => {
    const threshold = fc
      .constantFrom(...nomesIas)
      .chain((nome) => fc.constantFrom(...thresholdsOf(nome)).map((limiar) => ({ nome, limiar })))
    const text = fc.oneof(
      fc.double({ min: -10, max: 100_000, noNaN: true }).map((value) => value.toFixed(3)),
      fc.integer({ min: -5, max: 90_000 }).map(String),
      fc.constantFrom('', 'abc', '1e3', ' 1 ', '0,5', '1,2,3'),
    )
    fc.assert(
      fc.property(threshold, text, ({ nome, limiar }, typed) => {
        const limits = limitsOf(nome, limiar)
        if (!limits || limits.unidade === 'booleano') return
        const number = /^\s*-?\d+([.,]\d+)?\s*$/.test(typed) ? Number(typed.replace(',', '.')) : 'texto'
        const accepted = configIaSchema.safeParse({ [nome]: { [limiar]: number } }).success
        expect(problemOf(limits, typed) === null).toBe(accepted)
      }),
    )
  })
})

it.each([
  ['Portuguese', ptBr.camera],
  ['English', en.camera],
])('every threshold has a name and one sentence in %s', (_language, { limiares }) => {
  const common: Record<string, object> = limiares.comuns
  const own: Record<string, Record<string, object>> = limiares.porIa
  const missing = nomesIas.flatMap((nome) =>
    thresholdsOf(nome)
      .filter((limiar) => !(own[nome]?.[limiar] ?? common[limiar]))
      .map((limiar) => `${nome} ${limiar}`),
  )
  expect(missing).toEqual([])
  const known = new Set(nomesIas.flatMap((nome) => thresholdsOf(nome).map((limiar) => `${nome} ${limiar}`)))
  const unused = Object.entries(own).flatMap(([nome, texts]) =>
    Object.keys(texts)
      .map((limiar) => `${nome} ${limiar}`)
      .filter((key) => !known.has(key)),
  )
  expect(unused).toEqual([])
})
