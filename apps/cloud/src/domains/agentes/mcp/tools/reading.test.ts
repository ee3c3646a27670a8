import type { Camera } from '@vigia/contracts/cameras'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import { connectAgent } from '../../../../test/clients/agent-client.ts'
import { drawnFrame, openBackstage } from '../../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../../test/clouds/test-app.ts'
import { JPEG } from '../../../../test/records/records.ts'

const eventos: number[] = []
const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const own = fixture(() => app.account('Mercado'))
const portao = fixture(() => backstage.camera(own.empresaId))

beforeAll(async () => {
  for (const nome of ['Pátio', 'Estoque', 'PORTÃO sul', 'Rua'])
    await own.admin.expect(201, 'POST', '/api/v1/cameras', { nome, rtsp_url: 'rtsp://127.0.0.1/1' })
  for (const [index, tipo] of ['invasao', 'fogo', 'invasao', 'invasao', 'fogo'].entries())
    eventos.push(
      await backstage.event(portao, { tipo: tipo as 'fogo', ocorrido_em: 1_790_000_000_000 + index * 60_000 }),
    )
})

const agent = fixture(() => connectAgent(app, `usuario-${own.empresaId}`))

interface Page {
  readonly total: number
  readonly proximo: string | null
  readonly [items: string]: unknown
}

/** All items of a list, and the length of each page. */
async function walk<T>(nome: string, campo: string, entrada: object): Promise<{ items: T[]; lengths: number[] }> {
  const items: T[] = []
  const lengths: number[] = []
  let cursor: string | null = null
  do {
    const page: Page = await agent.expect<Page>(nome, { ...entrada, ...(cursor !== null && { cursor }) })
    items.push(...(page[campo] as T[]))
    lengths.push((page[campo] as T[]).length)
    cursor = page.proximo
  } while (cursor !== null)
  return { items, lengths }
}

describe('a list with the filter of a missing record', () => {
  it.each([
    ['listar_eventos', 'camera_id', 'Câmera não encontrada'],
    ['consultar_metricas', 'camera_id', 'Câmera não encontrada'],
    ['listar_quedas', 'camera_id', 'Câmera não encontrada'],
    ['listar_lacunas', 'camera_id', 'Câmera não encontrada'],
    ['listar_quedas', 'edge_id', 'Caixa não encontrada'],
    ['listar_lacunas', 'edge_id', 'Caixa não encontrada'],
  ])('fails in place of an empty result: %s by %s', async (tool, field, sentence) => {
    const { recusado, texto } = await agent.call(tool, { [field]: 999_999 })
    expect([recusado, texto]).toEqual([true, expect.stringContaining(`${sentence}. Confira o id`)])
  })

  it('is empty for an existing camera', async () => {
    const { cameras } = await agent.expect<{ cameras: Camera[] }>('listar_cameras', { nome: 'Estoque' })
    const camera_id = cameras[0]?.id
    for (const tool of ['listar_eventos', 'listar_quedas', 'listar_lacunas'])
      expect(await agent.expect(tool, { camera_id })).toMatchObject({ total: 0 })
    expect(await agent.expect('consultar_metricas', { camera_id })).toMatchObject({ metricas: { total: 0 } })
  })
})

describe('quem_sou and listar_empresas', () => {
  it('return the login and the Empresas of the agent', async () => {
    expect(await agent.expect('quem_sou')).toMatchObject({
      login: { username: `usuario-${own.empresaId}`, papel: 'usuario', empresas: [own.empresaId] },
    })
    expect(await agent.expect('listar_empresas')).toMatchObject({
      empresas: [{ id: own.empresaId, nome: 'Mercado', fuso_horario: 'America/Sao_Paulo' }],
      total: 1,
      proximo: null,
    })
  })

  it('return another role than administrador for an agent that may only read', async () => {
    const reading = await connectAgent(app, `administrador-${own.empresaId}`, { scope: 'mcp:leitura' })
    expect(await reading.expect('quem_sou')).toMatchObject({ login: { papel: 'usuario', empresas: [own.empresaId] } })
    await reading.close()
  })
})

describe('listar_cameras', () => {
  it('filters by name and status, and returns pages without overlap', async () => {
    const found = await agent.expect<{ cameras: Camera[] }>('listar_cameras', { nome: 'portao' })
    expect(found.cameras.map(({ nome }) => nome)).toEqual(['Portão', 'PORTÃO sul'])
    expect(found.cameras[0]).not.toHaveProperty('config_ia')
    expect(await agent.expect('listar_cameras', { status: 'online' })).toMatchObject({ cameras: [], total: 0 })
    const { items, lengths } = await walk<Camera>('listar_cameras', 'cameras', { limite: 2 })
    expect(lengths).toEqual([2, 2, 1])
    expect(new Set(items.map(({ id }) => id)).size).toBe(5)
    const camera = await agent.expect('obter_camera', { camera_id: portao.cameraId })
    expect(camera.camera).toMatchObject({ id: portao.cameraId, nome: 'Portão', instrucoes: ['ignore animais'] })
  })

  it('accepts a cursor only with its own list and filters', async () => {
    const { proximo } = await agent.expect<Page>('listar_cameras', { limite: 2, empresa_id: own.empresaId })
    const wrong = [
      { cursor: proximo, limite: 2 },
      { cursor: proximo, limite: 2, empresa_id: own.empresaId, nome: 'a' },
      { cursor: 'x' },
      { cursor: '' },
      { cursor: Buffer.from('{"por":"offset","em":"2","selo":""}').toString('base64url') },
    ]
    const answers = [
      ...(await Promise.all(wrong.map((entrada) => agent.call('listar_cameras', entrada)))),
      await agent.call('listar_eventos', { cursor: proximo, limite: 2, empresa_id: own.empresaId }),
    ]
    for (const { recusado, texto } of answers)
      expect([recusado, texto]).toEqual([true, expect.stringContaining('- cursor: Este cursor não é desta lista')])
    // The page size is not a filter.
    expect(await agent.call('listar_cameras', { cursor: proximo, limite: 3, empresa_id: own.empresaId })).toMatchObject(
      {
        recusado: false,
      },
    )
    expect((await agent.call('listar_cameras', { limite: 201 })).texto).toContain('- limite: ')
  })
})

