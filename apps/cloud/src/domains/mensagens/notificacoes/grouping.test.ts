import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MessageStand, openMessageStand } from '../../../test/clouds/message-stand.ts'
import type { HttpReceiver } from '../../../test/stand-ins/http-receiver.ts'

const MINUTE = 60_000
let stand: MessageStand
let hook: HttpReceiver
beforeEach(async () => {
  stand = await openMessageStand()
  hook = await stand.receiver()
  stand.start()
})
afterEach(() => stand.close())

const phases = () => stand.bodies(hook).map((body) => ('fase' in body ? body.fase : body.tipo))
const last = () => stand.bodies(hook).at(-1)

describe('a canal with agrupar', () => {
  it('gets one message of an incidente, and one update of what was added within intervalo_s', async () => {
    await stand.canal({ destino: hook.url, intervalo_s: 120 })
    const first = await stand.confirmed()
    await stand.arrived(hook, 1)
    for (const s of [10, 20, 30]) await stand.confirmed({ s })
    await stand.quiet()
    expect(phases()).toEqual(['novo'])
    stand.advance(119_000)
    await stand.quiet()
    expect(phases()).toEqual(['novo'])
    stand.advance(1_000)
    await stand.arrived(hook, 2)
    expect(stand.bodies(hook)).toMatchObject([
      { tipo: 'incidente', fase: 'novo', novos: 1, incidente: { eventos: 1 }, capa: { id: first } },
      { tipo: 'incidente', fase: 'atualizacao', novos: 3, incidente: { eventos: 4, situacao: 'confirmado' } },
    ])
    const [a, b] = stand.bodies(hook)
    expect(a?.id).not.toBe(b?.id)
    stand.advance(10 * MINUTE)
    await stand.quiet()
    expect(phases()).toEqual(['novo', 'atualizacao'])
  })

  it('gets a higher severity at once', async () => {
    await stand.canal({ destino: hook.url })
    await stand.confirmed({ gravidade: 'media' })
    await stand.confirmed({ gravidade: 'media', s: 1 })
    await stand.confirmed({ gravidade: 'critica', s: 2 })
    await stand.arrived(hook, 2)
    expect(last()).toMatchObject({ fase: 'atualizacao', novos: 2, incidente: { gravidade: 'critica', eventos: 3 } })
    stand.advance(2 * MINUTE)
    await stand.quiet()
    expect(phases()).toEqual(['novo', 'atualizacao'])
  })

  it('gets a message for each incidente, and nothing for what its filters exclude', async () => {
    await stand.canal({ destino: hook.url, gravidade_min: 'alta' })
    await stand.confirmed({ gravidade: 'baixa' })
    await stand.confirmed({ s: 3600 })
    await stand.confirmed({ s: 7200 })
    await stand.arrived(hook, 2)
    await stand.quiet()
    expect(stand.bodies(hook).map((body) => 'incidente' in body && body.incidente.eventos)).toEqual([1, 1])
    expect(phases()).toEqual(['novo', 'novo'])
  })

  it('is asked again by nothing after a repeated verdict', async () => {
    await stand.canal({ destino: hook.url })
    const id = await stand.confirmed()
    await stand.arrived(hook, 1)
    await stand.verdict(id)
    stand.advance(10 * MINUTE)
    await stand.quiet()
    expect(hook.received).toHaveLength(1)
  })
})

describe('continuacao fim', () => {
  const end = 'incidente.encerrado'

  it('gets one message of an incidente and one at its end, however often it goes on', async () => {
    await stand.canal({ destino: hook.url, continuacao: 'fim' })
    await stand.confirmed()
    await stand.arrived(hook, 1)
    for (let n = 0; n < 6; n += 1) {
      stand.advance(110_000)
      await stand.quiet()
      await stand.confirmed()
    }
    await stand.quiet()
    expect(phases()).toEqual(['novo'])
    stand.advance(119_000)
    await stand.quiet()
    expect(phases()).toEqual(['novo'])
    stand.advance(1_000)
    await stand.arrived(hook, 2)
    expect(last()).toMatchObject({ tipo: end, novos: 6, incidente: { eventos: 7, situacao: 'confirmado' } })
    expect(last()).not.toHaveProperty('fase')
    stand.advance(60 * MINUTE)
    await stand.quiet()
    expect(phases()).toEqual(['novo', end])
  })

  it('gets a higher severity at once, and shows the gravest event at the end', async () => {
    await stand.canal({ destino: hook.url, continuacao: 'fim' })
    await stand.confirmed({ gravidade: 'media' })
    const grave = await stand.confirmed({ gravidade: 'critica', s: 1 })
    await stand.confirmed({ gravidade: 'media', s: 2 })
    await stand.arrived(hook, 2)
    stand.advance(2 * MINUTE)
    await stand.arrived(hook, 3)
    expect(phases()).toEqual(['novo', 'atualizacao', end])
    expect(last()).toMatchObject({ novos: 1, capa: { id: grave }, incidente: { gravidade: 'critica', eventos: 3 } })
  })

  it('waits for an event without a verdict, which keeps the incidente open', async () => {
    await stand.canal({ destino: hook.url, continuacao: 'fim' })
    await stand.confirmed()
    stand.advance(100_000)
    const late = await stand.event()
    stand.advance(30_000)
    await stand.quiet()
    await stand.verdict(late)
    await stand.quiet()
    expect(phases()).toEqual(['novo'])
    stand.advance(90_000)
    await stand.arrived(hook, 2)
    expect(last()).toMatchObject({ tipo: end, novos: 1, incidente: { eventos: 2 } })
  })

  it('gets no end of what was discarded', async () => {
    await stand.canal({ destino: hook.url, continuacao: 'fim', politica: 'avisar' })
    const id = await stand.event()
    stand.advance(30_000)
    await stand.arrived(hook, 1)
    await stand.verdict(id, 'refutado')
    await stand.arrived(hook, 2)
    stand.advance(60 * MINUTE)
    await stand.quiet()
    expect(phases()).toEqual(['novo', 'descartado'])
  })

  it('gets what it waits for as an update after a change to intervalo', async () => {
    const { id } = await stand.canal({ destino: hook.url, continuacao: 'fim' })
    await stand.confirmed()
    await stand.confirmed({ s: 1 })
    await stand.db.updateTable('canais_notificacao').set({ continuacao: 'intervalo' }).where('id', '=', id).execute()
    stand.advance(2 * MINUTE)
    await stand.arrived(hook, 2)
    expect(last()).toMatchObject({ fase: 'atualizacao', novos: 1 })
  })
})

