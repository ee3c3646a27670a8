import type { Camera } from '@vigia/contracts/cameras'
import type { CanalGravador, Gravador, ResultadoCadastro, ResultadoCanal } from '@vigia/contracts/gravadores'
import { fixture } from '@vigia/testing/fixture'
import { freePort } from '@vigia/testing/free-port'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startAppWithEdge } from '../../../test/clouds/app-with-edge.ts'

const whole = fixture(startAppWithEdge)

let gravador: RecorderProcess
let porta: number
beforeEach(async () => {
  porta = await freePort()
  // A wrong clock and an unreachable host.
  const argumentos = ['--onvif', String(porta), '--onvif-relogio=-86400', '--onvif-host', '203.0.113.9']
  gravador = await startRecorder({ argumentos })
})
afterEach(async () => {
  for (const { id } of await cameras()) await admin().expect(204, 'DELETE', `/api/v1/cameras/${id}`)
  for (const { id } of await gravadores()) await admin().expect(204, 'DELETE', `/api/v1/gravadores/${id}`)
  await gravador?.close()
})

const admin = () => whole.own.admin
const cameras = () => admin().expect<Camera[]>(200, 'GET', '/api/v1/cameras')
const gravadores = () => admin().expect<Gravador[]>(200, 'GET', '/api/v1/gravadores')
const body = (more: object = {}) => ({
  fabricante: 'onvif',
  host: '127.0.0.1',
  porta,
  usuario: gravador.usuario,
  senha: gravador.senha,
  num_canais: 4,
  empresa_id: whole.own.empresaId,
  ...more,
})
const discover = (more: object = {}) =>
  admin().send<ResultadoCanal[]>('POST', '/api/v1/gravadores/descobrir', body(more))
const cadastrar = (more: object = {}) =>
  admin().send<ResultadoCadastro>('POST', '/api/v1/gravadores/cadastrar', body({ canais: [1], ...more }))
const register = async (more: object = {}) => {
  const answer = await cadastrar(more)
  expect(answer.status).toBe(201)
  return answer.body
}
const url = (canal: number, subtype: number, where = `vigia:****@127.0.0.1:${gravador.porta}`) =>
  `rtsp://${where}/cam/realmonitor?channel=${canal}&subtype=${subtype}&unicast=true&proto=Onvif`
const refused = (answer: { status: number; body: unknown }) => [answer.status, answer.body]

describe('a device behind a router that maps the port of RTSP', () => {
  let closed: number
  beforeEach(async () => {
    await gravador.close()
    closed = await freePort()
    gravador = await startRecorder({ argumentos: ['--onvif', String(porta), '--onvif-rtsp', String(closed)] })
  })

  it('is reported with the port, and found with a typed one', async () => {
    const detail = expect.stringContaining(`informa o vídeo na porta ${closed}`)
    expect(refused(await discover())).toEqual([503, { detail }])
    const found = await discover({ porta_rtsp: gravador.porta })
    expect(found).toMatchObject({ status: 200, body: [{ canal: 1, estado: 'nova' }, {}, {}, { estado: 'vazia' }] })
    const other = await admin().send('POST', '/api/v1/gravadores/descobrir', {
      ...body({ porta_rtsp: gravador.porta }),
      fabricante: 'intelbras',
    })
    expect(refused(other)).toMatchObject([422, { detail: [{ loc: ['body', 'porta_rtsp'] }] }])
  })

  it('keeps the typed port in its cameras, its pictures and its record, and moves them with a change', async () => {
    const { gravador_id } = await register({ porta_rtsp: gravador.porta })
    expect((await cameras()).map(({ rtsp_url }) => rtsp_url)).toEqual([url(1, 0)])
    const picture = await admin().send('POST', '/api/v1/gravadores/imagem', {
      fabricante: 'onvif',
      host: '127.0.0.1',
      porta,
      usuario: gravador.usuario,
      senha: gravador.senha,
      porta_rtsp: gravador.porta,
      canal: 2,
      empresa_id: whole.own.empresaId,
    })
    expect([picture.status, picture.body]).toEqual([200, expect.anything()])
    const path = `/api/v1/gravadores/${gravador_id}`
    expect(await admin().expect(200, 'PATCH', path, { porta_rtsp: 9554 })).toMatchObject({ porta_rtsp: 9554 })
    const moved = url(1, 0, 'vigia:****@127.0.0.1:9554')
    expect((await cameras()).map(({ rtsp_url }) => rtsp_url)).toEqual([moved])
    expect(await admin().expect(200, 'PATCH', path, { porta_rtsp: null })).toMatchObject({ porta_rtsp: null })
    expect((await cameras()).map(({ rtsp_url }) => rtsp_url)).toEqual([moved])
  })
})

