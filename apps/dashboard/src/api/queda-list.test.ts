import type { Camera } from '@vigia/contracts/cameras'
import { describe, expect, it } from 'vitest'
import { fixtureQueda } from '../test/queda-fixture.ts'
import { downNow, type FiltroQuedas, foldOfflineEdges, mergeQueda, openQuedaOf, openQuedas } from './queda-list.ts'

const all: FiltroQuedas = { empresa: null, edge: null, camera: null, abertas: false }
const over = '2026-11-21T03:00:00.000Z'

describe('mergeQueda', () => {
  it('keeps the latest version of each queda, open ones first', () => {
    const old = fixtureQueda({ id: 1, inicio: '2026-11-20T00:00:00.000Z' })
    const ended = fixtureQueda({ id: 2, fim: over })
    expect(mergeQueda([ended], old, all)).toEqual([old, ended])
    const oldEnded = { ...old, fim: over }
    expect(mergeQueda([old, ended], oldEnded, all)).toEqual([ended, oldEnded])
    // A late copy of the message about its start.
    expect(mergeQueda([ended, oldEnded], old, all)).toEqual([ended, oldEnded])
  })

  it('keeps only quedas that match the filter', () => {
    const queda = fixtureQueda({ empresa_id: 1, edge_id: 7, camera_id: 5 })
    const takes = (filtro: Partial<FiltroQuedas>) => mergeQueda([], queda, { ...all, ...filtro }).length === 1
    expect([takes({ empresa: 1 }), takes({ empresa: 2 })]).toEqual([true, false])
    expect([takes({ edge: 7 }), takes({ edge: 8 })]).toEqual([true, false])
    expect([takes({ camera: 5 }), takes({ camera: 6 })]).toEqual([true, false])
    expect(mergeQueda([queda], { ...queda, fim: over }, openQuedas(null))).toEqual([])
  })
})

describe('foldOfflineEdges', () => {
  const lines = (...list: Parameters<typeof fixtureQueda>[0][]) =>
    foldOfflineEdges(list.map((part) => fixtureQueda(part))).map(({ queda, cameras }) => [queda.id, cameras])
  const edge = { id: 1, edge_id: 7, camera_id: null, motivo: 'sem_contato' }
  const dark = { edge_id: 7, camera_id: 10, motivo: 'edge_offline' }

  it('returns one queda for an offline edge, with the number of its cameras', () => {
    const elsewhere = { id: 4, edge_id: 8, camera_id: 20, motivo: 'edge_offline' }
    expect(lines({ ...dark, id: 2 }, edge, { ...dark, id: 3, camera_id: 11 }, elsewhere)).toEqual([
      [1, 2],
      [4, 0],
    ])
  })

  it('keeps quedas with another reason, ended quedas, and all quedas of an edge that is online again', () => {
    const broken = { id: 2, edge_id: 7, camera_id: 10, motivo: 'senha_recusada' }
    const ended = { ...dark, id: 3, fim: over }
    expect(lines(edge, broken, ended).map(([id]) => id)).toEqual([1, 2, 3])
    expect(lines({ ...edge, fim: over }, { ...dark, id: 3 }).map(([id]) => id)).toEqual([1, 3])
  })
})

describe('downNow', () => {
  const camera = (id: number, edge_id: number | null, status: Camera['status']) => ({ id, edge_id, status }) as Camera

  it('returns an offline edge once, and offline cameras of working edges', () => {
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
    const { edges, cameras: down } = downNow(open, cameras)
    expect(edges.map(({ id }) => id)).toEqual([1])
    expect(down.map(({ id }) => id)).toEqual([20, 22, 30])
  })

  it('finds the open queda of one camera', () => {
    const open = [fixtureQueda({ id: 1, camera_id: null }), fixtureQueda({ id: 2, camera_id: 10 })]
    expect(openQuedaOf(open, 10)?.id).toBe(2)
    expect(openQuedaOf(open, 11)).toBeNull()
    expect(openQuedaOf([fixtureQueda({ camera_id: 10, fim: over })], 10)).toBeNull()
  })
})
