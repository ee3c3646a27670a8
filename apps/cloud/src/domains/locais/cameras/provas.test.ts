import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Prova } from '@vigia/contracts/provas'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const own = fixture(() => app.account('Própria'))
const foreign = fixture(() => app.account('Alheia'))

const pathOf = (cameraId: number) => `/api/v1/cameras/${cameraId}/provas`
const record = (cameraId: number, fields: object = {}, by: Client = own.admin) =>
  by.expect<Prova>(201, 'POST', pathOf(cameraId), { duracao_s: 60, aprovada: true, ...fields })

describe('provas', () => {
  it('are at most a thousand of a camera: a further one replaces the oldest', async () => {
    const camera = await backstage.camera(own.empresaId)
    const first = await record(camera.cameraId)
    const { id: _, ...row } = await backstage.db
      .selectFrom('provas')
      .selectAll()
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow()
    for (let i = 0; i < 9; i += 1)
      await backstage.db
        .insertInto('provas')
        .values(Array.from({ length: 111 }, () => row))
        .execute()
    const last = await record(camera.cameraId)
    const kept = await backstage.db
      .selectFrom('provas')
      .select('id')
      .where('camera_id', '=', camera.cameraId)
      .orderBy('id')
      .execute()
    expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([1_000, first.id + 1, last.id])
  })

  it('hold the eventos of the camera since their start, and its configuration', async () => {
    const camera = await backstage.camera(own.empresaId)
    const now = app.clock.now()
    await backstage.event(camera, { ocorrido_em: now - 61_000 })
    const refuted = await backstage.event(camera, { ocorrido_em: now - 50_000, recebido_em: now - 49_000 })
    const confirmed = await backstage.event(camera, { ocorrido_em: now - 20_000, recebido_em: now - 19_200, zona: 0 })
    await backstage.verdict(refuted, 'refutado')
    await backstage.verdict(confirmed, 'confirmado')
    const zonas = [[0, 0, 1, 0, 1, 1]]
    await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${camera.cameraId}`, { zonas })
    const prova = await record(camera.cameraId, { rotulos: ['person', 'person'], zonas: [0], nota: 'Até a porta' })
    expect(prova).toMatchObject({
      empresa_id: own.empresaId,
      camera_id: camera.cameraId,
      aprovada: true,
      alcance: 'alerta',
      nota: 'Até a porta',
      feita_por: `administrador-${own.empresaId}`,
      rotulos: ['person'],
      zonas: [0],
      tela_ms: null,
      eventos: [
        { id: confirmed, tipo: 'invasao', veredito: 'confirmado', zona: 0, chegada_ms: 800 },
        { id: refuted, veredito: 'refutado', chegada_ms: 1000 },
      ],
      configuracao: { zonas: 1, linha: false },
    })
    expect(Date.parse(prova.fim) - Date.parse(prova.inicio)).toBe(60_000)
    expect(await own.usuario.expect(200, 'GET', pathOf(camera.cameraId))).toEqual([prova])
  })

  it('state how far the scene came', async () => {
    const camera = await backstage.camera(own.empresaId)
    const reach = async (fields: object) => (await record(camera.cameraId, fields)).alcance
    expect(await reach({})).toBe('nada')
    expect(await reach({ rotulos: ['car'] })).toBe('imagem')
    await backstage.event(camera)
    expect(await reach({ rotulos: ['car'] })).toBe('evento')
  })

  it('are listed newest first in pages, and stay after the removal of the camera', async () => {
    const { cameraId } = await backstage.camera(own.empresaId)
    const ids = [(await record(cameraId)).id, (await record(cameraId)).id, (await record(cameraId)).id]
    const first = await own.admin.send<Prova[]>('GET', `${pathOf(cameraId)}?limit=2`)
    expect(first.body.map(({ id }) => id)).toEqual([ids[2], ids[1]])
    expect(first.headers.get('x-total-count')).toBe('3')
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    expect((await own.admin.expect<Prova[]>(200, 'GET', next)).map(({ id }) => id)).toEqual([ids[0]])
    await own.admin.expect(204, 'DELETE', `/api/v1/cameras/${cameraId}`)
    expect((await own.admin.send('GET', pathOf(cameraId))).status).toBe(404)
    const { length } = await backstage.db.selectFrom('provas').selectAll().where('camera_id', '=', cameraId).execute()
    expect(length).toBe(3)
  })

  it.each([
    [{ duracao_s: 0 }, 'duracao_s'],
    [{ duracao_s: 3601 }, 'duracao_s'],
    [{ aprovada: 'sim' }, 'aprovada'],
    [{ zonas: [0] }, 'zonas'],
    [{ rotulos: ['<img>'] }, 'rotulos'],
    [{ nota: 'x'.repeat(501) }, 'nota'],
    [{ eventos: [] }, 'eventos'],
  ])('refuse %j and store nothing', async (fields, field) => {
    const { cameraId } = await backstage.camera(own.empresaId)
    const body = { duracao_s: 60, aprovada: true, ...fields }
    const answer = await own.admin.send<{ detail: { loc: string[] }[] }>('POST', pathOf(cameraId), body)
    expect([answer.status, answer.body.detail[0]?.loc.slice(0, 2)]).toEqual([422, ['body', field]])
    expect(await own.admin.expect(200, 'GET', pathOf(cameraId))).toEqual([])
  })

  it('are recorded by an administrador in scope only', async () => {
    const { cameraId } = await backstage.camera(own.empresaId)
    const body = { duracao_s: 60, aprovada: true }
    expect((await own.usuario.send('POST', pathOf(cameraId), body)).status).toBe(403)
    expect((await foreign.admin.send('POST', pathOf(cameraId), body)).status).toBe(404)
    expect((await foreign.usuario.send('GET', pathOf(cameraId))).status).toBe(404)
    expect(await own.admin.expect(200, 'GET', pathOf(cameraId))).toEqual([])
  })

  it('are in the audit log as a test of the camera', async () => {
    const { cameraId } = await backstage.camera(own.empresaId)
    const prova = await record(cameraId, { aprovada: false, nota: 'Galho na frente' })
    const [last] = await own.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?limit=1')
    expect(last).toMatchObject({
      acao: 'testar',
      objeto: 'camera',
      objeto_id: cameraId,
      antes: null,
      depois: { prova: prova.id, aprovada: false, alcance: 'nada', nota: 'Galho na frente' },
    })
  })
})