describe('events', () => {
  it('are listed newest first, with filters, in pages that new events do not shift', async () => {
    const first = await agent.expect<Page & { eventos: { id: number }[] }>('listar_eventos', { limite: 2 })
    expect(first.eventos.map(({ id }) => id)).toEqual(eventos.slice(-2).reverse())
    const late = await backstage.event(portao, { tipo: 'fogo', ocorrido_em: 1_790_000_900_000 })
    const second = await agent.expect<{ eventos: { id: number }[] }>('listar_eventos', {
      limite: 2,
      cursor: first.proximo,
    })
    expect(second.eventos.map(({ id }) => id)).toEqual([eventos[2], eventos[1]])
    const fire = await walk<{ id: number }>('listar_eventos', 'eventos', { tipo: 'fogo', limite: 1 })
    expect(fire.items.map(({ id }) => id)).toEqual([late, eventos[4], eventos[1]])
    const period = { desde: '2026-09-21T11:14:20-03:00', ate: new Date(1_790_000_120_000).toISOString() }
    expect(await agent.expect('listar_eventos', { ...period, limite: 1 })).toMatchObject({ total: 1 })
    expect(fire.items[0]).toMatchObject({ camera_nome: 'Portão', veredito: 'pendente', motivo: null, tem_imagem: true })
    expect(await agent.expect('consultar_metricas', { camera_id: portao.cameraId })).toMatchObject({
      metricas: { total: 6, por_tipo: { invasao: 3, fogo: 3 }, por_veredito: { pendente: 6 } },
    })
  })

  it('contain the requested picture', async () => {
    const [id = 0] = eventos
    await backstage.verdict(id, 'refutado')
    const crop = await agent.call('obter_evento', { evento_id: id, imagem: 'crop' })
    expect(crop.dados).toMatchObject({
      imagem: 'crop',
      evento: { id, veredito: { decisao: 'refutado' }, revisao: null },
    })
    expect(crop.imagens).toEqual([{ tipo: 'image/jpeg', bytes: JPEG }])
    const frame = await agent.call('obter_evento', { evento_id: id })
    expect([frame.dados.imagem, frame.imagens]).toEqual(['quadro', [{ tipo: 'image/jpeg', bytes: await drawnFrame() }]])
    const none = await agent.call('obter_evento', { evento_id: id, imagem: 'nenhuma' })
    expect([none.dados.imagem, none.imagens]).toEqual([null, []])
    const old = await agent.call('obter_evento', { evento_id: await backstage.event(portao, { quadro_path: null }) })
    expect([old.dados.imagem, old.imagens]).toEqual(['crop', [{ tipo: 'image/jpeg', bytes: JPEG }]])
    const bare = await backstage.event(portao, { crop_path: null, quadro_path: null })
    const without = await agent.call('obter_evento', { evento_id: bare })
    expect([without.recusado, without.dados.imagem, without.imagens]).toEqual([false, null, []])
  })

  it('can be reviewed on behalf of the login', async () => {
    const admin = await connectAgent(app, `administrador-${own.empresaId}`)
    const [id = 0] = eventos
    const entrada = { evento_id: id, rotulo_humano: 'confirmado', revisor: 'Ana Souza' }
    expect(await admin.expect('revisar_evento', entrada)).toMatchObject({
      evento: { id, revisao: { rotulo_humano: 'confirmado', revisor: 'Ana Souza' } },
    })
    await admin.close()
  })
})

describe('listar_modelos_calibracao', () => {
  it('returns each threshold with its limits, and the Perfis', async () => {
    const { ias, perfis } = await agent.expect<{ ias: { nome: string; limiares: object[] }[]; perfis: object[] }>(
      'listar_modelos_calibracao',
    )
    expect(ias.find(({ nome }) => nome === 'invasao')?.limiares).toContainEqual({
      nome: 'conf',
      descricao: 'Confiança mínima da detecção',
      unidade: 'fracao',
      padrao: 0.45,
      minimo: 0,
      maximo: 1,
    })
    expect(perfis).toContainEqual(expect.objectContaining({ nome: 'obra' }))
  })
})

describe('edges, quedas and lacunas', () => {
  it('are listed and shown', async () => {
    const { edges } = await agent.expect<{ edges: object[] }>('listar_edges')
    expect(edges).toContainEqual(expect.objectContaining({ id: portao.edgeId, status: 'offline' }))
    expect(await agent.expect('obter_edge', { edge_id: portao.edgeId })).toMatchObject({ edge: { id: portao.edgeId } })
    expect(await agent.expect('listar_quedas', { abertas: true })).toMatchObject({
      quedas: [],
      total: 0,
      proximo: null,
    })
    expect(await agent.expect('listar_lacunas')).toMatchObject({ lacunas: [], total: 0, proximo: null })
  })
})
