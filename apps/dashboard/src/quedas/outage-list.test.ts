import type { Camera } from '@vigia/contracts/cameras'
import { describe, expect, it } from 'vitest'
import { downNow, type FiltroQuedas, foldDarkSites, mergeQueda, openOutageOf, openOutages } from './outage-list.ts'
import { fixtureQueda } from './queda-fixture.ts'

const all: FiltroQuedas = { empresa: null, caixa: null, camera: null, abertas: false }
const over = '2026-11-21T03:00:00.000Z'

describe('a list of outages', () => {
  it('holds each once, in its latest version, what goes on first', () => {
    const old = fixtureQueda({ id: 1, inicio: '2026-11-20T00:00:00.000Z' })
    const ended = fixtureQueda({ id: 2, fim: over })
    expect(mergeQueda([ended], old, all)).toEqual([old, ended])
    const oldEnded = { ...old, fim: over }
    expect(mergeQueda([old, ended], oldEnded, all)).toEqual([ended, oldEnded])
    // The same message of its beginning, delivered late.
    expect(mergeQueda([ended, oldEnded], old, all)).toEqual([ended, oldEnded])
  })

  it('takes only what its filter shows', () => {
    const queda = fixtureQueda({ empresa_id: 1, edge_id: 7, camera_id: 5 })
    const takes = (filtro: Partial<FiltroQuedas>) => mergeQueda([], queda, { ...all, ...filtro }).length === 1
    expect([takes({ empresa: 1 }), takes({ empresa: 2 })]).toEqual([true, false])
    expect([takes({ caixa: 7 }), takes({ caixa: 8 })]).toEqual([true, false])
    expect([takes({ camera: 5 }), takes({ camera: 6 })]).toEqual([true, false])
    expect(mergeQueda([queda], { ...queda, fim: over }, openOutages(null))).toEqual([])
  })
})

describe('the lines of a list', () => {
  const lines = (...list: Parameters<typeof fixtureQueda>[0][]) =>
    foldDarkSites(list.map((part) => fixtureQueda(part))).map(({ queda, cameras }) => [queda.id, cameras])
  const box = { id: 1, edge_id: 7, camera_id: null, motivo: 'sem_contato' }
  const dark = { edge_id: 7, camera_id: 10, motivo: 'edge_offline' }

  it('are one for a dark site, with the number of its cameras', () => {
    const elsewhere = { id: 4, edge_id: 8, camera_id: 20, motivo: 'edge_offline' }
    expect(lines({ ...dark, id: 2 }, box, { ...dark, id: 3, camera_id: 11 }, elsewhere)).toEqual([
      [1, 2],
      [4, 0],
    ])
  })

  it('keep what is down for another reason, what is over, and everything of a box that is back', () => {
    const broken = { id: 2, edge_id: 7, camera_id: 10, motivo: 'senha_recusada' }
    const ended = { ...dark, id: 3, fim: over }
    expect(lines(box, broken, ended).map(([id]) => id)).toEqual([1, 2, 3])
    expect(lines({ ...box, fim: over }, { ...dark, id: 3 }).map(([id]) => id)).toEqual([1, 3])
  })
})

describe('what is down now', () => {
  const camera = (id: number, edge_id: number | null, status: Camera['status']) => ({ id, edge_id, status }) as Camera

  it('counts a dark site as one box, and beside it the cameras whose box works', () => {
    const open = [
      fixtureQueda({ id: 1, edge_id: 7, camera_id: null }),
      fixtureQueda({ id: 2, edge_id: 7, camera_id: 10 }),
      fixtureQueda({ id: 3, edge_id: 8, camera_id: 20 }),
      fixtureQueda({ id: 4, edge_id: 9, camera_id: null, fim: over }),
    ]
    const cameras = [
      camera(10, 7, 'offline'),
      camera(20, 8, 'offline'),
      camera(21, 8, 'online'),
      camera(22, 9, 'offline'),
      camera(30, null, 'offline'),
      camera(31, 8, 'desativada'),
    ]
    const { caixas, cameras: down } = downNow(open, cameras)
    expect(caixas.map(({ id }) => id)).toEqual([1])
    expect(down.map(({ id }) => id)).toEqual([20, 22, 30])
  })

  it('finds the outage of one camera that goes on', () => {
    const open = [fixtureQueda({ id: 1, camera_id: null }), fixtureQueda({ id: 2, camera_id: 10 })]
    expect(openOutageOf(open, 10)?.id).toBe(2)
    expect(openOutageOf(open, 11)).toBeNull()
    expect(openOutageOf([fixtureQueda({ camera_id: 10, fim: over })], 10)).toBeNull()
  })
})
