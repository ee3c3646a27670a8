import { type CameraFailure, cameraFailureText } from '@vigia/contracts/camera-failures'
import type { Camera, PortaTestada } from '@vigia/contracts/cameras'
import { causaText } from '@vigia/contracts/causa-text'
import type { ResultadoCadastro, ResultadoCanal } from '@vigia/contracts/gravadores'
import { jpegSize } from '@vigia/link/jpeg-size'
import { fixture } from '@vigia/testing/fixture'
import { freePort } from '@vigia/testing/free-port'
import type { Program } from '@vigia/testing/program'
import { type RecorderOptions, type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startAppWithEdge } from '../../../test/clouds/app-with-edge.ts'
import type { Account, TestApp } from '../../../test/clouds/test-app.ts'

let app: TestApp
let edge: Program
let edgeId: number
let own: Account
const whole = fixture(startAppWithEdge)

beforeAll(async () => {
  ;({ app, edge, edgeId, own } = whole)
})

let gravador: RecorderProcess
const start = async (options: RecorderOptions = {}) => {
  gravador = await startRecorder(options)
}
afterEach(() => gravador?.close())

const access = () => ({
  fabricante: 'intelbras',
  host: '127.0.0.1',
  porta: gravador.porta,
  usuario: gravador.usuario,
  senha: gravador.senha,
})
const discover = (more: object = {}, by = own.admin) =>
  by.send<ResultadoCanal[]>('POST', '/api/v1/gravadores/descobrir', {
    ...access(),
    num_canais: 4,
    empresa_id: own.empresaId,
    ...more,
  })
const register = (canais: unknown[]) =>
  own.admin.expect<ResultadoCadastro>(201, 'POST', '/api/v1/gravadores/cadastrar', {
    ...access(),
    num_canais: 4,
    empresa_id: own.empresaId,
    canais,
  })
const refused = (answer: { status: number; body: unknown }) => [answer.status, answer.body]

describe('descobrir', () => {
  it('returns video and registered camera of each canal in order', async () => {
    await start()
    const found = await discover()
    expect([found.status, found.body]).toEqual([
      200,
      [
        { canal: 1, estado: 'nova', codec: 'h264', resolucao: '768x576', nome_camera: null },
        { canal: 2, estado: 'nova', codec: 'h264', resolucao: '768x576', nome_camera: null },
        { canal: 3, estado: 'nova', codec: 'h265', resolucao: '384x288', nome_camera: null },
        { canal: 4, estado: 'vazia', codec: null, resolucao: null, nome_camera: null },
      ],
    ])
    // Nothing is stored.
    expect(await own.admin.expect(200, 'GET', '/api/v1/gravadores')).toEqual([])
    expect(await own.admin.expect(200, 'GET', '/api/v1/cameras')).toEqual([])

    await register([
      { canal: 2, nome: 'Doca' },
      { canal: 4, nome: 'Sem sinal' },
    ])
    const byHand = {
      nome: 'Avulsa',
      rtsp_url: `rtsp://127.0.0.1:${gravador.porta}/cam/realmonitor?channel=3&subtype=0`,
    }
    await own.admin.expect(201, 'POST', '/api/v1/cameras', byHand)
    const again = await discover()
    expect(again.body.map(({ estado, nome_camera }) => [estado, nome_camera])).toEqual([
      ['nova', null],
      ['já cadastrada', 'Doca'],
      ['já cadastrada', 'Avulsa'],
      ['já cadastrada', 'Sem sinal'],
    ])
    // Cameras of another Empresa are not shown.
    const parent = await app.account('Outra')
    const theirs = await discover({ empresa_id: parent.empresaId }, parent.admin)
    expect(refused(theirs)).toEqual([503, { detail: expect.stringContaining('Nenhuma caixa') }])
    expect(app.logText() + edge.output()).not.toContain(gravador.senha)
  })

  it('names the wrong field', async () => {
    await start()
    const wrong = await discover({ senha: 'errada' })
    expect(refused(wrong)).toMatchObject([422, { detail: [{ loc: ['body', 'senha'] }] }])
    // The cloud allows this address, and the edge refuses it.
    const host = await discover({ host: '127.0.0.2' })
    expect(refused(host)).toMatchObject([422, { detail: [{ loc: ['body', 'host'] }] }])
  })

  it('says whether the device is absent, its port is closed, or another service answers', async () => {
    await start()
    const said = (motivo: CameraFailure, complemento: string | null = null) => [
      503,
      { detail: causaText({ motivo, complemento }) },
    ]
    expect(refused(await discover({ host: '127.255.255.255' }))).toEqual(said('sem_rota'))
    expect(refused(await discover({ porta: await freePort() }))).toEqual(said('conexao_recusada'))
    const porta = Number(new URL(app.url).port)
    expect(refused(await discover({ porta }))).toEqual(said('nao_e_rtsp', 'página web, HTTP'))
    const onvif = await discover({ fabricante: 'onvif', porta: await freePort() })
    expect(refused(onvif)).toEqual([503, { detail: expect.stringContaining('a porta está fechada') }])
  })

  it('treats a single silent canal as empty and a silent gravador as unreachable', async () => {
    await start({ defeitos: { 2: 'mudo' } })
    const one = await discover({ num_canais: 3 })
    expect(one.body.map(({ estado, sem_resposta }) => [estado, sem_resposta])).toEqual([
      ['nova', undefined],
      ['vazia', true],
      ['nova', undefined],
    ])
    await gravador.kill()
    await gravador.start({ 1: 'mudo', 2: 'mudo' })
    const all = await discover({ num_canais: 2 })
    expect(refused(all)).toEqual([503, { detail: expect.stringContaining('não responde nela') }])
  })

  it('names the device to which the gravador redirects a canal', async () => {
    const para = 'rtsp://a:segredo@10.9.8.7:8554/user=a&password=segredo'
    await start({ defeitos: { 1: { defeito: 'redireciona', para }, 2: 'redireciona_caminho' } })
    const found = await discover({ num_canais: 2 })
    expect(found.body).toMatchObject([
      { canal: 1, estado: 'vazia', outro_endereco: 'rtsp://10.9.8.7:8554' },
      { canal: 2, estado: 'nova', codec: 'h264' },
    ])
    expect(JSON.stringify(found.body)).not.toContain('segredo')
    expect(found.body[1]).not.toHaveProperty('outro_endereco')
  })

  it('stops on the edge when the caller disconnects', async () => {
    await start({ defeitos: { 1: 'mudo', 2: 'mudo', 3: 'mudo', 4: 'mudo' } })
    const leave = new AbortController()
    const body = JSON.stringify({ ...access(), num_canais: 64, empresa_id: own.empresaId })
    const headers = { authorization: `Bearer ${own.admin.token}`, 'content-type': 'application/json' }
    const asked = fetch(`${app.url}/api/v1/gravadores/descobrir`, {
      method: 'POST',
      headers,
      body,
      signal: leave.signal,
    })
    await waitFor('the probe to have begun', async () => (await gravador.counts()).conexoes_max > 0)
    leave.abort()
    await expect(asked).rejects.toThrow()
    await waitFor('the edge to have ended it', () => /"falha":"cancelado"/.test(edge.output()))
  })
})

