import { expect, it } from 'vitest'
import type { AnalysisSettings } from '../analyses.ts'
import { createOpenPassages } from './open-passages.ts'

const base = { zonas: [], linha: [], fusoHorario: 'America/Sao_Paulo' }
const modoB = { regiao: [], confPlaca: 0.8 }
/** Monday to Friday, 07:30 to 19:00. */
const agenda = [{ inicio: 7.5, fim: 19, dias: [0, 1, 2, 3, 4] }]
const analises = [{ ia: 'placa' as const, calibracao: {}, agenda }]
const open = (settings: Partial<AnalysisSettings>) =>
  createOpenPassages({
    cameraId: 1,
    settings: { ...base, analises, ...settings },
    onPassage: () => {},
    trilhaOf: String,
  })
/** Local time of a Tuesday. */
const tuesday = (clock: string) => Date.parse(`2026-11-10T${clock}:00-03:00`)

it('plates are read within the hours of their IA, and at any time without hours', () => {
  const passages = open({ modoB })
  expect(['07:29', '07:30', '18:59', '19:00'].map((clock) => passages.isOn(tuesday(clock)))).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect(open({ modoB, analises: [] }).isOn(tuesday('03:00'))).toBe(true)
  expect(open({}).isOn(tuesday('12:00'))).toBe(false)
})

it('a holiday counts as its weekday, and other hours end no passage', () => {
  const passages = open({ modoB })
  const feriados = { datas: ['2026-11-10'], dia: 6 }
  expect(passages.configure({ ...base, analises, modoB, feriados })).toBe(false)
  expect(passages.isOn(tuesday('12:00'))).toBe(false)
})