describe('a device that accepts only the password itself', () => {
  beforeEach(async () => {
    await gravador.close()
    gravador = await startRecorder({ argumentos: ['--onvif', String(porta), '--onvif-login', 'texto'] })
  })

  it('is named as possible, and is found after a person agrees, in a private network only', async () => {
    const msg = expect.stringContaining('senha em texto')
    const plain = await discover()
    expect(refused(plain)).toMatchObject([422, { detail: [{ loc: ['body', 'senha'], msg }] }])
    const text = `recusou a chamada ONVIF GetProfiles, na porta ${porta}, com login por WS-Security (resumo da senha)`
    expect(JSON.stringify(plain.body)).toContain(text)
    expect(await discover({ senha_em_texto: true })).toMatchObject({
      status: 200,
      body: [{ estado: 'nova' }, {}, {}, {}],
    })
    const public_ = await discover({ senha_em_texto: true, host: '203.0.113.9' })
    expect(refused(public_)).toMatchObject([422, { detail: [{ loc: ['body', 'senha_em_texto'] }] }])
    const { gravador_id } = await register({ senha_em_texto: true })
    const path = `/api/v1/gravadores/${gravador_id}`
    expect(await admin().expect(200, 'GET', path)).toMatchObject({ senha_em_texto: true })
    expect(await admin().expect(200, 'PATCH', path, { senha_em_texto: false })).toMatchObject({ senha_em_texto: false })
  })
})

describe('a device that does not answer', () => {
  it('is named with the call and the port', async () => {
    const silent = await freePort()
    const detail = expect.stringContaining(`a chamada ONVIF GetSystemDateAndTime, na porta ${silent}, sem login.`)
    expect(refused(await discover({ porta: silent }))).toEqual([503, { detail }])
    const rtsp = expect.stringContaining(`Não serviu: a chamada ONVIF GetSystemDateAndTime, na porta ${gravador.porta}`)
    expect(refused(await discover({ porta: gravador.porta }))).toEqual([503, { detail: rtsp }])
  })
})

describe('descobrir', () => {
  it('finds the canais that the device lists and their cameras', async () => {
    expect(await discover()).toMatchObject({
      status: 200,
      body: [
        { canal: 1, estado: 'nova', codec: 'h264', resolucao: '768x576', nome_camera: null },
        { canal: 2, estado: 'nova', codec: 'h264', resolucao: '768x576', nome_camera: null },
        { canal: 3, estado: 'nova', codec: 'h265', resolucao: '384x288', nome_camera: null },
        { canal: 4, estado: 'vazia', codec: null, resolucao: null, nome_camera: null },
      ],
    })
    expect([await gravadores(), await cameras()]).toEqual([[], []])
    await register({ canais: [{ canal: 2, nome: 'Doca' }] })
    await admin().expect(201, 'POST', '/api/v1/cameras', {
      nome: 'Avulsa',
      rtsp_url: url(3, 0, `127.0.0.1:${gravador.porta}`),
    })
    expect((await discover()).body.map(({ estado, nome_camera }) => [estado, nome_camera])).toEqual([
      ['nova', null],
      ['já cadastrada', 'Doca'],
      ['já cadastrada', 'Avulsa'],
      ['vazia', null],
    ])
    expect((await gravador.counts()).onvif_logins_recusados).toBe(0)
    expect(whole.app.logText() + whole.edge.output()).not.toContain(gravador.senha)
  })

  it('names the wrong field', async () => {
    expect(refused(await discover({ senha: 'errada' }))).toMatchObject([422, { detail: [{ loc: ['body', 'senha'] }] }])
    expect((await gravador.counts()).onvif_logins_recusados).toBe(1)
    // The cloud allows this address, and the edge refuses it.
    expect(refused(await discover({ host: '127.0.0.2' }))).toMatchObject([422, { detail: [{ loc: ['body', 'host'] }] }])
    const web = Number(new URL(whole.app.url).port)
    expect(refused(await discover({ porta: web }))).toEqual([503, { detail: expect.stringContaining('ONVIF') }])
    expect((await discover({ porta: await freePort() })).status).toBe(503)
  })
})