describe('imagem', () => {
  const picture = (more: object = {}, by = own.admin) =>
    fetch(`${app.url}/api/v1/gravadores/imagem`, {
      method: 'POST',
      headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...access(), canal: 2, empresa_id: own.empresaId, lado: 160, ...more }),
    })
  const problem = async (answer: Response) => [answer.status, await answer.json()]

  it('shows a canal before a camera exists, and stores nothing', async () => {
    await start()
    const stored = () => own.admin.expect<unknown[]>(200, 'GET', '/api/v1/gravadores')
    const before = await stored()
    const answer = await picture()
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'image/jpeg',
      'no-store',
    ])
    expect(jpegSize(Buffer.from(await answer.arrayBuffer()))).toEqual({ width: 160, height: 120 })
    expect(await stored()).toEqual(before)
    expect(app.logText() + edge.output()).not.toContain(gravador.senha)
  })

  it('is refused for a canal whose camera has masks', async () => {
    await start()
    const { host, porta } = access()
    const camera = { nome: 'Pátio', rtsp_url: `rtsp://${host}:${porta}/cam/realmonitor?channel=7&subtype=0` }
    const { id } = await own.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', camera)
    await own.admin.expect(200, 'PUT', `/api/v1/cameras/${id}/mascaras`, { mascaras: [[0, 0, 1, 0, 1, 1]] })
    const refused = await problem(await picture({ canal: 7 }))
    expect(refused).toEqual([409, { detail: expect.stringContaining('"Pátio", que tem máscara') }])
    await own.admin.expect(204, 'DELETE', `/api/v1/cameras/${id}`)
  })

  it('names the wrong field, and explains a canal without a picture', async () => {
    await start()
    const senha = await problem(await picture({ senha: 'errada' }))
    expect(senha).toMatchObject([422, { detail: [{ loc: ['body', 'senha'] }] }])
    for (const host of ['127.0.0.2', '169.254.1.1'])
      expect(await problem(await picture({ host }))).toMatchObject([422, { detail: [{ loc: ['body', 'host'] }] }])
    const empty = await problem(await picture({ canal: 9 }))
    expect(empty).toEqual([503, { detail: cameraFailureText('nao_encontrado') }])
  })

  it.each([
    [
      'redirects',
      { defeito: 'redireciona', para: 'rtsp://10.9.8.7:8554/' },
      cameraFailureText('redirecionado', 'respondeu 302 a DESCRIBE: rtsp://10.9.8.7:8554'),
    ],
    ['has no camera', 'vazio_454', cameraFailureText('sem_video', 'respondeu 454 a DESCRIBE')],
    ['has another codec', 'codec_desconhecido', cameraFailureText('codec_nao_suportado', 'FOO')],
  ])('names the cause at a canal that %s', async (_name, fault, detail) => {
    await start({ defeitos: { 2: fault } })
    expect(await problem(await picture())).toEqual([503, { detail }])
  })

  it('requires an administrator with that Empresa in scope', async () => {
    await start()
    expect((await picture({}, own.usuario)).status).toBe(403)
    const other = await app.account('Alheia')
    expect((await picture({}, other.admin)).status).toBe(404)
    expect((await gravador.counts()).conexoes_max).toBe(0)
  })
})

