import type { AndamentoProva, Prova } from '@vigia/contracts/provas'
import { newPushBrowser, startPushService } from '@vigia/testing/push-service'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openSse, type SseReader } from '../../../test/clients/sse.ts'
import { type Backstage, type SeededCamera, startWithBackstage } from '../../../test/clouds/backstage.ts'
import type { Account, TestApp } from '../../../test/clouds/test-app.ts'

let app: TestApp
let backstage: Backstage
let own: Account
let foreign: Account
let camera: SeededCamera
const open: SseReader[] = []

beforeAll(async () => {
  ;({ app, backstage } = await startWithBackstage({ VIGIA_WEBHOOK_PERMITIR: '127.0.0.1/32' }))
  own = await app.account('Própria')
  foreign = await app.account('Alheia')
})
afterAll(() => app.stop())
beforeEach(async () => {
  camera = await backstage.camera(own.empresaId)
})
afterEach(() => {
  for (const reader of open.splice(0)) reader.close()
})

const listen = async (by: Client): Promise<SseReader> => {
  const reader = await openSse(`${app.url}/api/v1/sse/alertas`, { authorization: `Bearer ${by.token}` })
  open.push(reader)
  return reader
}
/** The state of a walk that the administrador of the Empresa makes. */
const follow = (viu = true) =>
  own.admin.expect<AndamentoProva>(
    200,
    'GET',
    `/api/v1/cameras/${camera.cameraId}/provas/andamento?duracao_s=60&viu=${viu}`,
  )
const record = (fields: object) =>
  own.admin.expect<Prova>(201, 'POST', `/api/v1/cameras/${camera.cameraId}/provas`, {
    duracao_s: 60,
    aprovada: true,
    encerrada_s: 60,
    ...fields,
  })
const confirmed = async () => {
  const id = await backstage.event(camera)
  await backstage.verdict(id, 'confirmado')
  return id
}
const seenBy = (reader: SseReader) => reader.until('alerta', 1)

describe('the end of a walk test', () => {
  it('is another screen when a stream of another session was sent the alert', async () => {
    const walker = await listen(own.admin)
    const guard = await listen(own.usuario)
    await confirmed()
    await Promise.all([seenBy(walker), seenBy(guard)])
    const reached = { desfecho: 'outra_tela', passo_falho: null }
    await waitFor('another screen', async () => (await follow()).desfecho === 'outra_tela')
    expect(await follow()).toEqual(reached)
    expect(await record({ rotulos: ['person'] })).toMatchObject(reached)
    // A client of an earlier release does not send when the walk ended.
    expect(await record({ encerrada_s: null })).toMatchObject({ desfecho: null, passo_falho: null })
  })

  it('is nobody when only the own screen was sent the alert, or one that opened later', async () => {
    const walker = await listen(own.admin)
    const other = await listen(foreign.admin)
    const first = await confirmed()
    await seenBy(walker)
    const late = await openSse(`${app.url}/api/v1/sse/alertas`, {
      authorization: `Bearer ${own.usuario.token}`,
      'last-event-id': String(first - 1),
    })
    open.push(late)
    await seenBy(late)
    // Before a stream sends a further alert it has recorded the first.
    const next = await backstage.event(await backstage.camera(own.empresaId))
    await backstage.verdict(next, 'confirmado')
    await Promise.all([walker.until('alerta', 2), late.until('alerta', 2)])
    expect(other.frames).toEqual([])
    expect(await follow()).toEqual({ desfecho: 'ninguem', passo_falho: 'entrega' })
    expect(await record({})).toMatchObject({ desfecho: 'ninguem', passo_falho: 'entrega', alcance: 'alerta' })
  })

  it('is a browser when its push service accepted the alert', async () => {
    const service = await startPushService()
    const subscription = newPushBrowser(service).subscription()
    await own.usuario.expect(201, 'POST', '/api/v1/me/inscricoes', subscription)
    await confirmed()
    await waitFor('a browser', async () => (await follow()).desfecho === 'navegador')
    // A message that was accepted after the end of the walk does not count.
    expect(await record({})).toMatchObject({ desfecho: 'navegador', passo_falho: null })
    expect(await record({ encerrada_s: 1 })).toMatchObject({ desfecho: 'nada', passo_falho: 'caixa' })
    await backstage.db.deleteFrom('inscricoes_push').execute()
    await service.close()
  })

  it('names the first step that failed when nothing was detected, fired, arrived or confirmed', async () => {
    expect(await follow(false)).toEqual({ desfecho: 'nada', passo_falho: 'caixa' })
    expect(await record({})).toMatchObject({ desfecho: 'nada', passo_falho: 'caixa' })
    // The box does not answer.
    expect(await follow()).toEqual({ desfecho: 'ninguem', passo_falho: 'central' })
    const now = app.clock.now()
    const edges = backstage.db.updateTable('edges').where('id', '=', camera.edgeId)
    await edges.set({ presente: 1, visto_em: now }).execute()
    const report = { relato_estado: 'online', ultimo_frame_em: now, relato_em: now } as const
    await backstage.db.updateTable('cameras').set(report).where('id', '=', camera.cameraId).execute()
    expect(await follow()).toEqual({ desfecho: 'ninguem', passo_falho: 'ia' })
    const id = await backstage.event(camera)
    expect(await follow(false)).toEqual({ desfecho: 'ninguem', passo_falho: 'verificacao' })
    await backstage.verdict(id, 'refutado')
    expect(await record({})).toMatchObject({ desfecho: 'ninguem', passo_falho: 'verificacao' })
  })

  it('is shown to logins with the camera in their reach only', async () => {
    const path = `/api/v1/cameras/${camera.cameraId}/provas/andamento`
    await own.usuario.expect(200, 'GET', `${path}?duracao_s=60`)
    await foreign.admin.expect(404, 'GET', `${path}?duracao_s=60`)
    await own.admin.expect(422, 'GET', `${path}?duracao_s=3601`)
  })
})
