import type { Janela } from '@vigia/ias/agenda'

export const DIAS = 7
export const HORAS = 24

/** Armed cells of a week by day (0 = Monday) and step of the day. */
export type WeekGrid = readonly (readonly boolean[])[]

const named = ({ dias }: Janela, dia: number) => dias.length === 0 || dias.includes(dia)
const dayBefore = (dia: number) => (dia + DIAS - 1) % DIAS

function isOpen(janela: Janela, dia: number, hora: number): boolean {
  const { inicio, fim } = janela
  if (inicio === fim) return named(janela, dia)
  if (inicio < fim) return named(janela, dia) && hora >= inicio && hora < fim
  return (hora >= inicio && named(janela, dia)) || (hora < fim && named(janela, dayBefore(dia)))
}

/**
 * The cells in which one of the windows is open; a window past midnight also covers cells of the day after. null:
 * always.
 * @param step hours of a cell
 */
export const gridOf = (janelas: Janela | readonly Janela[] | null, step = 1): WeekGrid =>
  Array.from({ length: DIAS }, (_day, dia) =>
    Array.from({ length: HORAS / step }, (_cell, at) => {
      if (janelas === null) return true
      return ('inicio' in janelas ? [janelas] : janelas).some((janela) => isOpen(janela, dia, at * step))
    }),
  )

export interface Cell {
  readonly dia: number
  /** Number of the cell in its day. */
  readonly hora: number
}

const between = (a: number, b: number) =>
  Array.from({ length: Math.abs(a - b) + 1 }, (_one, index) => Math.min(a, b) + index)

/** All days as the empty list, in which the API stores them. */
const storedDays = (dias: readonly number[]) => (dias.length === DIAS ? [] : [...dias])

/** The window of a rectangle that was drawn from one cell to another. The whole day is stored as equal hours. */
export function windowOf(from: Cell, to: Cell, step = 1): Janela & { readonly dias: number[] } {
  const inicio = Math.min(from.hora, to.hora) * step
  const fim = (Math.max(from.hora, to.hora) + 1) * step
  const whole = inicio === 0 && fim === HORAS
  return { inicio, fim: whole ? 0 : fim, dias: storedDays(between(from.dia, to.dia)) }
}

/** Adds or removes a day. A window keeps at least one day: the empty list means all days. */
export function toggleDay<T extends Janela>(janela: T, dia: number): T {
  const dias = between(0, DIAS - 1).filter((one) => named(janela, one) !== (one === dia))
  return dias.length === 0 ? janela : { ...janela, dias: storedDays(dias) }
}

/** Armed hours of the week. */
export const armedHours = (grid: WeekGrid): number =>
  grid.reduce((sum, cells) => sum + (cells.filter(Boolean).length * HORAS) / cells.length, 0)

/** Whether the two windows are open at the same hours. */
export const sameHours = (a: Janela | null, b: Janela | null): boolean =>
  JSON.stringify(gridOf(a)) === JSON.stringify(gridOf(b))
