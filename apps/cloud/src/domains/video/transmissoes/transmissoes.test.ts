import { type MensagemAoVivo, mensagemAoVivoSchema } from '@vigia/contracts/ao-vivo'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Client } from '../../../test/clients/client.ts'
import { type LiveStage, startLiveStage } from '../../../test/clouds/live-stage.ts'
import { SENHA } from '../../../test/clouds/test-app.ts'
import { partNumber, type UploadingEdge, uploadFrom } from '../../../test/stand-ins/uploading-edge.ts'

let stage: LiveStage
let uploads: UploadingEdge
let camera: number
const viewers: Viewer[] = []
beforeAll(async () => {
  stage = await startLiveStage()
  ;[camera] = stage.cameras
  await stage.edge.report(stage.cameras.slice(0, 2))
  uploads = uploadFrom(stage.edge, stage.app.url)
})
afterEach(() => {
  for (const { socket } of viewers.splice(0)) socket.terminate()
})
afterAll(async () => {
  uploads?.stop()
  await stage?.stop()
})

interface Viewer {
  readonly socket: WebSocket
  readonly texts: readonly MensagemAoVivo[]
  readonly parts: readonly number[]
  /** Close code, or status of a refusal. */
  readonly closed: Promise<number>
}

function view(by: Client, query = '', id = camera): Viewer {
  const address = `${stage.app.url.replace(/^http/, 'ws')}/api/v1/cameras/${id}/transmissao${query}`
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${by.token}` } })
  const texts: MensagemAoVivo[] = []
  const parts: number[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) texts.push(mensagemAoVivoSchema.parse(JSON.parse(String(data))))
    else parts.push(...[partNumber(data)].filter((number) => number !== null))
  })
  const closed = new Promise<number>((resolve) => {
    socket.on('close', resolve)
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('error', () => {})
  })
  const viewer = { socket, texts, parts, closed }
  viewers.push(viewer)
  return viewer
}

const received = (viewer: Viewer, count = 2) =>
  waitFor(`${count} parts`, () => viewer.parts.length >= count && viewer.parts, { everyMs: 20 })

describe('live video over WebSocket', () => {
  it('sends the header and each part, from one upload for all viewers', async () => {
    const before = uploads.opened
    const first = view(stage.own.usuario)
    await received(first, 12)
    expect(first.texts).toEqual([
      { tipo: 'fluxo', fluxo: 'principal', aviso: null },
      { tipo: 'inicio', codecs: 'avc1.4d401f', largura: 640, altura: 360, parte_ms: 250 },
    ])
    expect(first.parts).toEqual(first.parts.map((_, index) => (first.parts[0] ?? 0) + index))
    const second = view(stage.own.admin, '?prioridade=mosaico')
    await received(second)
    // A viewer begins at a keyframe.
    expect((second.parts[0] ?? 1) % 8).toBe(0)
    expect(uploads.opened - before).toBe(1)
    const { token, caminho, ...order } = uploads.orders.at(-1) ?? {}
    expect(order).toMatchObject({ acao: 'transmitir', camera_id: camera, fluxo: 'principal', prioridade: 'aberta' })
    expect(stage.app.logText()).not.toContain(token)
    expect(caminho).toMatch(/\?epoca=\d+$/)
  })

  it('has one record of each login that watches a camera', async () => {
    const path = `/api/v1/auditoria?objeto=camera&objeto_id=${camera}&acao=assistir`
    const records = await stage.own.admin.expect<{ username: string }[]>(200, 'GET', path)
    expect(records.map(({ username }) => username).sort()).toEqual([
      `administrador-${stage.own.empresaId}`,
      `usuario-${stage.own.empresaId}`,
    ])
  })

  it('gives the main stream of a camera without a sub stream, and says so', async () => {
    const viewer = view(stage.own.usuario, '?fluxo=secundario')
    await received(viewer)
    expect(viewer.texts[0]).toEqual({ tipo: 'fluxo', fluxo: 'principal', aviso: expect.stringContaining('secundário') })
  })

  it('gives the copy of a masked camera, and says so', async () => {
    const path = `/api/v1/cameras/${camera}/mascaras`
    await stage.own.admin.expect(200, 'PUT', path, { mascaras: [[0, 0, 1, 0, 1, 1]] })
    // The edge has not reported the masks, so that only an administrador sees the camera.
    const viewer = view(stage.own.admin)
    await received(viewer)
    await stage.own.admin.expect(200, 'PUT', path, { mascaras: [] })
    expect(viewer.texts[0]).toEqual({ tipo: 'fluxo', fluxo: 'principal', aviso: expect.stringContaining('máscara') })
  })

  it('ends a running picture with the session, and goes on after a renewal', async () => {
    const login = await stage.app.signIn(`usuario-${stage.own.empresaId}`)
    const viewer = view(login)
    await received(viewer)
    await login.send('GET', '/api/v1/auth/logout')
    expect(await viewer.closed).toBe(4401)
    expect(viewer.texts.at(-1)).toMatchObject({ tipo: 'fim', motivo: 'sessao' })
  })

  it('ends a running picture, and not the session, when the camera is switched off', async () => {
    const viewer = view(stage.own.usuario)
    await received(viewer)
    const path = `/api/v1/cameras/${camera}/hls_url`
    const { hls_url } = await stage.own.usuario.expect<{ hls_url: string }>(200, 'GET', path)
    await stage.own.admin.expect(200, 'PATCH', `/api/v1/cameras/${camera}`, { ativa: false })
    expect(await viewer.closed).toBe(1000)
    expect((await stage.own.usuario.send('GET', hls_url)).status).toBe(404)
    const detail = expect.stringContaining('foi desligada')
    expect(viewer.texts.at(-1)).toMatchObject({ tipo: 'fim', motivo: 'offline', detail })
    await stage.own.admin.expect(200, 'PATCH', `/api/v1/cameras/${camera}`, { ativa: true })
  })

  it('ends a running picture when the reach of the login loses the camera', async () => {
    const { app, own, other } = stage
    const body = { username: 'central', senha: SENHA, papel: 'vigilante', empresa_id: other.empresaId }
    const created = { ...body, alcance: [own.empresaId, other.empresaId] }
    const { id } = await app.operator.expect<{ id: number }>(201, 'POST', '/api/v1/usuarios', created)
    const viewer = view(await app.signIn('central'))
    await received(viewer)
    await app.operator.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { alcance: [other.empresaId] })
    expect(await viewer.closed).toBe(4401)
  })

  it('refuses a camera out of scope and a client that speaks', async () => {
    expect(await view(stage.other.usuario).closed).toBe(404)
    const speaking = view(stage.own.usuario)
    await received(speaking)
    speaking.socket.send('olá')
    expect(await speaking.closed).toBe(1008)
  })

  it('says over the connection why a camera in scope has no video now', async () => {
    const offline = view(stage.own.usuario, '', stage.cameras[2])
    expect(await offline.closed).toBe(1000)
    const detail = expect.stringContaining('A câmera não está online')
    expect(offline.texts).toEqual([{ tipo: 'fim', motivo: 'offline', detail }])
  })

  it('says over the connection that one login watches too many cameras', async () => {
    const login = await stage.app.signIn(`usuario-${stage.own.empresaId}`)
    const held = Array.from({ length: 64 }, () => view(login))
    await waitFor('64 views', () => held.every(({ texts }) => texts.length > 0))
    const last = view(login)
    expect(await last.closed).toBe(1000)
    const detail = expect.stringContaining('Feche as que não usa')
    expect(last.texts).toEqual([{ tipo: 'fim', motivo: 'vistas_demais', detail }])
    held[0]?.socket.terminate()
    await waitFor('a free place', async () => {
      const next = view(login)
      await waitFor('its first message', () => next.texts.length > 0)
      next.socket.terminate()
      return next.texts[0]?.tipo === 'fluxo'
    })
  })

  it('reports an older edge', async () => {
    const { answer } = stage.edge
    stage.edge.answer = async () => ({ ok: false, falha: 'comando_desconhecido' })
    const viewer = view(stage.own.usuario, '', stage.cameras[1])
    expect(await viewer.closed).toBe(1000)
    expect(viewer.texts.at(-1)).toMatchObject({ tipo: 'fim', motivo: 'nao_suportado' })
    stage.edge.answer = answer
  })

  it.each([
    [undefined, /^A câmera não tem este fluxo, ou ele não é H\.264/],
    [{ motivo: 'redirecionado', complemento: 'respondeu 302 a DESCRIBE: rtsp://10.0.0.9:554' }, /10\.0\.0\.9/],
    [{ motivo: 'codec_nao_suportado', complemento: 'jpeg' }, /a página mostra quadros/],
  ] as const)('says why the camera has no such stream (%j)', async (causa, sentence) => {
    const { answer } = stage.edge
    onTestFinished(() => {
      stage.edge.answer = answer
    })
    stage.edge.answer = async () => ({ ok: false, falha: 'fluxo_inexistente', ...(causa && { causa }) })
    const viewer = view(stage.own.usuario, '', stage.cameras[1])
    expect(await viewer.closed).toBe(1000)
    expect(viewer.texts.at(-1)).toMatchObject({ motivo: 'nao_suportado', detail: expect.stringMatching(sentence) })
  })
})

describe('the upload of an edge', () => {
  it('is refused with the credential of another camera, of an earlier epoch, or without one', async () => {
    const viewer = view(stage.own.usuario)
    await received(viewer)
    const order = uploads.orders.at(-1)
    if (!order) throw new Error('no order')
    const before = uploads.refused.length
    await uploads.dial({ ...order, caminho: order.caminho.replace(/epoca=\d+/, 'epoca=999') })
    await uploads.dial({ ...order, caminho: order.caminho.replace(`/${camera}/`, `/${stage.cameras[1]}/`) })
    await uploads.dial({ ...order, token: 'A'.repeat(43) })
    expect(uploads.refused.slice(before)).toEqual([401, 401, 401])
  })

  it('may connect again within its epoch, and the stream goes on', async () => {
    const viewer = view(stage.own.usuario)
    await received(viewer)
    const order = uploads.orders.at(-1)
    if (!order) throw new Error('no order')
    const before = uploads.opened
    await uploads.dial(order)
    await received(viewer, viewer.parts.length + 12)
    expect(uploads.opened - before).toBe(1)
    await waitFor('the replaced connection to end', () => uploads.open === 1)
  })
})

describe('live video over HLS', () => {
  it('serves the playlist and the parts below a token, which ends with the session', async () => {
    const login = await stage.app.signIn(`usuario-${stage.own.empresaId}`)
    const urls = await login.expect<{ hls_url: string; sub_hls_url?: string }>(
      ...([200, 'GET', `/api/v1/cameras/${camera}/hls_url`] as const),
    )
    expect(Object.keys(urls)).toEqual(['hls_url'])
    const get = (path: string) => fetch(`${stage.app.url}${path}`)
    const listed = await get(urls.hls_url)
    const playlist = await listed.text()
    expect([listed.status, playlist]).toEqual([200, expect.stringContaining('#EXT-X-PART-INF:PART-TARGET=')])
    expect(listed.headers.get('referrer-policy')).toBe('no-referrer')
    const base = urls.hls_url.replace(/[^/]*$/, '')
    const [, part = ''] = /URI="(p\d+\.\d+\.mp4)"/.exec(playlist) ?? []
    const bytes = Buffer.from(await (await get(base + part)).arrayBuffer())
    expect(partNumber(bytes)).not.toBeNull()
    const other = base.replace(`/cameras/${camera}/`, `/cameras/${stage.cameras[1]}/`)
    expect((await get(`${other}principal.m3u8`)).status).toBe(404)
    expect(stage.app.logText()).not.toContain(base.split('/').at(-2))
    await login.send('GET', '/api/v1/auth/logout')
    expect((await get(urls.hls_url)).status).toBe(401)
  })
})
