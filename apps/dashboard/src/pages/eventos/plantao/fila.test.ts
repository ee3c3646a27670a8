import type { Incidente } from '@vigia/contracts/incidentes'
import { describe, expect, it } from 'vitest'
import { createIncidentes } from '../../../live/incidentes.ts'
import { fixtureIncidente } from '../../../test/incidente-fixture.ts'
import { type FiltroFila, filaOf, isIn, MAX_SHOWN, takeIn } from './fila.ts'

const atendimento = { resposta: 'falso', nota: null, revisor: 'ana', atendido_em: '2026-11-21T02:32:00.000Z' } as const
const filtro = (over: Partial<FiltroFila> = {}): FiltroFila => ({ empresa: null, situacao: 'sem_resposta', ...over })
const minute = (n: number) => new Date(Date.UTC(2026, 10, 21, 0, n)).toISOString()
const incidente = (id: number, over: Partial<Incidente> = {}) => fixtureIncidente({ id, inicio: minute(id), ...over })

function known(live: readonly Incidente[], listed: readonly Incidente[] = []) {
  const incidentes = createIncidentes()
  incidentes.put(listed, 'api')
  incidentes.put(live, 'stream')
  return incidentes.all()
}
const none = new Set<number>()

describe('the queue', () => {
  it('lets new incidentes wait, and takes them in by time, newest first', () => {
    const all = known([incidente(1), incidente(2), incidente(5), incidente(4)])
    const fila = filaOf([2, 1], all, none, filtro())
    expect([fila.itens.map(({ id }) => id), fila.novos]).toEqual([
      [2, 1],
      [5, 4],
    ])
    expect(takeIn(fila, all, filtro())).toEqual([5, 4, 2, 1])
  })

  it('has the gravest first, then the newest, and of answered ones only the newest first', () => {
    const list = [
      incidente(1, { gravidade: 'critica' }),
      incidente(2, { gravidade: 'baixa' }),
      incidente(3, { gravidade: 'media' }),
      incidente(4, { gravidade: 'critica' }),
    ]
    const all = known(list)
    expect(takeIn(filaOf([], all, none, filtro()), all, filtro())).toEqual([4, 1, 3, 2])
    const answered = known(list.map((one) => ({ ...one, atendimento })))
    const past = filtro({ situacao: 'respondidos' })
    expect(takeIn(filaOf([], answered, none, past), answered, past)).toEqual([4, 3, 2, 1])
  })

  it('is cut by severity and by IA', () => {
    const one = incidente(1, { gravidade: 'alta', tipos: ['invasao', 'fogo'] })
    const cut = (gravidade?: 'alta' | 'baixa', ia?: 'fogo' | 'placa') => isIn({ gravidade, ia }, one)
    const cuts = [cut(), cut('alta'), cut('alta', 'fogo'), cut('baixa'), cut(undefined, 'placa')]
    expect(cuts).toEqual([true, true, true, false, false])
  })

  it('keeps an answered or refuted incidente in its position until the next taking in', () => {
    const all = known([incidente(1), incidente(2, { atendimento }), incidente(3, { veredito: 'refutado' })])
    const fila = filaOf([3, 2, 1], all, none, filtro())
    expect(fila.itens.map(({ id }) => id)).toEqual([3, 2, 1])
    expect(fila).toMatchObject({ novos: [], resolvidos: 2 })
    expect(takeIn(fila, all, filtro())).toEqual([1])
  })

  it('takes an incidente of the API only from the current answer', () => {
    const all = known([], [incidente(1), incidente(2)])
    expect(filaOf([], all, new Set([2]), filtro()).novos).toEqual([2])
  })

  it('has a filter for the unanswered, the unreviewed and the answered ones, and for one Empresa', () => {
    const list = [
      incidente(1),
      incidente(2, { atendimento }),
      incidente(3, { atendimento, revisados: 1 }),
      incidente(4, { veredito: 'refutado' }),
      incidente(5, { empresa_id: 2 }),
    ]
    const ids = (over: Partial<FiltroFila>) => filaOf([], known(list), none, filtro(over)).novos
    expect(ids({})).toEqual([1, 5])
    expect(ids({ situacao: 'sem_revisao' })).toEqual([1, 2, 5])
    expect(ids({ situacao: 'respondidos' })).toEqual([2, 3])
    expect(ids({ empresa: 2 })).toEqual([5])
  })

  it('drops the oldest above its limit', () => {
    const all = known(Array.from({ length: MAX_SHOWN + 5 }, (_, index) => incidente(index + 1)))
    const ids = takeIn(filaOf([], all, none, filtro()), all, filtro())
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([MAX_SHOWN, MAX_SHOWN + 5, 6])
  })
})
