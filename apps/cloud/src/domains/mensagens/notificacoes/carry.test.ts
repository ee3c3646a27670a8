import type { CorpoWebhook } from '@vigia/contracts/notificacoes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MessageStand, openMessageStand } from '../../../test/clouds/message-stand.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
let stand: MessageStand
beforeEach(async () => {
  stand = await openMessageStand(300)
})
afterEach(() => stand.close())

/** Ids of messages by incidente, from bodies that the receiver accepted. */
function arrivals(bodies: readonly CorpoWebhook[]): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>()
  const add = (id: number | null, mensagemId: string | null) =>
    found.set(id ?? 0, (found.get(id ?? 0) ?? new Set()).add(mensagemId ?? ''))
  for (const body of bodies) {
    if (body.tipo === 'incidente' && body.fase === 'novo') add(body.incidente.id, body.id)
    if (body.tipo === 'resumo') for (const item of body.incidentes) add(item.id, item.mensagem_id)
  }
  return found
}

describe('backlog', () => {
  it('becomes one summary per canal that lists every incidente and counts as its arrival', async () => {
    const hook = await stand.receiver()
    stand.start()
    await stand.canal({ destino: hook.url })
    for (let n = 0; n < 5; n += 1) {
      await stand.confirmed({ s: -10_000 - 1_000 * n, retroativo: true })
      stand.advance(20_000)
      await stand.quiet()
    }
    expect(hook.received).toEqual([])
    stand.advance(10_000)
    await stand.arrived(hook, 1)
    await stand.quiet()
    expect(stand.bodies(hook)).toMatchObject([{ tipo: 'resumo', motivo: 'atraso', total: 5 }])
    const entregas = await stand.entregas()
    expect(entregas.map(({ estado }) => estado)).toEqual(Array.from({ length: 5 }, () => 'entregue'))
    expect(entregas.filter(({ resumo_id }) => resumo_id !== null)).toHaveLength(4)
    expect([...arrivals(stand.bodies(hook)).values()].flatMap((ids) => [...ids]).toSorted()).toEqual(
      entregas.map(({ mensagem_id }) => mensagem_id).toSorted(),
    )
  })

  it('waits for no more than ten minutes, and never with a critical event or a live one', async () => {
    const hook = await stand.receiver()
    stand.start()
    await stand.canal({ destino: hook.url })
    for (let n = 0; n < 21; n += 1) {
      await stand.confirmed({ s: -100_000 - 1_000 * n, retroativo: true })
      expect(hook.received).toEqual([])
      stand.advance(29_000)
    }
    await stand.arrived(hook, 1)
    await stand.confirmed({ s: -50_000, retroativo: true, gravidade: 'critica', tipo: 'fogo' })
    await stand.arrived(hook, 2)
    await stand.confirmed({ s: -30_000, retroativo: true })
    await stand.confirmed({ s: -29_990 })
    await stand.arrived(hook, 3)
    expect(stand.bodies(hook).slice(1)).toMatchObject([
      { tipo: 'incidente', fase: 'novo', incidente: { gravidade: 'critica' } },
      { tipo: 'incidente', fase: 'atualizacao' },
    ])
  })

  it('is delivered event by event to a canal without agrupar', async () => {
    const hook = await stand.receiver()
    stand.start()
    await stand.canal({ destino: hook.url, agrupar: false })
    for (let n = 0; n < 3; n += 1) await stand.confirmed({ s: -10_000 - 1_000 * n, retroativo: true })
    await stand.arrived(hook, 3)
    expect(stand.bodies(hook).map(({ tipo }) => tipo)).toEqual(Array.from({ length: 3 }, () => 'evento.confirmado'))
  })
})

/** Steps of the simulated clock, short enough for every retry. */
async function pass(ms: number) {
  for (let past = 0; past < ms; past += 10 * MINUTE) {
    stand.advance(10 * MINUTE)
    await stand.quiet()
  }
}

describe('a destination that was down for an hour', () => {
  it.each([
    ['answers 500', (response: import('node:http').ServerResponse) => response.writeHead(500).end()],
    ['answers 429 with Retry-After', (response) => response.writeHead(429, { 'retry-after': '1800' }).end()],
    ['answers 503 without an end', (response) => response.writeHead(503).write('…')],
    ['never answers', () => {}],
  ])('and %s gets every incidente once it is back, under one id, and nothing else', async (_what, fault) => {
    let isDown = true
    const accepted: CorpoWebhook[] = []
    const hook = await stand.receiver((response, { body }) => {
      if (isDown) return fault(response)
      accepted.push(JSON.parse(body) as CorpoWebhook)
      response.writeHead(204).end()
    })
    stand.start()
    await stand.canal({ destino: hook.url })
    await stand.canal({ destino: `${hook.url}/eventos`, agrupar: false })
    const wanted: number[] = []
    for (let n = 0; n < 3; n += 1) {
      wanted.push(await stand.confirmed())
      await stand.verdict(await stand.event({ s: 1 }), 'refutado')
      await stand.confirmed({ s: 2 })
      await pass(20 * MINUTE)
    }
    isDown = false
    await pass(2 * HOUR)
    const found = arrivals(accepted)
    expect(found.size).toBe(wanted.length)
    expect([...found.values()].map((ids) => ids.size)).toEqual(wanted.map(() => 1))
    expect(accepted.filter(({ tipo }) => tipo === 'resumo').length).toBeGreaterThanOrEqual(1)
    const events = accepted.flatMap((body) => (body.tipo === 'evento.confirmado' ? [body.evento.id] : []))
    expect(new Set(events).size).toBe(6)
    expect((await stand.entregas()).map(({ estado }) => estado).filter((estado) => estado !== 'entregue')).toEqual([])
  })
})
