import { QueryClient } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'
import { describe, expect, it } from 'vitest'
import { fixtureEvento, fixtureVeredito } from '../alertas/evento-fixture.ts'
import { openOutages } from '../quedas/outage-list.ts'
import { fixtureQueda } from '../quedas/queda-fixture.ts'
import { applyCamera, applyEvento, applyQueda } from './apply-live.ts'

const filtro = { empresa: null, camera: null, veredito: null, refutados: false }

describe('what the stream changes in the page', () => {
  it('puts an event only into the lists whose filter shows it', () => {
    const queries = new QueryClient()
    const all = ['eventos', filtro, 50]
    const other = ['eventos', { ...filtro, camera: 2 }, 50]
    queries.setQueryData(all, [])
    queries.setQueryData(other, [])
    const evento = fixtureEvento({ camera_id: 1 })
    applyEvento(queries, evento)
    expect(queries.getQueryData(all)).toEqual([evento])
    expect(queries.getQueryData(other)).toEqual([])
    applyEvento(queries, { ...evento, veredito: fixtureVeredito('refutado') })
    expect(queries.getQueryData(all)).toEqual([])
  })

  const camera = (over: Partial<Camera>) =>
    ({ id: 1, empresa_id: 1, nome: 'Pátio', status: 'online', ativa: true, ...over }) as Camera
  const change = { id: 1, empresa_id: 1, nome: 'Pátio', status_detalhe: 'Sem vídeo.', ultimo_frame_em: null }
  const stale = (queries: QueryClient, key: unknown[]) => queries.getQueryState(key)?.isInvalidated

  it('changes the status of a camera and leaves the rest of it alone', () => {
    const queries = new QueryClient()
    queries.setQueryData(['cameras', null], [camera({ codec: 'h264' }), camera({ id: 2 })])
    applyCamera(queries, { ...change, status: 'offline' })
    expect(queries.getQueryData(['cameras', null])).toMatchObject([
      { id: 1, status: 'offline', status_detalhe: 'Sem vídeo.', codec: 'h264', ativa: true },
      { id: 2, status: 'online' },
    ])
    expect(stale(queries, ['cameras', null])).toBe(false)
    applyCamera(queries, { ...change, status: 'desativada' })
    expect(queries.getQueryData(['cameras', null])).toMatchObject([{ ativa: false }, {}])
  })

  it('fetches again for a camera that came online, and for one that it does not know', () => {
    const queries = new QueryClient()
    queries.setQueryData(['cameras', 1], [camera({ status: 'offline' })])
    applyCamera(queries, { ...change, status: 'online' })
    expect(stale(queries, ['cameras', 1])).toBe(true)

    queries.setQueryData(['cameras', 1], [camera({})])
    expect(stale(queries, ['cameras', 1])).toBe(false)
    applyCamera(queries, { ...change, id: 9, status: 'offline' })
    expect(stale(queries, ['cameras', 1])).toBe(true)
  })

  it('does not fetch again for an unknown camera of another Empresa', () => {
    const queries = new QueryClient()
    queries.setQueryData(['cameras', 1], [camera({})])
    applyCamera(queries, { ...change, id: 9, empresa_id: 2, status: 'offline' })
    expect(stale(queries, ['cameras', 1])).toBe(false)
  })

  it('puts an outage into the lists that show it, and asks for the boxes when it is one of theirs', () => {
    const queries = new QueryClient()
    const open = ['quedas', openOutages(1), 200]
    const other = ['quedas', openOutages(2), 200]
    for (const key of [open, other, ['caixas', null]]) queries.setQueryData(key, [])
    const queda = fixtureQueda({ id: 1, camera_id: 5 })
    applyQueda(queries, queda)
    expect(queries.getQueryData(open)).toEqual([queda])
    expect(queries.getQueryData(other)).toEqual([])
    expect(stale(queries, ['caixas', null])).toBe(false)
    applyQueda(queries, { ...queda, fim: '2026-11-21T03:00:00.000Z' })
    expect(queries.getQueryData(open)).toEqual([])
    applyQueda(queries, fixtureQueda({ id: 2, camera_id: null }))
    expect(stale(queries, ['caixas', null])).toBe(true)
  })
})
