import type { Camera, PortaTestada } from '@vigia/contracts/cameras'
import type { Gravador, ResultadoCadastro, ResultadoCanal } from '@vigia/contracts/gravadores'
import type { Api } from '@vigia/testing/api'
import { freePort } from '@vigia/testing/free-port'
import { type Installation, startInstallation } from '@vigia/testing/installation'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const FOOTAGE = 'apps/dvr-simulator/footage'
const CHANNEL = `${FOOTAGE}/campus-a-principal.mp4,${FOOTAGE}/campus-a-sub.mp4`
/** Passwords that break naive URL handling, before and after a change on the recorder. */
const [BEFORE, AFTER] = ['s3nh@:/#&% ç', 'n0v4/?#&@: ã']

/** As for a real administrator, the cloud cannot reach the recorder's network, so the edge searches it. */
describe('a recorder, from discovery to its pictures, through the edge', () => {
  let recorder: RecorderProcess
  let vigia: Installation
  let api: Api
  let access: Record<string, unknown>
  let cadastro: ResultadoCadastro

  beforeAll(async () => {
    recorder = await startRecorder({ senha: BEFORE, canais: [CHANNEL, CHANNEL, CHANNEL], defeitos: { 2: 'vazio_404' } })
    vigia = await startInstallation({ VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8' })
    api = await vigia.signIn()
    const empresa = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Mercado' })
    access = {
      fabricante: 'intelbras',
      host: '127.0.0.1',
      porta: recorder.porta,
      usuario: 'vigia',
      senha: BEFORE,
      num_canais: 3,
      empresa_id: empresa.id,
    }
    await waitFor('the local edge to be online', async () => {
      const [edge] = await api.get<{ status: string }[]>('/edges')
      return edge?.status === 'online'
    })
  })
  afterAll(async () => {
    await vigia?.close()
    await recorder?.close()
  })

  const discover = (change: object = {}, status = 200) =>
    api.call<ResultadoCanal[]>('POST', '/gravadores/descobrir', { ...access, ...change }, status)
  const refusal = (change: object, status: number) =>
    api.call<{ detail: unknown }>('POST', '/gravadores/descobrir', { ...access, ...change }, status)
  const camerasOnline = async () => {
    const cameras = await api.get<Camera[]>('/cameras')
    return cameras.length === 2 && cameras.every(({ status }) => status === 'online') && cameras
  }

  it('discovery reports the state of each channel, and stores nothing', async () => {
    expect(await discover()).toEqual([
      { canal: 1, estado: 'nova', codec: 'h264', resolucao: '768x576', nome_camera: null },
      { canal: 2, estado: 'vazia', codec: null, resolucao: null, nome_camera: null },
      { canal: 3, estado: 'nova', codec: 'h264', resolucao: '768x576', nome_camera: null },
    ])
    expect(await api.get('/gravadores')).toEqual([])
    expect(await api.get('/cameras')).toEqual([])
  })

  it('a wrong password and a missing recorder have different answers', async () => {
    expect((await refusal({ senha: 'errada' }, 422)).detail).toEqual([
      { loc: ['body', 'senha'], msg: expect.stringMatching(/\S/), type: 'value_error' },
    ])
    expect((await refusal({ porta: await freePort() }, 503)).detail).toEqual(expect.stringMatching(/\S/))
    expect((await refusal({ host: '127.0.0.256' }, 422)).detail).toEqual([
      expect.objectContaining({ loc: ['body', 'host'] }),
    ])
  })

  it('its chosen channels become cameras that come online', async () => {
    cadastro = await api.call<ResultadoCadastro>(
      'POST',
      '/gravadores/cadastrar',
      { ...access, canais: [1, { canal: 3, nome: 'Portão', perfil: 'comercio' }], nome_gravador: 'DVR da loja' },
      201,
    )
    expect(cadastro).toMatchObject({ cameras_criadas: 2, cameras_ignoradas: 0, vagas_restantes: 62 })
    expect(cadastro.cameras.map(({ nome, canal, perfil }) => ({ nome, canal, perfil }))).toEqual([
      { nome: expect.stringContaining('DVR da loja'), canal: 1, perfil: null },
      { nome: 'Portão', canal: 3, perfil: 'comercio' },
    ])
    await waitFor('both cameras to be online', camerasOnline)
    const again = await discover()
    expect(again.map(({ estado, nome_camera }) => [estado, nome_camera])).toEqual([
      ['já cadastrada', cadastro.cameras[0]?.nome],
      ['vazia', null],
      ['já cadastrada', 'Portão'],
    ])
  })

  it('a snapshot is one complete current picture', async () => {
    const answer = await api.fetch(`/cameras/${cadastro.cameras[1]?.id}/snapshot`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/jpeg')
    expect(answer.headers.get('cache-control')).toContain('no-store')
    const { info } = await sharp(Buffer.from(await answer.arrayBuffer()), { failOn: 'warning' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([384, 288])
  })

  it('the connection test distinguishes an RTSP port from a closed one', async () => {
    const closed = await freePort()
    const { host, usuario, senha } = access
    const portas = [recorder.porta, closed, Number(new URL(vigia.base).port)]
    const tested = await api.call<PortaTestada[]>('POST', '/cameras/testar-conexao', { host, usuario, senha, portas })
    expect(tested.map(({ porta, tcp, rtsp }) => ({ porta, tcp, rtsp }))).toEqual([
      { porta: recorder.porta, tcp: true, rtsp: true },
      { porta: closed, tcp: false, rtsp: false },
      { porta: Number(new URL(vigia.base).port), tcp: true, rtsp: false },
    ])
  })

  it('a new password on the recorder stops the cameras, and the same change in Vigia restores them', async () => {
    await recorder.close()
    recorder = await startRecorder({ porta: recorder.porta, senha: AFTER, canais: [CHANNEL, CHANNEL, CHANNEL] })
    await waitFor('the cameras to be offline', async () => {
      const cameras = await api.get<Camera[]>('/cameras')
      return cameras.every(({ status }) => status === 'offline')
    })
    const gone = await api.fetch(`/cameras/${cadastro.cameras[0]?.id}/snapshot`)
    expect(gone.status).toBe(404)
    const changed = await api.call<Gravador>('PATCH', `/gravadores/${cadastro.gravador_id}`, { senha: AFTER })
    expect(changed).toMatchObject({ senha: AFTER, cameras: 2 })
    const cameras = await waitFor('both cameras to be online', camerasOnline)
    for (const { rtsp_url } of cameras) expect(rtsp_url).toContain('vigia:****@127.0.0.1')
  })

  it('no written file contains a password of the recorder', async () => {
    const { readdir, readFile } = await import('node:fs/promises')
    const secrets = [BEFORE, AFTER, encodeURIComponent(BEFORE), encodeURIComponent(AFTER), 's3nh@', 'n0v4']
    const files = (await readdir(vigia.dataDir, { recursive: true, withFileTypes: true })).filter((f) => f.isFile())
    for (const file of files) {
      const content = await readFile(`${file.parentPath}/${file.name}`, 'utf8')
      for (const secret of secrets) expect(content.includes(secret), `${secret} in ${file.name}`).toBe(false)
    }
  })
})
