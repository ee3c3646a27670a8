import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { createCsr } from '@vigia/link/pki/csr'
import { createSealKeyPair } from '@vigia/link/sealed'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Backstage } from '../../../test/clouds/backstage.ts'
import type { Account, TestApp } from '../../../test/clouds/test-app.ts'
import { type Audited, brief, startAudited } from '../../../test/walks/audited.ts'

/** Audit records of each use case: gravadores and edges. */
let audited: Audited
let app: TestApp
let backstage: Backstage
let own: Account
beforeAll(async () => {
  audited = await startAudited({ VIGIA_EDGE_LOCAL: '1' })
  ;({ app, backstage, own } = audited)
})
afterAll(() => audited.stop())
const recorded: Audited['recorded'] = (...change) => audited.recorded(...change)
const newest = () => audited.newest()
const secret = (text?: string) => audited.secret(text)

describe('a gravador', () => {
  const access = () => ({ fabricante: 'intelbras', host: '127.0.0.21', porta: 554, usuario: 'admin', senha: secret() })

  it('is registered with its cameras, and its changes reach them', async () => {
    const made = await recorded<{ gravador_id: number; cameras: { id: number; nome: string }[] }>(
      own.admin,
      'POST',
      '/gravadores/cadastrar',
      { ...access(), empresa_id: own.empresaId, num_canais: 4, nome_gravador: 'DVR', canais: [1, 2] },
    )
    const { gravador_id, cameras } = made.answer
    const [one, two] = cameras.map(({ id }) => id)
    expect(made.log).toMatchObject([
      {
        acao: 'criar',
        objeto: 'gravador',
        objeto_id: gravador_id,
        objeto_nome: 'DVR',
        antes: null,
        depois: { host: '127.0.0.21', usuario: 'admin', senha: '****', num_canais: 4 },
      },
      { acao: 'criar', objeto: 'camera', objeto_id: one, depois: { gravador_id, canal: 1 } },
      { acao: 'criar', objeto: 'camera', objeto_id: two, depois: { gravador_id, canal: 2 } },
    ])
    const moved = await recorded(own.admin, 'PATCH', `/gravadores/${gravador_id}`, { senha: secret(), nome: 'NVR' })
    expect(brief(moved.log).map(([acao, objeto, id]) => [acao, objeto, id])).toEqual([
      ['alterar', 'gravador', gravador_id],
      ['alterar', 'camera', one],
      ['alterar', 'camera', two],
    ])
    expect(moved.log[0]).toMatchObject({
      antes: { nome: 'DVR', senha: '****' },
      depois: { nome: 'NVR', senha: '**** (outro valor)' },
    })
    expect(moved.log[1]?.depois).toMatchObject({ rtsp_url: expect.stringMatching(/admin:\*{4}@.* \(outro valor\)$/) })
    expect(new Set(moved.log.map(({ pedido }) => pedido)).size).toBe(1)
    expect((await recorded(own.admin, 'PATCH', `/gravadores/${gravador_id}`, { nome: 'NVR' })).log).toEqual([])
    const readdressed = await recorded(own.admin, 'PATCH', `/gravadores/${gravador_id}`, { host: '127.0.0.22' })
    expect(
      readdressed.log.map(({ objeto, depois }) => [objeto, JSON.stringify(depois).includes('127.0.0.22')]),
    ).toEqual([
      ['gravador', true],
      ['camera', true],
      ['camera', true],
    ])
  })

  it('is created without cameras and removed', async () => {
    const { answer, log } = await recorded(own.admin, 'POST', '/gravadores', {
      ...access(),
      host: '127.0.0.23',
      nome: '',
    })
    expect(log).toMatchObject([{ acao: 'criar', objeto: 'gravador', objeto_nome: '127.0.0.23' }])
    const removed = await recorded(own.admin, 'DELETE', `/gravadores/${answer.id}`)
    expect(removed.log).toMatchObject([{ acao: 'remover', objeto: 'gravador', objeto_id: answer.id, depois: null }])
    expect(removed.log[0]?.antes).not.toHaveProperty('senha')
  })
})

