import { QueryClient } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'
import { describe, expect, it } from 'vitest'
import { openQuedas } from '../api/queda-list.ts'
import { fixtureEvento } from '../test/evento-fixture.ts'
import { fixtureIncidente } from '../test/incidente-fixture.ts'
import { fixtureQueda } from '../test/queda-fixture.ts'
import { applyCamera, applyEvento, applyIncidente, applyQueda } from './apply-live.ts'

describe('changes from the stream', () => {
  it('refetch an open event, an open incidente and the lists of the camera', () => {
    const queries = new QueryClient()
    for (const key of [
      ['eventos', 7],
      ['eventos', 8],
      ['evento', 1],
      ['incidente', 1],
    ])
      queries.setQueryData(key, {})
    applyEvento(queries, fixtureEvento({ id: 2 }))
    applyIncidente(queries, fixtureIncidente({ id: 2 }))
    expect([stale(queries, ['evento', 1]), stale(queries, ['incidente', 1])]).toEqual([false, false])
    applyEvento(queries, fixtureEvento({ id: 1, camera_id: 7 }))
    expect([stale(queries, ['eventos', 7]), stale(queries, ['eventos', 8])]).toEqual([true, false])
    applyIncidente(queries, fixtureIncidente({ id: 1 }))
    expect([stale(queries, ['evento', 1]), stale(queries, ['incidente', 1])]).toEqual([true, true])
  })

  const camera = (over: Partial<Camera>) =>
    ({ id: 1, empresa_id: 1, nome: 'Pátio', status: 'online', ativa: true, ...over }) as Camera
  const change = {
    id: 1,
    empresa_id: 1,
    nome: 'Pátio',
    status_detalhe: 'Sem vídeo.',
    ultimo_frame_em: null,
    silencio: null,
  }
  const stale = (queries: QueryClient, key: unknown[]) => queries.getQueryState(key)?.isInvalidated

  it('set only the status and the silence of a camera', () => {
    const queries = new QueryClient()
    queries.setQueryData(['cameras', null], [camera({ codec: 'h264' }), camera({ id: 2 })])
    applyCamera(queries, { ...change, status: 'offline' })
    expect(queries.getQueryData(['cameras', null])).toMatchObject([
      { id: 1, status: 'offline', status_detalhe: 'Sem vídeo.', codec: 'h264', ativa: true, silencio: null },
      { id: 2, status: 'online' },
    ])
    expect(stale(queries, ['cameras', null])).toBe(false)
    applyCamera(queries, { ...change, status: 'desativada' })
    expect(queries.getQueryData(['cameras', null])).toMatchObject([{ ativa: false }, {}])
    const silencio = { ate: '2026-11-21T02:30:00.000Z', por: 'rui' }
    applyCamera(queries, { ...change, status: 'desativada', silencio })
    expect(queries.getQueryData(['cameras', null])).toMatchObject([{ silencio }, { status: 'online' }])
  })

  it('refetch for a camera that came online and for an unknown camera', () => {
    const queries = new QueryClient()
    queries.setQueryData(['cameras', 1], [camera({ status: 'offline' })])
    applyCamera(queries, { ...change, status: 'online' })
    expect(stale(queries, ['cameras', 1])).toBe(true)

    queries.setQueryData(['cameras', 1], [camera({})])
    expect(stale(queries, ['cameras', 1])).toBe(false)
    applyCamera(queries, { ...change, id: 9, status: 'offline' })
    expect(stale(queries, ['cameras', 1])).toBe(true)
  })

  it('do not refetch for an unknown camera of another Empresa', () => {
    const queries = new QueryClient()
    queries.setQueryData(['cameras', 1], [camera({})])
    applyCamera(queries, { ...change, id: 9, empresa_id: 2, status: 'offline' })
    expect(stale(queries, ['cameras', 1])).toBe(false)
  })

  it('add a queda to the lists that match it, and refetch the edges if it is of an edge', () => {
    const queries = new QueryClient()
    const open = ['quedas', openQuedas(1), 200]
    const other = ['quedas', openQuedas(2), 200]
    for (const key of [open, other, ['edges', null]]) queries.setQueryData(key, [])
    const queda = fixtureQueda({ id: 1, camera_id: 5 })
    applyQueda(queries, queda)
    expect(queries.getQueryData(open)).toEqual([queda])
    expect(queries.getQueryData(other)).toEqual([])
    expect(stale(queries, ['edges', null])).toBe(false)
    applyQueda(queries, { ...queda, fim: '2026-11-21T03:00:00.000Z' })
    expect(queries.getQueryData(open)).toEqual([])
    applyQueda(queries, fixtureQueda({ id: 2, camera_id: null }))
    expect(stale(queries, ['edges', null])).toBe(true)
  })
})
