import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Camera } from '@vigia/contracts/cameras'
import type { Empresa } from '@vigia/contracts/empresas'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { SENHA, startTestApp } from '../../../test/clouds/test-app.ts'
import { expectIncidentesRight } from '../../../test/stores/incidentes-store.ts'
import { expectCountsRight } from '../../../test/stores/recount-store.ts'
import { rowsAbout } from '../../../test/stores/rows-about-store.ts'

const SIMULATED = '127.86.71.65'
let ended = 0
const app = fixture(() => startTestApp({}, { demonstrationEnded: () => (ended += 1) }))
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Padaria'))
afterAll(async () => {
  await expectIncidentesRight(backstage.db)
  await expectCountsRight(backstage.db)
})

let demo: number
const end = (id = demo, by = app.operator) => by.send('POST', `/api/v1/empresas/${id}/encerrar-demonstracao`)
const create = (path: string, body: object) =>
  app.operator.expect<{ id: number }>(201, 'POST', `/api/v1${path}`, { empresa_id: demo, ...body })

beforeEach(async () => {
  const body = { nome: 'Demonstração', demonstracao: true }
  demo = (await app.operator.expect<Empresa>(201, 'POST', '/api/v1/empresas', body)).id
})

describe('the end of a demonstration', () => {
  it('deletes everything in it with its files, and nothing of others', async () => {
    const other = await backstage.camera(conta.empresaId)
    const kept = await backstage.event(other)
    await create('/gravadores', { fabricante: 'intelbras', host: SIMULATED, porta: 554, usuario: 'u', senha: 's' })
    const { id: cameraId } = await create('/cameras', { nome: 'Campus', rtsp_url: `rtsp://u:p@${SIMULATED}/1` })
    await create('/notificacoes', { tipo: 'webhook', destino: 'https://exemplo.com.br/a' })
    await create('/usuarios', { username: 'visita', senha: SENHA, papel: 'administrador' })
    const guest = await app.signIn('visita')
    await app.operator.expect(200, 'POST', `/api/v1/cameras/${cameraId}/silenciar`, { minutos: 10 })
    const camera = { empresaId: demo, edgeId: other.edgeId, cameraId }
    const ids: number[] = []
    for (let i = 0; i < 3; i += 1) ids.push(await backstage.event(camera))
    const [first = 0, second = 0] = ids
    await backstage.verdict(first, 'confirmado')
    const review = { rotulo_humano: 'confirmado', revisor: 'Ana' }
    await app.operator.expect(200, 'POST', `/api/v1/events/${second}/revisao`, review)
    await backstage.stopped(demo)
    const media = (path: string) => join(app.dataDir, 'cloud/media', path)
    const paths = await backstage.db.selectFrom('eventos').select(['id', 'crop_path', 'quadro_path']).execute()
    const filesOf = (own: boolean) =>
      paths
        .filter(({ id }) => (id === kept) === own)
        .flatMap(({ crop_path, quadro_path }) => [media(crop_path ?? ''), media(quadro_path ?? '')])
    const lines = filesOf(false).filter((path) => path.includes('/dataset/'))
    expect(lines).toHaveLength(1)
    const line = (lines[0] ?? '').replace(/\.jpg$/, '.json')
    expect(existsSync(line)).toBe(true)
    expect(Object.keys(await rowsAbout(backstage.db, { empresaId: demo, cameraId }))).toEqual(
      expect.arrayContaining(['cameras', 'eventos', 'incidentes']),
    )

    expect((await end()).status).toBe(202)
    expect(ended).toBe(1)
    expect((await guest.send('GET', '/api/v1/me')).status).toBe(401)
    expect((await end()).status).toBe(404)
    await waitFor('the end of the removal', async () => {
      const left = await rowsAbout(backstage.db, { empresaId: demo, cameraId })
      return Object.keys(left).length === 0
    })
    await waitFor('the files to be deleted', () => [...filesOf(false), line].every((path) => !existsSync(path)))
    expect(await backstage.db.selectFrom('midias_a_apagar').selectAll().execute()).toEqual([])
    expect(filesOf(true).every((path) => existsSync(path))).toBe(true)
    expect((await app.operator.send('GET', `/api/v1/events/${first}`)).status).toBe(404)
    expect((await conta.admin.send('GET', `/api/v1/events/${kept}`)).status).toBe(200)
    const log = await app.operator.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=empresa')
    const record = { acao: 'remover', objeto_id: demo, objeto_nome: 'Demonstração' }
    expect(log.slice(0, 2)).toMatchObject([
      { ...record, canal: 'sistema' },
      { ...record, username: 'admin' },
    ])
  })

  it('is refused to everybody but the operator, and for any other Empresa', async () => {
    await create('/usuarios', { username: `gerente-${demo}`, senha: SENHA, papel: 'administrador' })
    const manager = await app.signIn(`gerente-${demo}`)
    expect((await end(demo, manager)).status).toBe(403)
    const missing = await end(999_999, conta.admin)
    expect(await end(demo, conta.admin)).toMatchObject({ status: missing.status, body: missing.body })
    expect(missing.status).toBe(404)
    const refused = { status: 409, body: { detail: expect.stringContaining('não é uma demonstração') } }
    expect(await end(conta.empresaId)).toMatchObject(refused)
    await conta.admin.expect(200, 'GET', `/api/v1/empresas/${conta.empresaId}`)
    await app.operator.expect(200, 'GET', `/api/v1/empresas/${demo}`)
  })

  it('is refused while it holds something of customers, and changes nothing', async () => {
    const { id } = await create('/cameras', { nome: 'Campus', rtsp_url: `rtsp://u:p@${SIMULATED}/1` })
    const edge = await create('/edges', { nome: 'Portaria' })
    const found = (text: string) => ({ status: 409, body: { detail: expect.stringContaining(text) } })
    expect(await end()).toMatchObject(found('caixas'))
    expect((await app.operator.expect<Camera>(200, 'GET', `/api/v1/cameras/${id}`)).nome).toBe('Campus')
    await app.operator.expect(204, 'DELETE', `/api/v1/edges/${edge.id}`)
    await create('/usuarios', { username: `dono-${demo}`, senha: SENHA, papel: 'administrador' })
    const owner = await app.signIn(`dono-${demo}`)
    await owner.expect(201, 'POST', '/api/v1/empresas', { nome: 'Loja' })
    expect(await end()).toMatchObject(found('Empresas abaixo'))
    await app.operator.expect(200, 'GET', `/api/v1/cameras/${id}`)
  })
})