describe('cadastrar', () => {
  it('stores the addresses of the device with the known host', async () => {
    const { gravador_id, cameras: made } = await register({
      canais: [1, { canal: 3, nome: 'Rua' }],
      nome_gravador: 'Loja',
    })
    expect(made).toMatchObject([
      { nome: 'Loja - Canal 1', canal: 1, gravador_id, rtsp_url: url(1, 0), sub_rtsp_url: url(1, 1) },
      { nome: 'Rua', canal: 3, rtsp_url: url(3, 0), sub_rtsp_url: null },
    ])
    // The addresses are valid: the edge captures a frame.
    await waitFor('the cameras to be online', async () => (await cameras()).every(({ status }) => status === 'online'))
    expect(await admin().expect<CanalGravador[]>(200, 'GET', `/api/v1/gravadores/${gravador_id}/canais`)).toEqual([
      { canal: 1, nome: 'Loja - Canal 1', rtsp_url: url(1, 0), camera_id: made[0]?.id },
      { canal: 3, nome: 'Rua', rtsp_url: url(3, 0), camera_id: made[1]?.id },
    ])
    expect(await register({ canais: [1, 2] })).toMatchObject({ gravador_id, cameras_criadas: 1, cameras_ignoradas: 1 })
  })

  it('changes nothing if the device reports no address', async () => {
    expect(refused(await cadastrar({ canais: [1, 4] }))).toMatchObject([
      422,
      { detail: [{ loc: ['body', 'canais', 1] }] },
    ])
    expect(refused(await cadastrar({ senha: 'errada' }))).toMatchObject([422, { detail: [{ loc: ['body', 'senha'] }] }])
    expect((await cadastrar({ porta: await freePort() })).status).toBe(503)
    expect(refused(await cadastrar({ url_template: '{base}/x' }))).toMatchObject([422, {}])
    const long = await cadastrar({ usuario: '中'.repeat(100), senha: '中'.repeat(100) })
    expect(refused(long)).toMatchObject([422, { detail: [{ loc: ['body', 'senha'] }] }])
    expect([await gravadores(), await cameras()]).toEqual([[], []])
  })

  it('refuses a change between ONVIF and templates', async () => {
    await register()
    expect((await cadastrar({ fabricante: 'intelbras', canais: [2] })).status).toBe(409)
    expect(await cameras()).toMatchObject([{ rtsp_url: url(1, 0) }])
  })
})

describe('a camera by gravador and canal', () => {
  it('has the address of the device, then that of the changed gravador', async () => {
    const { id: gravador_id } = await admin().expect<Gravador>(201, 'POST', '/api/v1/gravadores', body({ nome: 'NVR' }))
    const path = `/api/v1/gravadores/${gravador_id}`
    expect(await admin().expect(200, 'GET', `${path}/canais`)).toEqual([])
    const none = await admin().send('POST', '/api/v1/cameras', { nome: 'Nada', gravador_id, canal: 4 })
    expect(refused(none)).toMatchObject([422, { detail: [{ loc: ['body', 'canal'] }] }])
    const camera = await admin().expect<Camera>(201, 'POST', '/api/v1/cameras', { nome: 'Doca', gravador_id, canal: 2 })
    expect(camera).toMatchObject({ gravador_id, canal: 2, rtsp_url: url(2, 0), sub_rtsp_url: url(2, 1) })

    // The edge gets no command: port and paths of the streams stay.
    await gravador.kill()
    const other = await freePort()
    await admin().expect(200, 'PATCH', path, { host: '127.0.0.9', porta: other, usuario: 'bia', senha: 'n@va' })
    const moved = `bia:****@127.0.0.9:${gravador.porta}`
    const camerasPath = `/api/v1/cameras/${camera.id}`
    expect(await admin().expect(200, 'GET', camerasPath)).toMatchObject({
      rtsp_url: url(2, 0, moved),
      sub_rtsp_url: url(2, 1, moved),
    })
    // A manually removed substream stays removed, and another address leaves the gravador.
    expect(await admin().expect(200, 'PATCH', camerasPath, { sub_rtsp_url: null })).toMatchObject({
      gravador_id,
      sub_rtsp_url: null,
    })
    await admin().expect(200, 'PATCH', path, { host: '127.0.0.1' })
    const back = url(2, 0, `bia:****@127.0.0.1:${gravador.porta}`)
    expect(await admin().expect(200, 'GET', camerasPath)).toMatchObject({
      gravador_id,
      rtsp_url: back,
      sub_rtsp_url: null,
    })
    await admin().expect(200, 'PATCH', path, { usuario: gravador.usuario, senha: gravador.senha })
    await gravador.start()
    await waitFor('the camera to be online', async () => {
      const { status } = await admin().expect<Camera>(200, 'GET', camerasPath)
      return status === 'online'
    })
    const own = { rtsp_url: 'rtsp://127.0.0.1:9/outra' }
    expect(await admin().expect(200, 'PATCH', camerasPath, own)).toMatchObject({
      gravador_id: null,
      canal: null,
      ...own,
    })
  })
})
