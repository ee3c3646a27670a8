import { type Janela, janelaSchema } from '@vigia/contracts/agenda'
import { isArmed } from '@vigia/ias/agenda'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { armedHours, DIAS, gridOf, HORAS, sameHours, toggleDay, windowOf } from './week-grid.ts'

const janela: fc.Arbitrary<Janela> = fc.record({
  inicio: fc.integer({ min: 0, max: 23 }),
  fim: fc.integer({ min: 0, max: 24 }),
  dias: fc.uniqueArray(fc.integer({ min: 0, max: 6 })),
})
const cell = fc.record({ dia: fc.nat(DIAS - 1), hora: fc.nat(HORAS - 1) })
/** 2 November 2026 is a Monday. */
const instant = (dia: number, hora: number) => Date.UTC(2026, 10, 2 + dia, hora, 30)

describe('the grid of a window', () => {
  it('shows the hours in which the analysis is armed', () => {
    fc.assert(
      fc.property(fc.option(janela), cell, (one, { dia, hora }) => {
        expect(gridOf(one)[dia]?.[hora]).toBe(isArmed(one, 'UTC', instant(dia, hora)))
      }),
    )
  })

  it('shows a night that begins on Friday also on Saturday morning', () => {
    const grid = gridOf({ inicio: 22, fim: 6, dias: [4] })
    expect(armedHours(grid)).toBe(8)
    expect([grid[4]?.[21], grid[4]?.[22], grid[5]?.[5], grid[5]?.[6]]).toEqual([false, true, true, false])
  })
})

describe('a drawn rectangle', () => {
  it('becomes a window of the API that is open in exactly its cells', () => {
    fc.assert(
      fc.property(cell, cell, (from, to) => {
        const drawn = windowOf(from, to)
        expect(janelaSchema.parse(drawn)).toEqual(drawn)
        const inside = (a: number, b: number, one: number) => one >= Math.min(a, b) && one <= Math.max(a, b)
        gridOf(drawn).forEach((hours, dia) => {
          hours.forEach((armed, hora) => {
            expect(armed).toBe(inside(from.dia, to.dia, dia) && inside(from.hora, to.hora, hora))
          })
        })
      }),
    )
  })
})

describe('a day of a window', () => {
  it('is switched without changing hours or other days, and stays in the form of the API', () => {
    fc.assert(
      fc.property(janela, fc.nat(6), (one, dia) => {
        const toggled = toggleDay(one, dia)
        expect(janelaSchema.parse(toggled)).toEqual(toggled)
        expect([toggled.inicio, toggled.fim]).toEqual([one.inicio, one.fim])
        const back = toggleDay(toggled, dia)
        if (toggled !== one) expect(sameHours(back, one)).toBe(true)
      }),
    )
  })

  it('is not removed as the last one, because no day means every day', () => {
    const monday = { inicio: 8, fim: 18, dias: [0] }
    expect(toggleDay(monday, 0)).toBe(monday)
    expect(toggleDay({ ...monday, dias: [] }, 0).dias).toEqual([1, 2, 3, 4, 5, 6])
    expect(toggleDay({ ...monday, dias: [1, 2, 3, 4, 5, 6] }, 0).dias).toEqual([])
  })
})
