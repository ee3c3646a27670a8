import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Backstage } from '../../../test/clouds/backstage.ts'
import { type Account, ADMIN, SENHA, type TestApp } from '../../../test/clouds/test-app.ts'
import { type Audited, brief, startAudited } from '../../../test/walks/audited.ts'

/** Audit records of each use case: logins, cameras, notifications, eventos. */
let audited: Audited
let app: TestApp
let backstage: Backstage
let own: Account
beforeAll(async () => {
  audited = await startAudited()
  ;({ app, backstage, own } = audited)
})
afterAll(() => audited.stop())
const recorded: Audited['recorded'] = (...change) => audited.recorded(...change)
const newest = () => audited.newest()
const secret = (text?: string) => audited.secret(text)

describe('a login', () => {
  it('is created, changed and removed; of its password only the fact of the change is recorded', async () => {
    const senha = secret()
    const made = await recorded(own.admin, 'POST', '/usuarios', { username: 'ana', senha })
    const { id } = made.answer
    const fields = { username: 'ana', papel: 'usuario', alcance: 'propria', empresa_id: own.empresaId, ativo: true }
    expect(brief(made.log)).toEqual([['criar', 'usuario', id, null, { ...fields, senha: '****' }]])
    expect(made.log[0]).toMatchObject({ objeto_nome: 'ana', empresa_id: own.empresaId })
    const changed = await recorded(own.admin, 'PATCH', `/usuarios/${id}`, { papel: 'administrador', senha: secret() })
    expect(brief(changed.log)).toEqual([
      [
        'alterar',
        'usuario',
        id,
        { papel: 'usuario', alcance: 'propria', senha: '****' },
        { papel: 'administrador', alcance: 'abaixo', senha: '**** (outro valor)' },
      ],
    ])
    expect((await recorded(own.admin, 'PATCH', `/usuarios/${id}`, { papel: 'administrador' })).log).toEqual([])
    const removed = await recorded(own.admin, 'DELETE', `/usuarios/${id}`)
    expect(brief(removed.log)).toEqual([
      ['remover', 'usuario', id, { ...fields, papel: 'administrador', alcance: 'abaixo' }, null],
    ])
  })

  it('keeps its name in records after its removal', async () => {
    await own.admin.expect(201, 'POST', '/api/v1/usuarios', { username: 'bia', senha: SENHA, papel: 'administrador' })
    const bia = await app.signIn('bia')
    await bia.expect(201, 'POST', '/api/v1/empresas', { nome: 'De Bia' })
    const [made] = await newest()
    await recorded(own.admin, 'DELETE', `/usuarios/${made?.usuario_id}`)
    const page = await own.admin.expect<RegistroAuditoria[]>(
      200,
      'GET',
      `/api/v1/auditoria?usuario_id=${made?.usuario_id}`,
    )
    expect(page.map(({ username, acao, objeto }) => [username, acao, objeto])).toEqual([
      ['bia', 'criar', 'empresa'],
      ['bia', 'entrar', 'sessao'],
    ])
  })

  it('is recorded at login and logout; the program itself created the first operator', async () => {
    const bob = await app.signIn(`usuario-${own.empresaId}`)
    secret(bob.token)
    expect(await newest()).toMatchObject([
      {
        acao: 'entrar',
        objeto: 'sessao',
        objeto_id: null,
        username: `usuario-${own.empresaId}`,
        canal: 'api',
        empresa_id: own.empresaId,
        antes: null,
        depois: { host: '127.0.0.1' },
      },
    ])
    expect((await bob.send('GET', '/api/v1/auth/logout')).status).toBe(303)
    expect(await newest()).toMatchObject([
      { acao: 'sair', objeto: 'sessao', antes: { host: '127.0.0.1' }, depois: null },
    ])
    const system = await app.operator.expect<RegistroAuditoria[]>(
      200,
      'GET',
      '/api/v1/auditoria?objeto=usuario&canal=sistema',
    )
    expect(system).toMatchObject([{ acao: 'criar', objeto_nome: ADMIN.username, username: null, empresa_id: null }])
  })
})

describe('an Empresa', () => {
  it('is created and changed; an equal value is no change', async () => {
    const { answer, log } = await recorded(own.admin, 'POST', '/empresas', { nome: 'Padaria' })
    expect(log).toMatchObject([{ acao: 'criar', objeto: 'empresa', objeto_id: answer.id, empresa_id: answer.id }])
    const changed = await recorded(own.admin, 'PATCH', `/empresas/${answer.id}`, {
      nome: 'Padaria Nova',
      limite_cameras: 9,
    })
    expect(brief(changed.log)).toEqual([
      [
        'alterar',
        'empresa',
        answer.id,
        { nome: 'Padaria', limite_cameras: 64 },
        { nome: 'Padaria Nova', limite_cameras: 9 },
      ],
    ])
    expect((await recorded(own.admin, 'PATCH', `/empresas/${answer.id}`, { nome: 'Padaria Nova' })).log).toEqual([])
  })
})

