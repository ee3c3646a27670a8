import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { auditChange, type Change } from '../../../audit/audit-change.ts'
import { type Client, send } from '../../../test/clients/client.ts'
import { operatorCaller } from '../../../test/clients/operator-caller.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const own = fixture(() => app.account('Própria'))
const below = fixture(() => app.account('Abaixo', own.admin))
const foreign = fixture(() => app.account('Alheia'))

const path = '/api/v1/auditoria'
const list = (by: Client, query = '') => by.expect<RegistroAuditoria[]>(200, 'GET', `${path}${query}`)
/** Records of a login of its own, to separate them from those of other tests. */
let logins = 5000
async function recorded(changes: readonly (Partial<Change> & { em?: number })[]): Promise<number> {
  logins += 1
  for (const [index, { em = 1000, ...change }] of changes.entries())
    await auditChange(
      backstage.db,
      em,
      { ...operatorCaller, usuarioId: logins },
      {
        acao: 'criar',
        objeto: 'camera',
        id: index + 1,
        nome: `n${index}`,
        empresaId: own.empresaId,
        antes: null,
        depois: { nome: 'Doca' },
        ...change,
      },
    )
  return logins
}
const names = async (by: Client, query: string) => (await list(by, query)).map(({ objeto_nome }) => objeto_nome)

