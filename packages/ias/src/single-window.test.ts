import { expect, it } from 'vitest'
import { isArmed, type Janela } from './agenda.ts'
import { singleWindow } from './single-window.ts'

const WEEK = [0, 1, 2, 3, 4]

it.each<[string, Janela[], Janela]>([
  ['one window of whole hours as it is', [{ inicio: 8, fim: 8, dias: [2] }], { inicio: 8, fim: 8, dias: [2] }],
  ['half hours to whole ones', [{ inicio: 18.5, fim: 22.5, dias: WEEK }], { inicio: 18, fim: 23, dias: WEEK }],
  [
    'two windows of one day',
    [
      { inicio: 8, fim: 11.5, dias: WEEK },
      { inicio: 13, fim: 18, dias: WEEK },
    ],
    { inicio: 8, fim: 18, dias: WEEK },
  ],
  [
    'both sides of midnight',
    [
      { inicio: 22, fim: 24, dias: [] },
      { inicio: 0, fim: 5.5, dias: [] },
    ],
    { inicio: 22, fim: 6, dias: [] },
  ],
  [
    'a night that begins on the day before',
    [
      { inicio: 23, fim: 4, dias: [0] },
      { inicio: 1, fim: 5, dias: [1] },
    ],
    { inicio: 23, fim: 5, dias: [0] },
  ],
  [
    'nights and whole days of a weekend',
    [
      { inicio: 19, fim: 7, dias: WEEK },
      { inicio: 0, fim: 24, dias: [5, 6] },
    ],
    { inicio: 0, fim: 24, dias: [] },
  ],
])('%s', (_what, janelas, expected) => {
  expect(singleWindow(janelas)).toEqual(expected)
})

it('contains each window at each half hour of the week', () => {
  const janelas = [
    { inicio: 21.5, fim: 5, dias: [4, 5] },
    { inicio: 10, fim: 12.5, dias: [6] },
  ]
  const single = singleWindow(janelas)
  for (let half = 0; half < 336; half++) {
    const at = Date.parse('2026-11-09T00:00:00Z') + half * 1_800_000
    if (isArmed(janelas, 'UTC', at)) expect(isArmed(single, 'UTC', at)).toBe(true)
  }
})
