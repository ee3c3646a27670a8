import type { Concordancia } from '@vigia/contracts/concordancia'
import type { Evento, Metricas } from '@vigia/contracts/eventos'
import type { Incidente } from '@vigia/contracts/incidentes'
import type { Prova, ProvaEmCurso } from '@vigia/contracts/provas'
import type { Relatorio } from '@vigia/contracts/relatorios'
import { fixture } from '@vigia/testing/fixture'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MOST_JANELAS } from '../../../db/janelas-prova.ts'
import { transact } from '../../../db/transaction.ts'
import type { Client } from '../../../test/clients/client.ts'
import { startAppWithBroker } from '../../../test/clouds/app-with-broker.ts'
import { openBackstage, type SeededCamera } from '../../../test/clouds/backstage.ts'
import { type StandInEdge, startStandInEdge } from '../../../test/stand-ins/stand-in-edge.ts'
import { saveVerdict } from '../../operacao/verificacao/save-verdict.ts'

const app = fixture(startAppWithBroker)
const backstage = fixture(() => openBackstage(app))
const own = fixture(() => app.account('Própria'))

const pathOf = (id: number) => `/api/v1/cameras/${id}/provas/andamento`
const turn = (id: number, ativa: boolean, by: Client = own.admin) =>
  by.expect<ProvaEmCurso>(200, 'PUT', pathOf(id), { ativa })
const confirm = (id: number) => {
  const veredito = { decisao: 'confirmado', certeza: 'alta', confianca: 0.9, motivo: '', fonte: 'teste' } as const
  return transact(backstage.db, (tx) => saveVerdict(tx, id, veredito, '{}', app.clock.now()))
}
const marks = async (ids: readonly number[]) => {
  const rows = backstage.db.selectFrom('eventos').select('prova').where('id', 'in', ids).orderBy('id')
  return (await rows.execute()).map(({ prova }) => prova)
}