describe('a camera', () => {
  it('is created, changed and removed with a masked password', async () => {
    const made = await recorded(own.admin, 'POST', '/cameras', {
      nome: 'Doca',
      rtsp_url: `rtsp://ana:${secret()}@127.0.0.9/1`,
    })
    const { id } = made.answer
    expect(made.log).toMatchObject([
      {
        acao: 'criar',
        objeto: 'camera',
        objeto_id: id,
        objeto_nome: 'Doca',
        empresa_id: own.empresaId,
        antes: null,
        depois: {
          nome: 'Doca',
          rtsp_url: 'rtsp://ana:****@127.0.0.9/1',
          eventos_habilitados: ['invasao'],
          ativa: true,
        },
      },
    ])
    const zonas = [[0.1, 0.1, 0.5, 0.1, 0.5, 0.5]]
    const changed = await recorded(own.admin, 'PATCH', `/cameras/${id}`, { nome: 'Cais', zonas, ativa: true })
    expect(brief(changed.log)).toEqual([
      [
        'alterar',
        'camera',
        id,
        { nome: 'Doca', zonas: [], nomes_zonas: [] },
        { nome: 'Cais', zonas, nomes_zonas: [null] },
      ],
    ])
    expect((await recorded(own.admin, 'PATCH', `/cameras/${id}`, { nome: 'Cais', zonas })).log).toEqual([])
    const other = await recorded(own.admin, 'PATCH', `/cameras/${id}`, {
      rtsp_url: `rtsp://ana:${secret()}@127.0.0.9/1`,
    })
    const url = 'rtsp://ana:****@127.0.0.9/1'
    expect(brief(other.log)).toEqual([
      ['alterar', 'camera', id, { rtsp_url: url }, { rtsp_url: `${url} (outro valor)` }],
    ])
    expect((await recorded(own.admin, 'PATCH', `/cameras/${id}`, { rtsp_url: url })).log).toEqual([])
    const removed = await recorded(own.admin, 'DELETE', `/cameras/${id}`)
    expect(removed.log).toMatchObject([{ acao: 'remover', objeto_id: id, antes: { nome: 'Cais' }, depois: null }])
  })

  it('is removed together with its canais', async () => {
    const { id } = (await recorded(own.admin, 'POST', '/cameras', { nome: 'Doca', rtsp_url: 'rtsp://127.0.0.9/2' }))
      .answer
    const canal = { empresa_id: own.empresaId, tipo: 'email', camera_id: id, destino: 'guarita@exemplo.com.br' }
    const { id: canalId } = (await recorded(own.admin, 'POST', '/notificacoes', canal)).answer
    expect((await recorded(own.admin, 'DELETE', `/cameras/${id}`)).log).toMatchObject([
      { acao: 'remover', objeto: 'camera', objeto_id: id },
      { acao: 'remover', objeto: 'canal_notificacao', objeto_id: canalId, objeto_nome: 'guarita@exemplo.com.br' },
    ])
  })
})

