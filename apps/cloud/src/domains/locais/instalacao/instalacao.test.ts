import type { Camera } from '@vigia/contracts/cameras'
import type { Edge } from '@vigia/contracts/edges'
import { type Instalacao, MAX_CAMERAS_INSTALACAO } from '@vigia/contracts/instalacao'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

const pathOf = (empresaId: number) => `/api/v1/empresas/${empresaId}/instalacao`
const of = (empresaId: number, by: Client) => by.expect<Instalacao>(200, 'GET', pathOf(empresaId))
const done = ({ passos }: Instalacao) => passos.filter(({ feito }) => feito).map(({ passo }) => passo)
const ZONA = [[0, 0, 1, 0, 1, 1]]

describe('the state of an installation', () => {
  it('follows what exists, and names the next step with its camera', async () => {
    const { empresaId, admin } = await app.account('Passo a passo')
    const empty = await of(empresaId, admin)
    expect([done(empty), empty.proximo, empty.cameras]).toEqual([[], { passo: 'caixa', camera_id: null }, []])

    const edge = await admin.expect<Edge>(201, 'POST', '/api/v1/edges', { nome: 'Portaria', empresa_id: empresaId })
    expect((await of(empresaId, admin)).passos[0]).toEqual({ passo: 'caixa', feito: false, feitas: 0, total: 1 })
    const now = app.clock.now()
    const online = { ativado_em: now, presente: 1 as const, visto_em: now }
    await backstage.db.updateTable('edges').set(online).where('id', '=', edge.id).execute()
    const boxed = await of(empresaId, admin)
    expect([done(boxed), boxed.proximo]).toEqual([['caixa'], { passo: 'gravador', camera_id: null }])

    const created = await admin.expect<Camera>(201, 'POST', '/api/v1/cameras', {
      nome: 'Portão',
      rtsp_url: 'rtsp://127.0.0.9/1',
      eventos_habilitados: [],
    })
    const path = `/api/v1/cameras/${created.id}`
    const dark = await of(empresaId, admin)
    expect([done(dark), dark.proximo]).toEqual([['caixa', 'gravador'], { passo: 'canais', camera_id: created.id }])
    await backstage.db.updateTable('cameras').set({ ultimo_frame_em: now }).where('id', '=', created.id).execute()
    expect((await of(empresaId, admin)).proximo).toEqual({ passo: 'ias', camera_id: created.id })

    await admin.expect(200, 'PATCH', path, { eventos_habilitados: ['invasao'] })
    expect((await of(empresaId, admin)).proximo).toEqual({ passo: 'zonas', camera_id: created.id })
    await admin.expect(200, 'PATCH', `${path}/geometria`, { imagem_inteira: true })
    expect((await of(empresaId, admin)).proximo).toEqual({ passo: 'prova', camera_id: created.id })

    await admin.expect(201, 'POST', `${path}/provas`, { duracao_s: 60, aprovada: false })
    expect((await of(empresaId, admin)).proximo).toEqual({ passo: 'prova', camera_id: created.id })
    await admin.expect(201, 'POST', `${path}/provas`, { duracao_s: 60, aprovada: true })
    const ready = await of(empresaId, admin)
    expect([done(ready).length, ready.proximo, ready.completo]).toEqual([6, null, true])
    expect(ready.cameras).toMatchObject([
      { id: created.id, imagem: true, ias: true, zona: 'imagem_inteira', prova: { aprovada: true }, falta: null },
    ])
  })

  it('says of each camera where it watches: the whole picture only if a person chose it', async () => {
    const { empresaId, admin } = await app.account('Zonas')
    const { cameraId } = await backstage.camera(empresaId)
    const path = `/api/v1/cameras/${cameraId}`
    const zona = async () => (await of(empresaId, admin)).cameras.find(({ id }) => id === cameraId)?.zona
    const watch = (eventos_habilitados: string[]) => admin.expect(200, 'PATCH', path, { eventos_habilitados })
    const draw = (body: object) => admin.expect<Camera>(200, 'PATCH', `${path}/geometria`, body)
    await watch(['invasao'])
    expect(await zona()).toBe('falta')
    expect((await draw({ imagem_inteira: true })).imagem_inteira).toBe(true)
    expect(await zona()).toBe('imagem_inteira')
    expect((await draw({ zonas: ZONA })).imagem_inteira).toBe(false)
    expect(await zona()).toBe('desenhada')
    await draw({ zonas: [] })
    expect(await zona()).toBe('falta')
    await watch(['camera_obstruida'])
    expect(await zona()).toBe('dispensada')
    await watch(['cruzamento_linha'])
    expect(await zona()).toBe('falta')
    await draw({ linha: [[0, 0, 1, 1]] })
    expect(await zona()).toBe('desenhada')
  })

  it('counts neither a camera that is switched off nor one of another Empresa, and is out of their reach', async () => {
    const { empresaId, admin, usuario } = await app.account('Própria')
    const foreign = await app.account('Alheia')
    const { cameraId } = await backstage.camera(empresaId)
    await backstage.camera(foreign.empresaId)
    expect((await of(empresaId, usuario)).cameras.map(({ id }) => id)).toEqual([cameraId])
    await admin.expect(200, 'PATCH', `/api/v1/cameras/${cameraId}`, { ativa: false })
    expect((await of(empresaId, admin)).cameras).toEqual([])
    expect((await foreign.admin.send('GET', pathOf(empresaId))).status).toBe(404)
  })

  it('shows at most a thousand cameras, and says that there are more', async () => {
    const { empresaId, admin } = await app.account('Grande')
    const { cameraId } = await backstage.camera(empresaId)
    const rows = backstage.db.selectFrom('cameras').selectAll().where('id', '=', cameraId)
    const { id: _, ...row } = await rows.executeTakeFirstOrThrow()
    for (let i = 0; i < 20; i += 1)
      await backstage.db
        .insertInto('cameras')
        .values(Array.from({ length: MAX_CAMERAS_INSTALACAO / 20 }, () => row))
        .execute()
    const { cameras, completo, passos } = await of(empresaId, admin)
    expect([cameras.length, completo, passos[3]?.total]).toEqual([
      MAX_CAMERAS_INSTALACAO,
      false,
      MAX_CAMERAS_INSTALACAO,
    ])
  })
})
