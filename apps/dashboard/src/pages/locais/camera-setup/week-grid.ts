import type { Janela } from '@vigia/contracts/agenda'

export const DIAS = 7
export const HORAS = 24

/** Armed hours of a week by day (0 = Monday) and hour. */
export type WeekGrid = readonly (readonly boolean[])[]

const named = ({ dias }: Janela, dia: number) => dias.length === 0 || dias.includes(dia)
const dayBefore = (dia: number) => (dia + DIAS - 1) % DIAS

/** The hours in which a window is open; a window past midnight also covers hours of the day after. null: always. */
export const gridOf = (janela: Janela | null): WeekGrid =>
  Array.from({ length: DIAS }, (_day, dia) =>
    Array.from({ length: HORAS }, (_hour, hora) => {
      if (janela === null) return true
      const { inicio, fim } = janela
      if (inicio === fim) return named(janela, dia)
      if (inicio < fim) return named(janela, dia) && hora >= inicio && hora < fim
      return (hora >= inicio && named(janela, dia)) || (hora < fim && named(janela, dayBefore(dia)))
    }),
  )

export interface Cell {
  readonly dia: number
  readonly hora: number
}

const between = (a: number, b: number) =>
  Array.from({ length: Math.abs(a - b) + 1 }, (_one, index) => Math.min(a, b) + index)

/** All days as the empty list, in which the API stores them. */
const storedDays = (dias: readonly number[]) => (dias.length === DIAS ? [] : [...dias])

/** The window of a rectangle that was drawn from one cell to another. The whole day is stored as equal hours. */
export function windowOf(from: Cell, to: Cell): Janela {
  const [inicio, fim] = [Math.min(from.hora, to.hora), Math.max(from.hora, to.hora) + 1]
  const whole = inicio === 0 && fim === HORAS
  return { inicio, fim: whole ? 0 : fim, dias: storedDays(between(from.dia, to.dia)) }
}

/** Adds or removes a day. A window keeps at least one day: the empty list means all days. */
export function toggleDay(janela: Janela, dia: number): Janela {
  const dias = between(0, DIAS - 1).filter((one) => named(janela, one) !== (one === dia))
  return dias.length === 0 ? janela : { ...janela, dias: storedDays(dias) }
}

export const armedHours = (grid: WeekGrid): number => grid.flat().filter(Boolean).length

/** Whether the two windows are open at the same hours. */
export const sameHours = (a: Janela | null, b: Janela | null): boolean =>
  JSON.stringify(gridOf(a)) === JSON.stringify(gridOf(b))
