import { describe, expect, it } from 'vitest'
import { planSending } from './late-messages.ts'

const NOW = 10_000_000
const MINUTE = 60_000
let ids = 0
type Waiting = Parameters<typeof planSending>[0]
const waiting = (change: Partial<Waiting> = {}): Waiting => {
  ids += 1
  const of = { id: ids, evento_id: ids, etiqueta: `incidente-${ids}`, criado_em: NOW }
  return { ...of, tentativas: 0, em: null, retroativo: 0, gravidade: 'alta', ...change }
}
const backlog = (ageMs: number) => waiting({ retroativo: 1, criado_em: NOW - ageMs })

describe('a live message', () => {
  it('is sent alone while it is new', () => {
    expect(planSending(waiting(), [waiting(), backlog(0)], NOW)).toEqual({ levados: [] })
  })
  it('carries all others after it waited for more than a minute', () => {
    const others = [waiting({ criado_em: NOW - 2 * MINUTE, tentativas: 1, em: NOW + 1 }), waiting(), backlog(0)]
    expect(planSending(waiting({ criado_em: NOW - 61_000, tentativas: 2 }), others, NOW)).toEqual({ levados: others })
  })
  it('waits for the pause of an earlier one', () => {
    const failed = waiting({ criado_em: NOW - 5_000, tentativas: 1, em: NOW + 20_000 })
    expect(planSending(waiting(), [failed], NOW)).toEqual({ em: NOW + 20_000 })
    expect(planSending(waiting(), [failed], NOW + 20_000)).toEqual({ levados: [] })
  })
})

describe('backlog', () => {
  it('waits until none has arrived for 30 s, and then carries the others', () => {
    const [own, later] = [backlog(20_000), backlog(5_000)]
    expect(planSending(own, [later], NOW)).toEqual({ em: NOW + 25_000 })
    expect(planSending(own, [later, waiting()], NOW + 25_000)).toEqual({ levados: [later] })
  })
  it('waits for no more than ten minutes, and never for a critical event', () => {
    expect(planSending(backlog(10 * MINUTE), [backlog(1)], NOW)).toMatchObject({ levados: [{ retroativo: 1 }] })
    expect(planSending({ ...backlog(0), gravidade: 'critica' }, [backlog(0)], NOW)).toEqual({ levados: [] })
  })
})
