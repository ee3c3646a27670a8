import type { CalibracaoView } from '@vigia/contracts/calibracao'
import type { Camera } from '@vigia/contracts/cameras'
import { calibracaoPadrao } from '@vigia/contracts/ias'
import { fixture } from '@vigia/testing/fixture'
import { beforeEach, describe, expect, it } from 'vitest'
import { connectAgent } from '../../../../test/clients/agent-client.ts'
import { startTestApp } from '../../../../test/clouds/test-app.ts'
import { LOOPBACK_ALLOWED } from '../../../../test/records/own-records.ts'

const app = fixture(() => startTestApp(LOOPBACK_ALLOWED))
const own = fixture(() => app.account('Mercado'))
const agent = fixture(() => connectAgent(app, `administrador-${own.empresaId}`))

let camera: Camera
const stored = () => own.admin.expect<Camera>(200, 'GET', `/api/v1/cameras/${camera.id}`)
let count = 0
beforeEach(async () => {
  count += 1
  const rtsp_url = `rtsp://ana:segredo-da-url@127.9.9.${count}/1`
  camera = await own.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', { nome: 'Doca', rtsp_url })
})

describe('criar_camera', () => {
  it('registers a camera by address, with a Perfil, and shows no password', async () => {
    const rtsp_url = 'rtsp://ana:segredo-da-url@127.9.8.1/1'
    const answer = await agent.call('criar_camera', { nome: 'Pátio', rtsp_url, perfil: 'obra' })
    const made = answer.dados.camera as Camera
    expect(made).toMatchObject({ nome: 'Pátio', perfil: 'obra', empresa_id: own.empresaId, status: 'offline' })
    expect(answer.texto).not.toContain('segredo-da-url')
    const whole = await own.admin.expect<Camera>(200, 'GET', `/api/v1/cameras/${made.id}`)
    expect(whole).toMatchObject({
      rtsp_url: 'rtsp://ana:****@127.9.8.1/1',
      eventos_habilitados: expect.arrayContaining(['epi']),
    })
  })

  it('names a missing field as the agent names it', async () => {
    const { recusado, texto } = await agent.call('criar_camera', { nome: 'Pátio' })
    expect([recusado, texto]).toEqual([true, expect.stringContaining('- rtsp_url: Campo obrigatório')])
  })
})