describe('an edge', () => {
  const edge = async (nome: string) => {
    const { answer, log } = await recorded<{ id: number; codigo: string }>(own.admin, 'POST', '/edges', { nome })
    secret(answer.codigo)
    secret(answer.codigo.replaceAll('-', ''))
    return { ...answer, log }
  }

  it('is created, renamed, given another code, and activated', async () => {
    const { id, log } = await edge('Caixa')
    expect(log[0]).toMatchObject({
      acao: 'criar',
      objeto: 'edge',
      objeto_id: id,
      depois: { nome: 'Caixa', ativado_em: null },
    })
    const named = await recorded(own.admin, 'PATCH', `/edges/${id}`, { nome: 'Caixa 1', limite_reenvio_kbps: 500 })
    expect(brief(named.log)).toEqual([
      [
        'alterar',
        'edge',
        id,
        { nome: 'Caixa', limite_reenvio_kbps: null },
        { nome: 'Caixa 1', limite_reenvio_kbps: 500 },
      ],
    ])
    expect(
      (await recorded(own.admin, 'PATCH', `/edges/${id}`, { nome: 'Caixa 1', limite_reenvio_kbps: 500 })).log,
    ).toEqual([])
    app.clock.advance(60_000)
    const issued = await recorded<{ codigo: string }>(own.admin, 'POST', `/edges/${id}/codigo`)
    const { codigo } = issued.answer
    secret(codigo)
    expect(issued.log).toMatchObject([{ acao: 'emitir_codigo', objeto: 'edge', objeto_id: id, canal: 'api' }])
    expect(Object.keys(issued.log[0]?.depois ?? {})).toEqual(['codigo_expira_em'])
    const [{ csrPem }, { publicJwk }] = await Promise.all([createCsr(), createSealKeyPair()])
    const body = { codigo, csr: csrPem, chave_cifra: publicJwk }
    await app.operator.expect(200, 'POST', '/api/v1/edges/ativar', body)
    expect(await newest()).toMatchObject([
      {
        acao: 'ativar',
        objeto: 'edge',
        objeto_id: id,
        canal: 'edge',
        usuario_id: null,
        username: null,
        endereco: expect.stringContaining('127.0.0.1'),
        pedido: expect.any(String),
        empresa_id: own.empresaId,
        antes: { ativado_em: null },
        depois: { ativado_em: expect.any(String), codigo_expira_em: null },
      },
    ])
    const [activated] = await newest()
    await app.operator.expect(200, 'POST', '/api/v1/edges/ativar', body)
    const [repeated] = await newest()
    expect(repeated).toMatchObject({ acao: 'ativar', objeto_id: id, canal: 'edge' })
    expect(repeated?.id).not.toBe(activated?.id)
    const { publicJwk: ofAnotherBox } = await createSealKeyPair()
    const another = { ...body, chave_cifra: ofAnotherBox }
    expect((await app.operator.send('POST', '/api/v1/edges/ativar', another)).status).toBe(409)
    expect(await newest()).toEqual([repeated])
  })

  it('takes over cameras without an edge, and passes its cameras and gravadores to another edge', async () => {
    const conta = await app.account('Sem caixa')
    const run = <T>(method: string, path: string, body?: unknown) => recorded<T>(conta.admin, method, path, body)
    const { id: camera } = (
      await run<{ id: number }>('POST', '/cameras', { nome: 'Só', rtsp_url: 'rtsp://127.0.0.9/3' })
    ).answer
    const served = (await conta.admin.expect<{ edge_id: number | null }>(200, 'GET', `/api/v1/cameras/${camera}`))
      .edge_id
    await backstage.db.updateTable('cameras').set({ edge_id: null }).where('id', '=', camera).execute()
    const first = await run<{ id: number; codigo: string }>('POST', '/edges', { nome: 'Primeira' })
    secret(first.answer.codigo)
    expect(brief(first.log).slice(1)).toEqual([
      ['alterar', 'camera', camera, { edge_id: null }, { edge_id: first.answer.id }],
    ])
    const input = { ...access(), host: '127.0.0.24', edge_id: first.answer.id }
    const { id: gravador } = (await run<{ id: number }>('POST', '/gravadores', input)).answer
    const gone = await run('DELETE', `/edges/${first.answer.id}`)
    expect(brief(gone.log)).toMatchObject([
      ['remover', 'edge', first.answer.id, { nome: 'Primeira' }, null],
      ['alterar', 'camera', camera, { edge_id: first.answer.id }, { edge_id: served }],
      ['alterar', 'gravador', gravador, { edge_id: first.answer.id }, { edge_id: null }],
    ])
  })

  it('of the installation is created by the program itself', async () => {
    const log = await app.operator.expect<RegistroAuditoria[]>(
      200,
      'GET',
      '/api/v1/auditoria?objeto=edge&canal=sistema',
    )
    expect(log.reverse()).toMatchObject([
      { acao: 'criar', objeto_nome: 'Caixa local', empresa_id: null },
      { acao: 'emitir_codigo', objeto_nome: 'Caixa local' },
    ])
  })

  const access = () => ({ fabricante: 'intelbras', porta: 554, usuario: 'admin', senha: secret(), nome: 'DVR' })
})

it('no secret is anywhere in the log', async () => {
  const { found, records } = await audited.leaks()
  expect(records).toBeGreaterThan(20)
  expect(found).toEqual([])
})
