import { describe, expect, it } from 'vitest'
import { type FiltroAlertas, MAX_ALERTAS, mergeEventos } from './alerta-list.ts'
import { fixtureEvento, fixtureVeredito } from './evento-fixture.ts'

const filtro = (over: Partial<FiltroAlertas> = {}): FiltroAlertas => ({
  empresa: null,
  camera: null,
  veredito: null,
  refutados: false,
  ...over,
})
const minute = (n: number) => new Date(Date.UTC(2026, 10, 21, 0, n)).toISOString()
const ids = (list: readonly { id: number }[]) => list.map((one) => one.id)

describe('list of alerts', () => {
  it('is sorted by time of occurrence, newest first, also when an edge delivers late', () => {
    const list = [fixtureEvento({ id: 5, ocorrido_em: minute(50) }), fixtureEvento({ id: 4, ocorrido_em: minute(40) })]
    const late = fixtureEvento({ id: 9, ocorrido_em: minute(45) })
    expect(ids(mergeEventos(list, [late], filtro()))).toEqual([5, 9, 4])
  })

  it('orders two events of the same instant by id', () => {
    expect(ids(mergeEventos([], [fixtureEvento({ id: 1 }), fixtureEvento({ id: 2 })], filtro()))).toEqual([2, 1])
  })

  it('keeps one entry per event and adds its verdict', () => {
    const pending = fixtureEvento()
    const decided = { ...pending, veredito: fixtureVeredito('confirmado') }
    const list = mergeEventos([pending], [decided], filtro())
    expect(list).toEqual([decided])
  })

  it('keeps a verdict when an older answer has none', () => {
    const pending = fixtureEvento()
    const decided = { ...pending, veredito: fixtureVeredito('confirmado') }
    expect(mergeEventos([decided], [pending], filtro())).toEqual([decided])
  })

  it('keeps the later of two verdicts', () => {
    const first = fixtureEvento({ veredito: fixtureVeredito('confirmado', '2026-11-21T02:30:03.000Z') })
    const second = { ...first, veredito: fixtureVeredito('confirmado', '2026-11-21T02:31:00.000Z') }
    expect(mergeEventos([second], [first], filtro())).toEqual([second])
    expect(mergeEventos([first], [second], filtro())).toEqual([second])
  })

  it('removes a refuted event unless refuted ones are shown', () => {
    const pending = fixtureEvento()
    const refuted = { ...pending, veredito: fixtureVeredito('refutado') }
    expect(mergeEventos([pending], [refuted], filtro())).toEqual([])
    expect(mergeEventos([pending], [refuted], filtro({ refutados: true }))).toEqual([refuted])
    expect(mergeEventos([pending], [refuted], filtro({ veredito: 'refutado' }))).toEqual([refuted])
  })

  it('shows only events that match the filter', () => {
    const eventos = [
      fixtureEvento({ id: 1, camera_id: 1, empresa_id: 1 }),
      fixtureEvento({ id: 2, camera_id: 2, empresa_id: 1, veredito: fixtureVeredito('confirmado') }),
      fixtureEvento({ id: 3, camera_id: 3, empresa_id: 2 }),
    ]
    expect(ids(mergeEventos([], eventos, filtro({ camera: 2 })))).toEqual([2])
    expect(ids(mergeEventos([], eventos, filtro({ empresa: 2 })))).toEqual([3])
    expect(ids(mergeEventos([], eventos, filtro({ veredito: 'pendente' })))).toEqual([3, 1])
    expect(ids(mergeEventos([], eventos, filtro({ veredito: 'confirmado' })))).toEqual([2])
  })

  it('drops the oldest events above its limit', () => {
    const many = Array.from({ length: MAX_ALERTAS + 20 }, (_, n) =>
      fixtureEvento({ id: n + 1, ocorrido_em: minute(n) }),
    )
    const list = mergeEventos(many.slice(0, 100), many.slice(100), filtro())
    expect(list).toHaveLength(MAX_ALERTAS)
    expect(list[0]?.id).toBe(MAX_ALERTAS + 20)
    expect(list.at(-1)?.id).toBe(21)
  })
})