describe('alterar_camera', () => {
  it('changes only the sent fields', async () => {
    const { camera: changed } = await agent.expect<{ camera: Camera }>('alterar_camera', {
      camera_id: camera.id,
      nome: 'Pátio',
      ativa: false,
      eventos_habilitados: ['fogo'],
      instrucoes: ['Ignore o cachorro'],
    })
    expect(changed).toMatchObject({ nome: 'Pátio', ativa: false, status: 'desativada', eventos_habilitados: ['fogo'] })
    const after = await stored()
    expect(after).toMatchObject({ instrucoes: ['Ignore o cachorro'], rtsp_url: camera.rtsp_url, config_ia: {} })
    const moved = camera.rtsp_url.replace('/1', ':8554/2')
    await agent.expect('alterar_camera', { camera_id: camera.id, rtsp_url: moved })
    expect((await stored()).rtsp_url).toBe(moved)
  })

  it('never sends the stored password to another host', async () => {
    const sub_rtsp_url = camera.rtsp_url.replace('ana:****', 'ana:segredo-do-sub').replace('/1', '/sub')
    await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${camera.id}`, { sub_rtsp_url })
    const before = await stored()
    for (const [field, url] of [
      ['rtsp_url', 'rtsp://ana:****@127.9.9.99/1'],
      ['rtsp_url', `${camera.rtsp_url.replace('ana:****', 'ana')}@127.9.9.99:****`],
      ['rtsp_url', 'rtsp://127.9.9.99/x?user=ana&password=****'],
      ['rtsp_url', 'rtsp://127.9.9.99/user=ana&password=****&channel=1&stream=0.sdp'],
      ['sub_rtsp_url', 'rtsp://ana:****@127.9.9.99/sub'],
      ['sub_rtsp_url', 'rtsps://ana:****@127.9.9.99:1/sub'],
    ] as const) {
      const { recusado, texto } = await agent.call('alterar_camera', { camera_id: camera.id, [field]: url })
      expect([url, recusado, texto]).toEqual([url, true, expect.stringContaining(`- ${field}: `)])
      expect(await stored()).toEqual(before)
    }
    // Both addresses at once: the masked one is compared with a stored host, not with the new main address.
    const both = { rtsp_url: 'rtsp://ana:nova@127.9.9.99/1', sub_rtsp_url: 'rtsp://ana:****@127.9.9.99/sub' }
    expect((await agent.call('alterar_camera', { camera_id: camera.id, ...both })).recusado).toBe(true)
    expect(await stored()).toEqual(before)
    // Two steps: first the address, then the mask, which would insert the password of the main stream.
    const elsewhere = 'rtsp://127.9.9.99/sub'
    await agent.expect('alterar_camera', { camera_id: camera.id, sub_rtsp_url: elsewhere })
    const again = await agent.call('alterar_camera', { camera_id: camera.id, sub_rtsp_url: both.sub_rtsp_url })
    expect([again.recusado, (await stored()).sub_rtsp_url]).toEqual([true, elsewhere])
    // The agent may change the host with a new password.
    await agent.expect('alterar_camera', { camera_id: camera.id, rtsp_url: both.rtsp_url })
    expect((await stored()).rtsp_url).toBe('rtsp://ana:****@127.9.9.99/1')
  })

  it.each([
    ['alterar_camera', {}],
    ['alterar_zonas', {}],
    ['alterar_agenda', { janelas: {} }],
    ['alterar_calibracao', { ia: 'invasao' }],
  ])('rejects a call of %s without any change', async (tool, more) => {
    const { recusado, texto } = await agent.call(tool, { camera_id: camera.id, ...more })
    expect([recusado, texto]).toEqual([true, expect.stringContaining('Nada a mudar')])
    expect(await stored()).toEqual(camera)
  })

  it('is recorded as a change by an agent', async () => {
    await agent.expect('alterar_camera', { camera_id: camera.id, nome: 'Pátio' })
    const [last] = (
      await agent.expect<{ registros: object[] }>('consultar_auditoria', {
        objeto: 'camera',
        objeto_id: camera.id,
        canal: 'agente',
      })
    ).registros
    expect(last).toMatchObject({
      acao: 'alterar',
      username: `administrador-${own.empresaId}`,
      cliente: expect.stringContaining('Agente de teste'),
      antes: { nome: 'Doca' },
      depois: { nome: 'Pátio' },
    })
  })
})

describe('alterar_calibracao', () => {
  const change = (more: object) => agent.call('alterar_calibracao', { camera_id: camera.id, ia: 'invasao', ...more })
  const salva = async () =>
    (await agent.expect<{ calibracao: CalibracaoView }>('obter_calibracao', { camera_id: camera.id })).calibracao.salva

  it('changes the sent thresholds of one IA, keeps all others, and returns the previous ones', async () => {
    const config_ia = { invasao: { conf: 0.7, min_quadros: 5 }, fogo: { conf: 0.8 } }
    await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${camera.id}`, { config_ia })
    const { dados } = await change({ conf: 0.6, area_min: 0.01 })
    expect(dados).toMatchObject({
      antes: { ...calibracaoPadrao.invasao, conf: 0.7, min_quadros: 5 },
      depois: { ...calibracaoPadrao.invasao, conf: 0.6, min_quadros: 5, area_min: 0.01 },
    })
    expect(await salva()).toEqual({ invasao: { conf: 0.6, min_quadros: 5, area_min: 0.01 }, fogo: { conf: 0.8 } })
  })

  it('restores a default for null', async () => {
    await change({ conf: 0.6, min_quadros: 4 })
    const { dados } = await change({ conf: null })
    expect(dados.depois).toEqual({ ...calibracaoPadrao.invasao, min_quadros: 4 })
    expect(await salva()).toEqual({ invasao: { min_quadros: 4 } })
  })

  it.each([
    ['a threshold that this IA does not have', { direcao: 1 }, '- direcao: A IA invasao não tem este limiar'],
    ['a call without a threshold', {}, 'ao menos um dos campos conf, min_quadros'],
    ['a value that no IA takes', { conf: 1.5 }, 'conf'],
    ['a value that only another IA takes', { ia: 'camera_obstruida', permanencia_s: 7200 }, 'permanencia_s'],
    ['a word for a number', { conf: 'alta' }, 'conf'],
  ])('refuses %s and changes nothing', async (_, more, named) => {
    const { recusado, texto } = await change(more)
    expect([recusado, texto]).toEqual([true, expect.stringContaining(named)])
    expect(await salva()).toEqual({})
  })
})