it('delivers every confirmed event with its incidente to a canal without agrupar', async () => {
  await stand.canal({ destino: hook.url, agrupar: false })
  for (const s of [0, 1, 2]) await stand.confirmed({ s })
  await stand.arrived(hook, 3)
  expect(stand.bodies(hook)).toMatchObject(
    Array.from({ length: 3 }, () => ({ tipo: 'evento.confirmado', evento: { incidente_id: expect.any(Number) } })),
  )
})

describe('politica avisar', () => {
  it('reports an event whose verdict takes longer than 30 s, and its verdict as an update', async () => {
    await stand.canal({ destino: hook.url, politica: 'avisar' })
    await stand.canal({ destino: `${hook.url}/espera` })
    const id = await stand.event()
    stand.advance(29_000)
    await stand.quiet()
    expect(hook.received).toEqual([])
    stand.advance(1_000)
    await stand.arrived(hook, 1)
    expect(last()).toMatchObject({ fase: 'novo', incidente: { situacao: 'nao_verificado' }, capa: { veredito: null } })
    await stand.verdict(id)
    await stand.arrived(hook, 2)
    expect(hook.received[1]?.path).toMatch(/espera$/)
    stand.advance(2 * MINUTE)
    await stand.arrived(hook, 3)
    expect(last()).toMatchObject({ fase: 'atualizacao', novos: 0, incidente: { situacao: 'confirmado' } })
    stand.advance(10 * MINUTE)
    await stand.quiet()
    expect(hook.received).toHaveLength(3)
  })

  it('corrects itself after a refutation, where the first message arrived', async () => {
    await stand.canal({ destino: hook.url, politica: 'avisar' })
    await stand.canal({ destino: `${hook.url}/espera` })
    await stand.canal({ destino: `${hook.url}/eventos`, politica: 'avisar', agrupar: false })
    const id = await stand.event()
    stand.advance(30_000)
    await stand.arrived(hook, 2)
    await stand.verdict(id, 'refutado')
    await stand.arrived(hook, 4)
    stand.advance(10 * MINUTE)
    await stand.quiet()
    expect(
      stand
        .bodies(hook)
        .map((body) => ('fase' in body ? body.fase : body.tipo))
        .sort(),
    ).toEqual(['descartado', 'evento.descartado', 'evento.nao_verificado', 'novo'])
    expect(hook.received.some(({ path }) => path.endsWith('espera'))).toBe(false)
  })

  it('sends nothing about an event that was refuted before its message left', async () => {
    let status = 500
    const down = await stand.receiver((response) => response.writeHead(status).end())
    await stand.canal({ destino: down.url, politica: 'avisar' })
    await stand.confirmed({ s: -7200 })
    await stand.arrived(down, 1)
    const id = await stand.event()
    stand.advance(30_000)
    await stand.verdict(id, 'refutado')
    status = 204
    for (let n = 0; n < 4; n += 1) {
      stand.advance(10 * MINUTE)
      await stand.quiet()
    }
    const sent = stand.bodies(down).slice(-1)
    expect(sent).toMatchObject([{ fase: 'novo', incidente: { situacao: 'confirmado' } }])
  })
})

it('reports only within the half hours and weekdays of the canal', async () => {
  // 12 h on a Monday in São Paulo.
  await stand.canal({ destino: hook.url, agrupar: false, agenda: { inicio: 12.5, fim: 13, dias: [0] } })
  await stand.confirmed()
  stand.advance(30 * MINUTE)
  const within = await stand.confirmed()
  stand.advance(24 * 60 * MINUTE)
  await stand.confirmed()
  await stand.quiet()
  expect(stand.bodies(hook)).toMatchObject([{ evento: { id: within } }])
})

describe('resumo_hora', () => {
  it('lists once a day every incidente, also those that the Agenda held back', async () => {
    // 12 h in São Paulo; the canal is open from 8 h to 18 h, and its digest is at 7 h.
    await stand.canal({ destino: hook.url, resumo_hora: 7, agenda: { inicio: 8, fim: 18 } })
    await stand.confirmed()
    await stand.confirmed({ s: 8 * 3600 })
    await stand.arrived(hook, 1)
    stand.advance(18 * 3600_000)
    await stand.quiet()
    expect(phases()).toEqual(['novo'])
    stand.advance(3600_000)
    await stand.arrived(hook, 2)
    expect(last()).toMatchObject({
      tipo: 'resumo',
      motivo: 'diario',
      total: 2,
      incidentes: [
        { avisado: true, mensagem_id: stand.bodies(hook)[0]?.id },
        { avisado: false, mensagem_id: null },
      ],
    })
    stand.advance(24 * 3600_000)
    await stand.quiet()
    expect(hook.received).toHaveLength(2)
  })
})
