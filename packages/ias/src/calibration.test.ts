import { expect, it } from 'vitest'
import { mergeCalibration, threshold } from './calibration.ts'
import { calibracaoPadrao } from './catalogue.ts'

it('replaces the defaults that are saved and keeps every other threshold', () => {
  const efetiva = mergeCalibration({ invasao: { conf: 0.7 }, epi: { exigir_colete: false } })
  expect(efetiva.invasao).toEqual({ ...calibracaoPadrao.invasao, conf: 0.7 })
  expect(efetiva.epi.exigir_colete).toBe(false)
  expect(efetiva.fogo).toEqual(calibracaoPadrao.fogo)
})

it('leaves out unknown thresholds and values of a wrong type', () => {
  const efetiva = mergeCalibration({ invasao: { direcao: 1, conf: true, min_quadros: 9 } })
  expect(efetiva.invasao).toEqual({ ...calibracaoPadrao.invasao, min_quadros: 9 })
})

it('returns a copy of the defaults', () => {
  mergeCalibration({}).invasao.conf = 0.99
  expect(calibracaoPadrao.invasao.conf).not.toBe(0.99)
})

it('uses the default for a threshold that the calibration lacks', () => {
  expect(threshold('invasao', { conf: 0.6 }, 'conf')).toBe(0.6)
  expect(threshold('invasao', {}, 'resfriamento_s')).toBe(calibracaoPadrao.invasao.resfriamento_s)
  expect(() => threshold('invasao', {}, 'inexistente')).toThrow(/inexistente/)
})