describe('GET /auditoria', () => {
  it('shows a change with its request', async () => {
    const made = await own.admin.send<{ id: number }>('POST', '/api/v1/empresas', { nome: 'Padaria' })
    const [newest] = await list(own.admin, '?limit=1')
    expect(newest).toEqual({
      id: expect.any(Number),
      em: expect.stringMatching(/^20.*Z$/),
      empresa_id: made.body.id,
      usuario_id: expect.any(Number),
      username: `administrador-${own.empresaId}`,
      canal: 'api',
      cliente: null,
      endereco: expect.stringContaining('127.0.0.1'),
      pedido: made.headers.get('x-request-id'),
      acao: 'criar',
      objeto: 'empresa',
      objeto_id: made.body.id,
      objeto_nome: 'Padaria',
      antes: null,
      depois: {
        nome: 'Padaria',
        empresa_pai_id: own.empresaId,
        feriados: [],
        fuso_horario: 'America/Sao_Paulo',
        limite_cameras: 64,
        limite_gravadores: 1000,
        limite_edges: 1000,
        limite_usuarios: 1000,
        limite_canais: 1000,
        limite_agentes: 1000,
        limite_chaves: 1000,
        host: null,
        redes_permitidas: [],
        exigir_segundo_fator: null,
        verificador_externo: null,
        verificador_externo_chamadas_mes: null,
        esconder_placas_vigilante: false,
        usa_edge_local: false,
        limite_bytes: null,
      },
    })
    expect(newest?.pedido).not.toBeNull()
  })

  it('distinguishes a change on the dashboard, by its cookie, from one by a program', async () => {
    const form = new URLSearchParams({ username: `administrador-${own.empresaId}`, password: SENHA })
    const entered = await send(`${app.url}/api/v1/auth/login`, { method: 'POST', body: form })
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
    const headers = { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
    const body = JSON.stringify({ nome: 'Pelo painel' })
    expect((await send(`${app.url}/api/v1/empresas`, { method: 'POST', headers, body })).status).toBe(201)
    await send(`${app.url}/api/v1/auth/logout`, { headers })
    expect((await list(own.admin, '?limit=3')).map(({ canal, acao, objeto }) => [canal, acao, objeto])).toEqual([
      ['painel', 'sair', 'sessao'],
      ['painel', 'criar', 'empresa'],
      ['painel', 'entrar', 'sessao'],
    ])
  })

  it('is filtered by each of its parameters', async () => {
    const login = await recorded([
      { nome: 'a', empresaId: below.empresaId, em: Date.parse('2026-11-10T12:00:00Z') },
      { nome: 'b', acao: 'remover', em: Date.parse('2026-11-10T13:00:00Z') },
      { nome: 'c', objeto: 'edge', id: 77, em: Date.parse('2026-11-10T14:00:00Z') },
    ])
    const found = (query: string) => names(own.admin, `?usuario_id=${login}${query}`)
    expect(await found('')).toEqual(['c', 'b', 'a'])
    expect(await found(`&empresa_id=${below.empresaId}`)).toEqual(['a'])
    expect(await found('&acao=remover')).toEqual(['b'])
    expect(await found('&objeto=edge')).toEqual(['c'])
    expect(await found('&objeto=camera&objeto_id=2')).toEqual(['b'])
    expect(await found('&canal=api')).toEqual(['c', 'b', 'a'])
    expect(await found('&canal=agente')).toEqual([])
    expect(await found('&desde=2026-11-10T13:00:00Z')).toEqual(['c', 'b'])
    expect(await found('&ate=2026-11-10T13:00:00Z')).toEqual(['a'])
    expect(await found('&desde=2026-11-10T09:00:00-03:00&ate=2026-11-10T10:00:00-03:00')).toEqual(['a'])
  })

  it('shows an agent with the name that it chose', async () => {
    const origem = { canal: 'agente', cliente: 'Claude (c-1)', endereco: '127.0.0.9', pedido: 'p' } as const
    await auditChange(
      backstage.db,
      1,
      { ...operatorCaller, origem },
      {
        acao: 'alterar',
        objeto: 'camera',
        id: 1,
        nome: 'Doca',
        empresaId: own.empresaId,
        antes: { nome: 'x' },
        depois: { nome: 'Doca' },
      },
    )
    expect(await list(own.admin, '?canal=agente')).toMatchObject([{ canal: 'agente', cliente: 'Claude (c-1)' }])
  })

  it('has stable pages, with the whole query in the link', async () => {
    const login = await recorded(['1', '2', '3', '4', '5'].map((nome) => ({ nome })))
    const first = await own.admin.send<RegistroAuditoria[]>('GET', `${path}?usuario_id=${login}&limit=2`)
    expect(first.headers.get('x-total-count')).toBe('5')
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    expect(next).toMatch(new RegExp(`^/api/v1/auditoria\\?usuario_id=${login}&limit=2&cursor=[\\w-]+$`))
    await auditChange(
      backstage.db,
      1,
      { ...operatorCaller, usuarioId: login },
      {
        acao: 'criar',
        objeto: 'camera',
        id: 9,
        nome: 'meanwhile',
        empresaId: own.empresaId,
        antes: null,
        depois: {},
      },
    )
    const second = await own.admin.send<RegistroAuditoria[]>('GET', next)
    expect(second.body.map(({ objeto_nome }) => objeto_nome)).toEqual(['3', '2'])
    expect(second.headers.get('x-total-count')).toBe('6')
    const last = await own.admin.send<RegistroAuditoria[]>(
      'GET',
      /<([^>]+)>/.exec(second.headers.get('link') ?? '')?.[1] ?? '',
    )
    expect(last.body.map(({ objeto_nome }) => objeto_nome)).toEqual(['1'])
    expect(last.headers.get('link')).toBeNull()
    expect(await names(own.admin, `?usuario_id=${login}&limit=2&offset=4`)).toEqual(['2', '1'])
  })

  it.each([
    'limit=0',
    'limit=201',
    'offset=-1',
    'acao=voar',
    'objeto=nave',
    'canal=fax',
    'usuario_id=x',
    'desde=ontem',
    'cursor=nada',
    'desde=2026-01-02T00:00:00Z&ate=2026-01-01T00:00:00Z',
  ])('refuses %s', async (query) => {
    expect((await own.admin.send('GET', `${path}?${query}`)).status).toBe(422)
  })
})

describe('scope and role', () => {
  it('administradores see the records of their scope; only the operator sees records without an Empresa', async () => {
    const login = await recorded([
      { nome: 'own' },
      { nome: 'below', empresaId: below.empresaId },
      { nome: 'foreign', empresaId: foreign.empresaId },
      { nome: 'installation', empresaId: null },
    ])
    const seenBy = (by: Client) => names(by, `?usuario_id=${login}`)
    expect(await seenBy(app.operator)).toEqual(['installation', 'foreign', 'below', 'own'])
    expect(await seenBy(own.admin)).toEqual(['below', 'own'])
    expect(await seenBy(below.admin)).toEqual(['below'])
    expect(await seenBy(foreign.admin)).toEqual(['foreign'])
    for (const empresa of [foreign.empresaId, 999_999])
      expect((await own.admin.send('GET', `${path}?empresa_id=${empresa}`)).status).toBe(404)
  })

  it('a usuario and an anonymous client see none', async () => {
    expect((await own.usuario.send('GET', path)).status).toBe(403)
    expect((await fetch(`${app.url}${path}`)).status).toBe(401)
  })
})
