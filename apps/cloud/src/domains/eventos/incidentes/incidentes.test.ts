import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { EventoDetalhe } from '@vigia/contracts/eventos'
import type { Incidente, IncidenteDetalhe } from '@vigia/contracts/incidentes'
import { fixture, freshFixture } from '@vigia/testing/fixture'
import { afterAll, describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openSse } from '../../../test/clients/sse.ts'
import { openWs } from '../../../test/clients/ws.ts'
import { type Backstage, openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { expectIncidentesRight } from '../../../test/stores/incidentes-store.ts'
import { expectCountsRight } from '../../../test/stores/recount-store.ts'

const MINUTE = 60_000

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const acima = fixture(() => app.account('Integradora'))
const conta = fixture(() => app.account('Padaria', acima.admin))
const outra = fixture(() => app.account('Farmácia'))
const vigilante = fixture(() => app.vigilante(conta))
afterAll(async () => {
  await expectIncidentesRight(backstage.db)
  await expectCountsRight(backstage.db)
})
const camera = freshFixture(() => backstage.camera(conta.empresaId))

type Change = NonNullable<Parameters<Backstage['event']>[1]>
/** Stores an event `s` seconds from now. */
const eventAt = (s: number, change: Change = {}) =>
  backstage.event(camera, { ocorrido_em: app.clock.now() + s * 1000, ...change })
/** A new incidente with one event. */
const incidente = async (s = 0, change: Change = {}) => backstage.incidenteOf(await eventAt(s, change))
const list = (by: Client, query = '') => by.send<Incidente[]>('GET', `/api/v1/incidentes${query}`)
const listed = async (by: Client, query: string) =>
  (await by.expect<Incidente[]>(200, 'GET', `/api/v1/incidentes?camera_id=${camera.cameraId}${query}`)).map(
    ({ id }) => id,
  )
const detail = (id: number, by: Client = vigilante) =>
  by.expect<IncidenteDetalhe>(200, 'GET', `/api/v1/incidentes/${id}`)
const answer = (by: Client, id: number, body: object) =>
  by.send<Incidente>('POST', `/api/v1/incidentes/${id}/atendimento`, body)
const evento = (id: number) => conta.admin.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${id}`)

describe('the list of incidentes', () => {
  it('has the newest first and the shape of the interface', async () => {
    const first = await eventAt(0, { ocorrido_em: app.clock.now() - 60 * MINUTE })
    const second = await eventAt(0)
    await backstage.verdict(second, 'confirmado')
    const { body } = await list(vigilante, `?camera_id=${camera.cameraId}`)
    expect(body.map(({ capa_evento_id }) => capa_evento_id)).toEqual([second, first])
    const { inicio } = body[0] ?? {}
    expect(body[0]).toEqual({
      id: await backstage.incidenteOf(second),
      empresa_id: conta.empresaId,
      camera_id: camera.cameraId,
      camera_nome: 'Portão',
      tipos: ['invasao'],
      gravidade: 'alta',
      inicio,
      fim: inicio,
      eventos: 1,
      pendentes: 0,
      revisados: 0,
      veredito: 'confirmado',
      certeza: 'alta',
      capa_evento_id: second,
      capa_url: `/api/v1/crops/${second}?imagem=quadro`,
      silenciado: false,
      prova: false,
      assumido: null,
      atendimento: null,
      versao: 2,
      placa: null,
    })
    expect((await evento(second)).incidente_id).toBe(body[0]?.id)
  })

  it('shows the crop of a cover without a frame, and no picture without both', async () => {
    const crop = await eventAt(0, { quadro_path: null })
    const none = await eventAt(3600, { quadro_path: null, crop_path: null })
    const { body } = await list(vigilante, `?camera_id=${camera.cameraId}`)
    expect(body.map(({ capa_evento_id, capa_url }) => [capa_evento_id, capa_url])).toEqual([
      [none, null],
      [crop, `/api/v1/crops/${crop}`],
    ])
  })

  it('accepts every filter, alone and together', async () => {
    const refuted = await eventAt(-3 * 3600)
    await backstage.verdict(refuted, 'refutado')
    const fire = await incidente(-2 * 3600, { tipo: 'fogo', gravidade: 'critica' })
    const answered = await incidente(-3600)
    await answer(vigilante, answered, { resposta: 'falso' })
    const reviewed = await eventAt(0)
    await conta.admin.expect(200, 'POST', `/api/v1/events/${reviewed}/revisao`, {
      rotulo_humano: 'confirmado',
      revisor: 'Ana',
    })
    const [gone, last] = [await backstage.incidenteOf(refuted), await backstage.incidenteOf(reviewed)]
    const since = encodeURIComponent(new Date(app.clock.now() - 2.5 * 3_600_000).toISOString())
    const until = encodeURIComponent(new Date(app.clock.now() - 1.5 * 3_600_000).toISOString())
    for (const [query, ids] of [
      ['', [last, answered, fire, gone]],
      ['&atendido=false', [last, fire]],
      ['&atendido=true', [answered]],
      ['&veredito=refutado', [gone]],
      ['&veredito=pendente', [last, answered, fire]],
      ['&tipo=fogo', [fire]],
      ['&gravidade=critica', [fire]],
      ['&revisado=true', [last]],
      ['&revisado=false&atendido=true', [answered]],
      [`&desde=${since}`, [last, answered, fire]],
      [`&desde=${since}&ate=${until}`, [fire]],
      [`&empresa_id=${conta.empresaId}&tipo=invasao&atendido=false`, [last]],
    ] as const)
      for (const by of [vigilante, acima.admin, app.operator])
        expect([query, await listed(by, query)]).toEqual([query, ids])
  })

  it('has pages that neither repeat nor omit an incidente', async () => {
    const ids: number[] = []
    for (let i = 0; i < 7; i += 1) ids.unshift(await incidente(i * 600))
    for (const by of [vigilante, acima.admin, app.operator]) {
      const found: number[] = []
      let next: string | undefined = `/api/v1/incidentes?limit=2&camera_id=${camera.cameraId}`
      while (next) {
        const page: Awaited<ReturnType<typeof list>> = await by.send<Incidente[]>('GET', next)
        expect(page.headers.get('x-total-count')).toBe('7')
        found.push(...page.body.map(({ id }) => id))
        next = /<(.*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      }
      expect(found).toEqual(ids)
      expect(await listed(by, '&limit=2&offset=3')).toEqual(ids.slice(3, 5))
    }
  })

  it('rejects wrong filters and foreign cursors', async () => {
    const events = await vigilante.send('GET', '/api/v1/events?limit=1')
    const cursor = /cursor=([\w-]+)/.exec(events.headers.get('link') ?? '')?.[1]
    for (const query of [
      '?atendido=talvez',
      '?tipo=outro',
      '?limit=0',
      '?offset=10001',
      `?cursor=${cursor ?? 'x'}`,
      '?desde=2026-02-01T00:00:00Z&ate=2026-01-01T00:00:00Z',
    ])
      expect([query, (await list(vigilante, query)).status]).toEqual([query, 422])
    expect((await list(vigilante, `?empresa_id=${outra.empresaId}`)).status).toBe(404)
  })

  it('shows an Empresa only to its own logins and to administradores above', async () => {
    const id = await incidente()
    const sees = async (by: Client) => {
      const { body } = await list(by, `?camera_id=${camera.cameraId}`)
      return [body.length, (await by.send('GET', `/api/v1/incidentes/${id}`)).status]
    }
    for (const by of [vigilante, conta.usuario, conta.admin, acima.admin, app.operator])
      expect(await sees(by)).toEqual([1, 200])
    for (const by of [acima.usuario, outra.admin]) expect(await sees(by)).toEqual([0, 404])
  })
})

describe('one incidente', () => {
  it('holds its events, the refuted ones too, and all answers', async () => {
    const ids = [await eventAt(0), await eventAt(20), await eventAt(10)]
    await backstage.verdict(ids[0] ?? 0, 'refutado')
    const id = await backstage.incidenteOf(ids[0] ?? 0)
    await answer(vigilante, id, { resposta: 'nao_sei' })
    await answer(conta.admin, id, { resposta: 'verdadeiro', nota: 'Liguei para a polícia' })
    const body = await detail(id)
    expect(body.lista.map((each) => each.id)).toEqual([ids[0], ids[2], ids[1]])
    expect(body.lista.map(({ veredito }) => veredito?.decisao ?? null)).toEqual(['refutado', null, null])
    expect(body).toMatchObject({ eventos: 3, pendentes: 2, capa_evento_id: ids[1], inicio: body.lista[1]?.ocorrido_em })
    expect(body.atendimentos).toMatchObject([
      { resposta: 'nao_sei', nota: null, revisor: 'rui' },
      { resposta: 'verdadeiro', nota: 'Liguei para a polícia', revisor: `administrador-${conta.empresaId}` },
    ])
    expect(body.atendimento).toEqual(body.atendimentos[1])
  })

  it('is uncertain while all its confirmed events are', async () => {
    const [doubtful = 0, sure = 0] = [await eventAt(0), await eventAt(10)]
    const id = await backstage.incidenteOf(doubtful)
    expect(await detail(id)).toMatchObject({ veredito: 'pendente', certeza: null })
    await backstage.verdict(doubtful, 'confirmado', 'baixa')
    expect(await detail(id)).toMatchObject({ veredito: 'confirmado', certeza: 'baixa', capa_evento_id: sure })
    await backstage.verdict(sure, 'confirmado')
    expect(await detail(id)).toMatchObject({ veredito: 'confirmado', certeza: 'alta', capa_evento_id: sure })
  })
})

describe('an answer', () => {
  it('of a vigilante is kept with its author and time, and reviews no event', async () => {
    const event = await eventAt(0)
    const id = await backstage.incidenteOf(event)
    const { status, body } = await answer(vigilante, id, { resposta: 'falso', nota: 'Era o gato' })
    expect(status).toBe(200)
    expect(body.atendimento).toEqual({
      resposta: 'falso',
      nota: 'Era o gato',
      revisor: 'rui',
      atendido_em: expect.stringMatching(/Z$/),
    })
    expect(body.revisados).toBe(0)
    expect((await evento(event)).revisao).toBeNull()
    expect(await listed(vigilante, '&atendido=false')).toEqual([])
  })

  it('of an administrador reviews the events of the cover type, and replaces no review', async () => {
    const [first, other, vehicle, reviewed] = [
      await eventAt(0),
      await eventAt(10),
      await eventAt(20, { tipo: 'veiculo', gravidade: 'media' }),
      await eventAt(30),
    ]
    await backstage.verdict(first, 'confirmado')
    await conta.admin.expect(200, 'POST', `/api/v1/events/${reviewed}/revisao`, {
      rotulo_humano: 'confirmado',
      revisor: 'Ana',
    })
    const id = await backstage.incidenteOf(first)
    expect((await answer(conta.admin, id, { resposta: 'falso' })).body.revisados).toBe(3)
    for (const event of [first, other]) {
      const { revisao, crop_path, veredito } = await evento(event)
      expect(revisao).toMatchObject({ rotulo_humano: 'refutado', revisor: `administrador-${conta.empresaId}` })
      expect(crop_path).toMatch(/^dataset\/refutado\//)
      expect(veredito?.decisao ?? null).toBe(event === first ? 'confirmado' : null)
    }
    expect((await evento(vehicle)).revisao).toBeNull()
    expect((await evento(reviewed)).revisao).toMatchObject({ rotulo_humano: 'confirmado', revisor: 'Ana' })
    expect((await conta.admin.send('GET', `/api/v1/crops/${other}`)).status).toBe(200)

    // A later answer finds only reviewed events.
    expect((await answer(acima.admin, id, { resposta: 'verdadeiro' })).body.revisados).toBe(3)
    expect((await evento(first)).revisao).toMatchObject({ rotulo_humano: 'refutado' })
  })

  it.each([
    ['verdadeiro', 'confirmado'],
    ['nao_sei', null],
  ])('"%s" of an administrador gives the review %s', async (resposta, rotulo) => {
    const event = await eventAt(0)
    await answer(conta.admin, await backstage.incidenteOf(event), { resposta })
    expect((await evento(event)).revisao?.rotulo_humano ?? null).toBe(rotulo)
  })

  it('of a key is named by the key, and counts as that of an administrador', async () => {
    const chave = { nome: 'Central 24h', escopo: 'escrita', empresa_id: conta.empresaId }
    const made = await conta.admin.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', chave)
    const event = await eventAt(0)
    const id = await backstage.incidenteOf(event)
    const response = await fetch(`${app.url}/api/v1/incidentes/${id}/atendimento`, {
      method: 'POST',
      headers: { authorization: `Bearer ${made.chave}`, 'content-type': 'application/json' },
      body: JSON.stringify({ resposta: 'verdadeiro' }),
    })
    expect(await response.json()).toMatchObject({ atendimento: { revisor: 'Central 24h' }, revisados: 1 })
  })

  it('is recorded with its author, once per answer and per review', async () => {
    const event = await eventAt(0)
    const id = await backstage.incidenteOf(event)
    await answer(vigilante, id, { resposta: 'nao_sei' })
    await answer(conta.admin, id, { resposta: 'falso', nota: 'Vento' })
    const query = `/api/v1/auditoria?objeto=incidente&objeto_id=${id}`
    const [second, first] = await conta.admin.expect<RegistroAuditoria[]>(200, 'GET', query)
    const nothing = { resposta: null, nota: null }
    expect(first).toMatchObject({
      acao: 'atender',
      username: 'rui',
      antes: { resposta: null },
      depois: { resposta: 'nao_sei' },
    })
    expect(second).toMatchObject({
      antes: { ...nothing, resposta: 'nao_sei' },
      depois: { resposta: 'falso', nota: 'Vento' },
    })
    const reviews = `/api/v1/auditoria?objeto=evento&objeto_id=${event}`
    expect(await conta.admin.expect(200, 'GET', reviews)).toMatchObject([{ acao: 'revisar' }])
  })

  it('is refused for a read-only login, a foreign incidente and a wrong body, and changes nothing', async () => {
    const id = await incidente()
    const before = await detail(id)
    expect((await answer(conta.usuario, id, { resposta: 'falso' })).status).toBe(403)
    for (const by of [outra.admin, acima.usuario])
      expect((await answer(by, id, { resposta: 'falso' })).status).toBe(by === outra.admin ? 404 : 403)
    expect((await answer(vigilante, 999_999, { resposta: 'falso' })).status).toBe(404)
    for (const body of [
      {},
      { resposta: 'sim' },
      { resposta: 'falso', nota: 'x'.repeat(501) },
      { resposta: 'falso', x: 1 },
    ])
      expect((await answer(vigilante, id, body)).status).toBe(422)
    expect(await detail(id)).toEqual(before)
  })

  it('covers only the events before it: a later event opens a new incidente', async () => {
    const id = await incidente(0, { trilha: 'a-1' })
    await answer(vigilante, id, { resposta: 'falso' })
    expect(await incidente(10)).not.toBe(id)
    expect(await incidente(20, { trilha: 'a-1' })).toBe(id)
    expect(await incidente(30, { trilha: 'a-1', tipo: 'fogo', gravidade: 'critica' })).not.toBe(id)
  })

  it('of two persons at the same moment: both are kept', async () => {
    const id = await incidente()
    const answers = await Promise.all([
      answer(vigilante, id, { resposta: 'falso' }),
      answer(conta.admin, id, { resposta: 'verdadeiro' }),
      answer(acima.admin, id, { resposta: 'nao_sei' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const { atendimentos, atendimento } = await detail(id)
    expect(atendimentos).toHaveLength(3)
    expect(atendimento).toEqual(atendimentos[2])
  })
})

describe('the alert stream', () => {
  const authorization = () => ({ authorization: `Bearer ${vigilante.token}` })

  it('sends an incidente at its start, its verdict and its answer, without an id', async () => {
    const reader = await openSse(`${app.url}/api/v1/sse/alertas?incidentes=true`, authorization())
    const foreign = await backstage.camera(outra.empresaId)
    await backstage.event(foreign)
    const event = await eventAt(0)
    await reader.until('incidente', 1)
    await backstage.verdict(event, 'confirmado')
    await reader.until('incidente', 2)
    const id = await backstage.incidenteOf(event)
    await answer(conta.admin, id, { resposta: 'verdadeiro' })
    const frames = await reader.until('incidente', 3)
    reader.close()
    const seen = frames.map(({ data }) => JSON.parse(data) as Incidente)
    expect(seen.map(({ veredito, atendimento }) => [veredito, atendimento?.revisor ?? null])).toEqual([
      ['pendente', null],
      ['confirmado', null],
      ['confirmado', `administrador-${conta.empresaId}`],
    ])
    const { lista: _lista, atendimentos: _all, ...shown } = await detail(id)
    expect(seen[2]).toEqual(shown)
    expect(frames.map((frame) => frame.id)).toEqual([null, null, null])
    expect(reader.frames.map(({ event: kind, id: own }) => [kind, own])).toContainEqual(['alerta', String(event)])
  })

  it('sends none without the parameter, and resumes after the last event with it', async () => {
    const plain = await openSse(`${app.url}/api/v1/sse/alertas?todos=true`, authorization())
    const [first, second] = [await eventAt(0), await eventAt(3600)]
    for (const event of [first, second]) await backstage.verdict(event, 'confirmado')
    await plain.until('alerta', 2)
    expect(plain.frames.filter(({ event }) => event === 'incidente')).toEqual([])
    plain.close()
    const last = { ...authorization(), 'last-event-id': String(first) }
    const resumed = await openSse(`${app.url}/api/v1/sse/alertas?incidentes=1`, last)
    await resumed.until('alerta', 1)
    expect(resumed.frames.filter(({ event }) => event === 'alerta').map(({ id }) => id)).toEqual([String(second)])
    const [incidente] = await resumed.until('incidente', 1)
    expect(JSON.parse(incidente?.data ?? '')).toMatchObject({ veredito: 'confirmado' })
    resumed.close()
  })

  it('sends the same messages over a WebSocket', async () => {
    const socket = await openWs(`${app.url.replace('http', 'ws')}/api/v1/ws/alertas?incidentes=true`, authorization())
    if (!('until' in socket)) throw new Error(`refused: ${socket.status}`)
    const id = await incidente()
    const [message] = await socket.until('incidente', 1)
    expect(message).toMatchObject({ id: null, dados: { id } })
    socket.close()
  })
})
