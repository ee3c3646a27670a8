import type { ParteEntendida } from '@vigia/contracts/busca'
import { describe, expect, it } from 'vitest'
import { filterOf, timeFilter, togetherWith, without } from './understood.ts'

const parte = (campo: ParteEntendida['campo'], valor: string, inicio: number, fim: number, ate: string | null = null) =>
  ({ campo, valor, ate, inicio, fim }) satisfies ParteEntendida
const frase = 'pessoa no portão ontem à noite'
const partes = [
  parte('coisa', 'person', 0, 6),
  parte('camera', '7', 10, 16),
  parte('periodo', '2026-11-25', 17, 22, '2026-11-25'),
  parte('hora', '18:00', 23, 30, '06:00'),
]

describe('the parts of a sentence', () => {
  it('become filters, a day and its hours together', () => {
    const [coisa, camera, periodo, hora] = partes
    expect(partes.map(filterOf)).toEqual([
      null,
      { camera: 7 },
      { de: '2026-11-25', ate: '2026-11-25' },
      { das: '18:00', antes: '06:00' },
    ])
    expect(hora && togetherWith(hora, partes)).toEqual([periodo, hora])
    expect(camera && togetherWith(camera, partes)).toEqual([camera])
    expect(coisa && without(frase, [coisa])).toBe('no portão ontem à noite')
    expect(without(frase, partes.slice(2))).toBe('pessoa no portão')
    expect(without('pessoa', partes.slice(0, 1))).toBeUndefined()
  })
})

describe('days and hours of day', () => {
  const day = { de: '2026-11-25', ate: '2026-11-26' }
  it('let a night end on the next day', () => {
    expect(timeFilter({ ...day, das: '18:00', antes: '06:00' }, 'America/Sao_Paulo')).toEqual({
      desde: '2026-11-25T21:00:00.000Z',
      ate: '2026-11-27T09:00:00.000Z',
      hora_de: '18:00',
      hora_ate: '06:00',
    })
  })
  it('have whole days around the hours of one day', () => {
    const whole = { desde: '2026-11-25T03:00:00.000Z', ate: '2026-11-27T03:00:00.000Z' }
    const morning = { ...day, das: '08:00', antes: '10:00' }
    expect(timeFilter(morning, 'America/Sao_Paulo')).toEqual({ ...whole, hora_de: '08:00', hora_ate: '10:00' })
    expect(timeFilter(day, 'America/Sao_Paulo')).toEqual({ ...whole, hora_de: undefined, hora_ate: undefined })
    expect(timeFilter({ das: '22:00' }, 'America/Sao_Paulo')).toMatchObject({ hora_de: '22:00', hora_ate: '00:00' })
  })
})