describe('the events of a walk test', () => {
  it('are those of its camera, from its begin to its end', async () => {
    const [camera, other] = [await backstage.camera(own.empresaId), await backstage.camera(own.empresaId)]
    const before = await backstage.event(camera)
    app.clock.advance(1)
    const { ate, armada, detalhe } = await turn(camera.cameraId, true)
    expect(Date.parse(ate ?? '')).toBeGreaterThan(app.clock.now())
    // The box is not connected: the test runs all the same.
    expect([armada, detalhe]).toEqual([false, expect.stringContaining('não está conectada')])
    app.clock.advance(1_000)
    const during = await backstage.event(camera)
    expect(await marks([before, during, await backstage.event(other)])).toEqual([0, 1, 0])
    const shown = await own.usuario.expect<Evento>(200, 'GET', `/api/v1/events/${during}`)
    const incidente = await own.usuario.expect<Incidente>(200, 'GET', `/api/v1/incidentes/${shown.incidente_id}`)
    expect([shown.prova, incidente.prova, incidente.eventos]).toEqual([true, true, 1])
  })

  it('are those of the record, although slow requests make the walk shorter for the browser', async () => {
    const camera = await backstage.camera(own.empresaId)
    const path = `/api/v1/cameras/${camera.cameraId}/provas`
    await turn(camera.cameraId, true)
    app.clock.advance(500)
    const first = await backstage.event(camera)
    await confirm(first)
    app.clock.advance(2_500)
    await turn(camera.cameraId, false)
    app.clock.advance(7_000)
    // The browser saw the begin after 4 s, and stored the record 5 s before it arrived.
    const body = { duracao_s: 5, encerrada_s: 1, aprovada: true, rotulos: ['person'], zonas: [] }
    const { inicio, eventos, desfecho, passo_falho } = await own.admin.expect<Prova>(201, 'POST', path, body)
    expect(eventos.map(({ id }) => id)).toEqual([first])
    const begun = backstage.db.selectFrom('janelas_prova').select('inicio').where('camera_id', '=', camera.cameraId)
    expect(await begun.execute()).toEqual([{ inicio: Date.parse(inicio) }])
    expect([desfecho, passo_falho]).toEqual(['ninguem', 'entrega'])
  })

  it('ends by itself after five minutes', async () => {
    const camera = await backstage.camera(own.empresaId)
    await turn(camera.cameraId, true)
    app.clock.advance(300_001)
    expect(await marks([await backstage.event(camera)])).toEqual([0])
  })

  it('keeps the times of the newest twenty', async () => {
    const { cameraId } = await backstage.camera(own.empresaId)
    for (let i = 0; i < MOST_JANELAS + 2; i += 1) {
      await turn(cameraId, true)
      app.clock.advance(10)
    }
    const kept = backstage.db.selectFrom('janelas_prova').select('id').where('camera_id', '=', cameraId)
    expect(await kept.execute()).toHaveLength(MOST_JANELAS)
  })

  it('is for administradores, of a camera that is switched on and in scope', async () => {
    const { cameraId } = await backstage.camera(own.empresaId)
    expect((await own.usuario.send('PUT', pathOf(cameraId), { ativa: true })).status).toBe(403)
    const foreign = await app.account('Alheia')
    expect((await foreign.admin.send('PUT', pathOf(cameraId), { ativa: true })).status).toBe(404)
    await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${cameraId}`, { ativa: false })
    expect((await own.admin.send('PUT', pathOf(cameraId), { ativa: true })).status).toBe(404)
  })
})

describe('an event of a walk test', () => {
  let camera: SeededCamera
  let real: number
  let test: number
  const conta = fixture(() => app.account('Mercado'))
  const since = () => `desde=${new Date(app.clock.now() - 60_000).toISOString()}`
  const period = () => `${since()}&ate=${new Date(app.clock.now() + 60_000).toISOString()}`
  const ids = async (path: string) => {
    const { body, headers } = await conta.admin.send<{ readonly id: number }[]>('GET', path)
    return [body.map(({ id }) => id), headers.get('x-total-count')]
  }

  beforeAll(async () => {
    camera = await backstage.camera(conta.empresaId)
    await conta.admin.expect(201, 'POST', '/api/v1/notificacoes', {
      nome: 'Central',
      tipo: 'webhook',
      destino: 'https://exemplo.com.br/1',
      empresa_id: conta.empresaId,
    })
    real = await backstage.event(camera)
    await confirm(real)
    app.clock.advance(1)
    await turn(camera.cameraId, true, conta.admin)
    test = await backstage.event(camera)
    await confirm(test)
    for (const id of [real, test])
      await conta.admin.expect(200, 'POST', `/api/v1/events/${id}/revisao`, {
        rotulo_humano: 'confirmado',
        revisor: 'Ana',
      })
  })

  it('is announced to the streams, and to no canal', async () => {
    const lines = backstage.db.selectFrom('alertas').select('evento_id').where('tipo', '=', 'alerta')
    expect((await lines.where('evento_id', 'in', [real, test]).orderBy('seq').execute()).length).toBe(2)
    const canais = backstage.db.selectFrom('canais_notificacao').select('id').where('empresa_id', '=', conta.empresaId)
    const sent = backstage.db.selectFrom('avisos_evento').select('evento_id').where('canal_id', 'in', canais)
    expect((await sent.execute()).map(({ evento_id }) => evento_id)).toEqual([real])
  })

  it('counts in no number: report, answers, agreement, metrics', async () => {
    const report = await conta.admin.expect<Relatorio>(200, 'GET', `/api/v1/relatorios?${period()}`)
    expect([report.total.eventos, report.total.confirmados, report.por_camera.length]).toEqual([1, 1, 1])
    expect(report.respostas.incidentes).toBe(1)
    const agreement = await conta.admin.expect<Concordancia>(200, 'GET', `/api/v1/concordancia?${period()}`)
    expect([agreement.total.revisados, agreement.linhas.length]).toEqual([1, 1])
    const metricas = await conta.admin.expect<Metricas>(200, 'GET', '/api/v1/metrics')
    expect([metricas.total, metricas.por_tipo, metricas.por_gravidade]).toEqual([1, { invasao: 1 }, { alta: 1 }])
    expect(metricas.revisoes).toEqual({ total: 1, concordam: 1, discordam: 0 })
  })

  it('is found, alone or left out, in each list and in the search', async () => {
    for (const filter of ['', `&${period()}`, `&camera_id=${camera.cameraId}`]) {
      expect(await ids(`/api/v1/events?limit=5${filter}`)).toEqual([[test, real], '2'])
      expect(await ids(`/api/v1/events?prova=true${filter}`)).toEqual([[test], '1'])
      expect(await ids(`/api/v1/events?prova=false${filter}`)).toEqual([[real], '1'])
    }
    const found = async (query: string) =>
      (
        await conta.admin.expect<{ readonly itens: { readonly id: number }[] }>(200, 'GET', `/api/v1/busca/${query}`)
      ).itens.map(({ id }) => id)
    expect(await found('eventos?texto=portao&prova=true')).toEqual([test])
    expect(await found('eventos?texto=portao&prova=false')).toEqual([real])
    const [ofTest, ofReal] = [await backstage.incidenteOf(test), await backstage.incidenteOf(real)]
    expect(ofTest).not.toBe(ofReal)
    expect(await ids('/api/v1/incidentes?prova=true')).toEqual([[ofTest], '1'])
    expect(await ids('/api/v1/incidentes?prova=false')).toEqual([[ofReal], '1'])
    expect(await found('incidentes?texto=portao&prova=true')).toEqual([ofTest])
    expect(await found('incidentes?texto=portao&prova=false')).toEqual([ofReal])
  })
})

describe('the box of a walk test', () => {
  let edge: StandInEdge
  const conta = fixture(() => app.account('Padaria'))
  beforeAll(async () => {
    edge = await startStandInEdge(conta.admin, app.url)
    edge.answer = async () => ({ ok: true, resultado: {} })
  })
  afterAll(() => edge.stop())

  it('arms its camera for the time, and disarms it at the end', async () => {
    const { id } = await conta.admin.expect<{ readonly id: number }>(201, 'POST', '/api/v1/cameras', {
      nome: 'Portão',
      rtsp_url: 'rtsp://192.0.2.1/1',
    })
    expect(await turn(id, true, conta.admin)).toMatchObject({ armada: true, detalhe: null })
    expect(await turn(id, false, conta.admin)).toEqual({ ate: null, armada: false, detalhe: null })
    expect(edge.commands.filter(({ acao }) => acao === 'armar_prova')).toEqual([
      { acao: 'armar_prova', camera_id: id, validade_ms: 300_000 },
      { acao: 'armar_prova', camera_id: id, validade_ms: 0 },
    ])
    const janela = backstage.db.selectFrom('janelas_prova').select('fim').where('camera_id', '=', id)
    expect((await janela.executeTakeFirstOrThrow()).fim).toBeLessThanOrEqual(app.clock.now())
  })

  it('of an earlier release is named, and its events are marked all the same', async () => {
    edge.answer = async () => ({ ok: false, falha: 'comando_desconhecido' })
    const { id } = await conta.admin.expect<{ readonly id: number }>(201, 'POST', '/api/v1/cameras', {
      nome: 'Fundos',
      rtsp_url: 'rtsp://192.0.2.1/2',
    })
    const { ate, armada, detalhe } = await turn(id, true, conta.admin)
    expect([ate === null, armada, detalhe]).toEqual([false, false, expect.stringContaining('versão antiga')])
  })
})