describe('before the Empresa exists', () => {
  it('the operator discovers through the edge that it names', async () => {
    await start()
    const found = await discover({ empresa_id: null, edge_id: edgeId }, app.operator)
    expect(found.body.map(({ estado }) => estado)).toEqual(['nova', 'nova', 'nova', 'vazia'])
    // Without an edge, only the local one may serve it; this installation has none.
    expect((await discover({ empresa_id: null }, app.operator)).status).toBe(503)
    // Any other login discovers for its own Empresa.
    for (const [empresa_id, by] of [
      [undefined, app.operator],
      [undefined, own.admin],
      [null, own.admin],
    ] as const)
      expect(await discover({ empresa_id }, by)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'empresa_id'], type: 'missing' }] },
      })
  })
})

describe('testar-conexao', () => {
  const test = (more: object) =>
    own.admin.send<PortaTestada[]>('POST', '/api/v1/cameras/testar-conexao', { host: '127.0.0.1', ...more })

  it('returns the service of each port in the requested order', async () => {
    await start()
    const closed = await freePort()
    const web = Number(new URL(app.url).port)
    const { usuario, senha } = access()
    const answer = await test({ portas: [gravador.porta, closed, web], usuario, senha, edge_id: edgeId })
    expect([answer.status, answer.body]).toEqual([
      200,
      [
        { porta: gravador.porta, tcp: true, rtsp: true, detalhe: expect.stringContaining('aceitos') },
        { porta: closed, tcp: false, rtsp: false, detalhe: expect.any(String) },
        { porta: web, tcp: true, rtsp: false, detalhe: expect.any(String) },
      ],
    ])
    const host = await test({ portas: [gravador.porta], host: '127.0.0.2' })
    expect(refused(host)).toMatchObject([422, { detail: [{ loc: ['body', 'host'] }] }])
  })
})

describe('a snapshot', () => {
  const snapshot = (id: number, query = '') =>
    fetch(`${app.url}/api/v1/cameras/${id}/snapshot${query}`, {
      headers: { authorization: `Bearer ${own.usuario.token}` },
    })

  it('returns the current frame while an edge serves the camera', async () => {
    await start()
    const [camera] = (await register([1])).cameras
    const id = camera?.id ?? 0
    const path = `/api/v1/cameras/${id}`
    await waitFor('the camera to be online', async () => {
      const { status } = await own.admin.expect<Camera>(200, 'GET', path)
      return status === 'online'
    })
    const answer = await snapshot(id)
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'image/jpeg',
      'no-store',
    ])
    expect(jpegSize(Buffer.from(await answer.arrayBuffer()))).toEqual({ width: 384, height: 288 })
    const small = await snapshot(id, '?lado=160')
    expect(jpegSize(Buffer.from(await small.arrayBuffer()))).toEqual({ width: 160, height: 120 })
    expect((await snapshot(id, '?lado=9999')).status).toBe(422)

    process.kill(edge.pid, 'SIGSTOP')
    const waiting = Array.from({ length: 9 }, () => snapshot(id))
    const answers = await Promise.all(waiting).finally(() => process.kill(edge.pid, 'SIGCONT'))
    // One login cannot use all slots of the edge.
    expect(answers.map(({ status }) => status).sort()).toEqual([429, ...Array.from({ length: 8 }, () => 503)])
    const none = answers.find(({ status }) => status === 503)
    expect(await none?.json()).toEqual({ detail: expect.stringContaining('não respondeu') })

    await own.admin.expect(200, 'PATCH', path, { ativa: false })
    expect((await snapshot(id)).status).toBe(404)
  })
})