describe('alterar_agenda', () => {
  it('changes the sent windows, removes those with null, and keeps the others', async () => {
    const agenda = { fogo: { inicio: 1, fim: 2, dias: [0] }, epi: { inicio: 7, fim: 18, dias: [] } }
    await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${camera.id}`, { agenda })
    const janelas = { invasao: { inicio: 22, fim: 6, dias: [0, 4] }, epi: null }
    const changed = await agent.expect('alterar_agenda', { camera_id: camera.id, janelas })
    const expected = { fogo: agenda.fogo, invasao: janelas.invasao }
    expect(changed.agenda).toEqual(expected)
    expect((await agent.expect('obter_agenda', { camera_id: camera.id })).agenda).toEqual(expected)
    const { recusado, texto } = await agent.call('alterar_agenda', {
      camera_id: camera.id,
      janelas: { fogo: { inicio: 25, fim: 6 } },
    })
    expect([recusado, texto]).toEqual([true, expect.stringContaining('janelas.fogo.inicio')])
  })
})

describe('alterar_zonas', () => {
  it('replaces the sent zones and line and keeps the others', async () => {
    const linha = [
      [0.1, 0.5],
      [0.9, 0.5],
    ]
    const zonas = [[0.1, 0.1, 0.9, 0.1, 0.5, 0.9]]
    await agent.expect('alterar_zonas', { camera_id: camera.id, linha })
    const changed = await agent.expect('alterar_zonas', { camera_id: camera.id, zonas })
    expect(changed).toMatchObject({ zonas, linha })
    expect(await agent.expect('obter_zonas', { camera_id: camera.id })).toMatchObject({ zonas, linha })
    const flat = await agent.call('alterar_zonas', { camera_id: camera.id, zonas: [[0, 0, 0.5, 0.5, 1, 1]] })
    expect([flat.recusado, flat.texto]).toEqual([true, expect.stringContaining('Uma zona precisa de área')])
  })
})

describe('a canal', () => {
  it('can be created, changed and tested, without showing the secret', async () => {
    const made = await agent.call('criar_canal_notificacao', {
      empresa_id: own.empresaId,
      destino: 'https://exemplo.com.br/vigia',
      tipos_evento: ['fogo'],
      agenda: { inicio: 22, fim: 6 },
    })
    expect(made.texto).not.toContain('whsec_')
    const { id } = made.dados.canal as { id: number }
    const { canal } = await agent.expect('alterar_canal_notificacao', { canal_id: id, ativo: false, tipos_evento: [] })
    expect(canal).toMatchObject({ id, ativo: false, tipos_evento: [], destino: 'https://exemplo.com.br/vigia' })
    const { canais } = await agent.expect<{ canais: object[] }>('listar_canais_notificacao')
    expect(canais).toContainEqual(expect.objectContaining({ id, ultimo_erro: null }))
    const { recusado, texto } = await agent.call('alterar_canal_notificacao', { canal_id: id })
    expect([recusado, texto]).toEqual([true, expect.stringContaining('Nada a mudar')])

    const empty = await agent.expect<{ canal: { id: number } }>('criar_canal_notificacao', {
      empresa_id: own.empresaId,
      tipo: 'email',
    })
    const tested = await agent.expect('testar_canal_notificacao', { canal_id: empty.canal.id })
    expect(tested.resultado).toMatchObject({ ok: false, erros: [expect.any(String)] })
  })
})