describe('a canal', () => {
  it('is created, changed, tested, given another secret and removed; its URL has no query', async () => {
    const token = secret()
    const url = 'https://exemplo.com.br/vigia'
    const body = { empresa_id: own.empresaId, destino: `${url}?token=${token}` }
    const made = await recorded<{ id: number; segredo: string }>(own.admin, 'POST', '/notificacoes', body)
    const { id } = made.answer
    secret(made.answer.segredo)
    expect(made.log).toMatchObject([
      {
        acao: 'criar',
        objeto: 'canal_notificacao',
        objeto_id: id,
        objeto_nome: `${url}?****`,
        antes: null,
        depois: { tipo: 'webhook', destino: `${url}?****`, segredo: '****', ativo: true },
      },
    ])
    const other = await recorded(own.admin, 'PATCH', `/notificacoes/${id}`, {
      destino: `${url}?token=${secret()}`,
      ativo: false,
    })
    expect(brief(other.log)).toEqual([
      [
        'alterar',
        'canal_notificacao',
        id,
        { ativo: true, destino: `${url}?****` },
        { ativo: false, destino: `${url}?**** (outro valor)` },
      ],
    ])
    expect((await recorded(own.admin, 'PATCH', `/notificacoes/${id}`, { ativo: false })).log).toEqual([])
    const rotated = await recorded<{ segredo: string }>(own.admin, 'POST', `/notificacoes/${id}/segredo`)
    secret(rotated.answer.segredo)
    expect(brief(rotated.log)).toEqual([
      ['trocar_segredo', 'canal_notificacao', id, { segredo: '****' }, { segredo: '**** (outro valor)' }],
    ])
    await recorded(own.admin, 'PATCH', `/notificacoes/${id}`, { destino: '' })
    expect(brief((await recorded(own.admin, 'POST', `/notificacoes/${id}/teste`)).log)).toEqual([
      ['testar', 'canal_notificacao', id, null, null],
    ])
    const mail = await recorded(own.admin, 'PATCH', `/notificacoes/${id}`, { tipo: 'email' })
    expect(mail.log[0]).toMatchObject({ antes: { tipo: 'webhook', segredo: '****' }, depois: { tipo: 'email' } })
    expect(brief((await recorded(own.admin, 'DELETE', `/notificacoes/${id}`)).log)).toMatchObject([
      ['remover', 'canal_notificacao', id, { tipo: 'email' }, null],
    ])
  })

  it('that moves to another Empresa is recorded as removed in one and created in the other', async () => {
    const below = await app.account('Abaixo', own.admin)
    const { id } = (await recorded(own.admin, 'POST', '/notificacoes', { empresa_id: own.empresaId, tipo: 'email' }))
      .answer
    await recorded(own.admin, 'PATCH', `/notificacoes/${id}`, { empresa_id: below.empresaId })
    const query = `/api/v1/auditoria?objeto=canal_notificacao&objeto_id=${id}`
    const seen = async (by = own.admin, more = '') =>
      (await by.expect<RegistroAuditoria[]>(200, 'GET', query + more)).map(({ acao, empresa_id }) => [acao, empresa_id])
    expect(await seen(below.admin)).toEqual([['criar', below.empresaId]])
    expect(await seen(own.admin, `&empresa_id=${own.empresaId}`)).toEqual([
      ['remover', own.empresaId],
      ['criar', own.empresaId],
    ])
  })
})

describe('an event', () => {
  it('is reviewed twice', async () => {
    const event = await backstage.event(await backstage.camera(own.empresaId))
    const first = await recorded(own.admin, 'POST', `/events/${event}/revisao`, {
      rotulo_humano: 'confirmado',
      revisor: 'Ana',
    })
    expect(first.log).toMatchObject([
      {
        acao: 'revisar',
        objeto: 'evento',
        objeto_id: event,
        objeto_nome: 'invasao, Portão',
        antes: null,
        depois: { rotulo_humano: 'confirmado', revisor: 'Ana', revisado_em: expect.any(String) },
      },
    ])
    const second = await recorded(own.admin, 'POST', `/events/${event}/revisao`, {
      rotulo_humano: 'refutado',
      revisor: 'Ana',
    })
    expect(second.log).toMatchObject([
      { antes: { rotulo_humano: 'confirmado' }, depois: { rotulo_humano: 'refutado' } },
    ])
    expect(second.log[0]?.depois).not.toHaveProperty('revisor')
  })
})

it('a change without its record is rolled back', async () => {
  const { id } = (await recorded(own.admin, 'POST', '/cameras', { nome: 'Doca', rtsp_url: 'rtsp://127.0.0.9/4' }))
    .answer
  const { schema } = backstage.db
  await schema.alterTable('auditoria').renameTo('auditoria_fora').execute()
  try {
    const changes = [
      await own.admin.send('PATCH', `/api/v1/cameras/${id}`, { nome: 'Outra' }),
      await own.admin.send('DELETE', `/api/v1/cameras/${id}`),
      await own.admin.send('POST', '/api/v1/empresas', { nome: 'Nenhuma' }),
      await own.admin.send('POST', '/api/v1/usuarios', { username: 'ninguem', senha: SENHA }),
      await own.admin.send('GET', '/api/v1/auth/logout'),
    ]
    expect(changes.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500])
    await expect(app.signIn(ADMIN.username, ADMIN.password)).rejects.toThrow('500')
  } finally {
    await schema.alterTable('auditoria_fora').renameTo('auditoria').execute()
  }
  expect(await own.admin.expect(200, 'GET', `/api/v1/cameras/${id}`)).toMatchObject({ nome: 'Doca' })
  const names = async (path: string) => JSON.stringify(await own.admin.expect(200, 'GET', `/api/v1/${path}`))
  expect(await names('empresas')).not.toContain('Nenhuma')
  expect(await names('usuarios')).not.toContain('ninguem')
})

it('no secret is anywhere in the log', async () => {
  const { found, records } = await audited.leaks()
  expect(records).toBeGreaterThan(20)
  expect(found).toEqual([])
})
