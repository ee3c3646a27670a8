import { cameraFailureText, keyframeWaitText } from '@vigia/contracts/camera-failures'
import { fewConnectionsText } from '@vigia/contracts/camera-remarks'
import type { Camera } from '@vigia/contracts/cameras'
import type { ResultadoCanal } from '@vigia/contracts/gravadores'
import { failureText, portText, refusedByOnvif } from '@vigia/contracts/pedido-failures'
import { freePort } from '@vigia/testing/free-port'
import { type RecorderFault, type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type AppWithEdge, startAppWithEdge } from '../../../test/clouds/app-with-edge.ts'
import { streamEndText } from '../../video/transmissoes/end-text.ts'

let whole: AppWithEdge
let gravador: RecorderProcess
let camera: Camera | null = null
/** Port of the ONVIF service. */
let onvifPort = 0
/** A port at which nothing answers. */
let closedPort = 0
beforeAll(async () => {
  whole = await startAppWithEdge()
  ;[onvifPort, closedPort] = [await freePort(), await freePort()]
})
afterEach(async () => {
  if (camera) await admin().expect(204, 'DELETE', `/api/v1/cameras/${camera.id}`)
  camera = null
  await gravador?.close()
})
afterAll(() => whole?.stop())
const admin = () => whole.own.admin

interface Cause {
  readonly device: string
  readonly quirk?: RecorderFault
  readonly argumentos?: () => string[]
  /** Password with a percent sign, which a person types as it is. */
  readonly typed?: boolean
  /** Pictures of the channel by which the edge ends its own first session. */
  readonly pictures?: number
  /** Answer of `descobrir`: `nova`, or its sentence; absent: not a question of discovery. */
  readonly discovery?: string | (() => string)
  /** Last status of the camera: `online`, or its sentence; absent: no camera. */
  readonly status?: string
}

const works = { discovery: 'nova', status: 'online' }
const onvif = (...more: string[]) => ['--onvif', String(onvifPort), ...more]
const busy = cameraFailureText('equipamento_ocupado', 'respondeu 453 a DESCRIBE')

const causes: readonly Cause[] = [
  { device: 'offers only SHA-256', argumentos: () => ['--autenticacao', 'sha256'], ...works },
  { device: 'answers OPTIONS with 404', quirk: 'options_404', ...works },
  { device: 'answers OPTIONS with 405', quirk: 'options_405', ...works },
  { device: 'has Cseq 0 in every answer', quirk: 'cseq_zero', ...works },
  { device: 'has a percent sign in its password', typed: true, ...works },
  { device: 'offers only UDP', quirk: 'udp_so', ...works },
  {
    device: 'needs GET_PARAMETER, which it does not list',
    quirk: 'get_parameter_oculto',
    argumentos: () => ['--sessao-s', '4'],
    ...works,
  },
  {
    device: 'has a keyframe every two minutes',
    quirk: { defeito: 'grupo_longo', quadros: 1_200 },
    discovery: 'nova',
    status: cameraFailureText('aguardando_quadro_chave', keyframeWaitText(9_000)),
  },
  { device: 'sends packets over TCP out of order', quirk: 'fora_de_ordem', ...works },
  {
    device: 'ends the first session of the edge for its second one',
    quirk: 'uma_sessao_derruba',
    pictures: 8,
    status: fewConnectionsText(1) ?? '',
  },
  {
    device: 'has no free session',
    quirk: { defeito: 'ocupado_453', vezes: 99 },
    discovery: failureText.ocupado,
    status: busy,
  },
  {
    device: 'refuses the login',
    quirk: 'recusa_senha',
    discovery: failureText.senha_recusada,
    status: cameraFailureText('senha_recusada'),
  },
  { device: 'has only Media 2', argumentos: () => onvif('--onvif-media', '2'), discovery: 'nova' },
  {
    device: 'reports local time as UTC',
    argumentos: () => onvif('--onvif-hora-dita=-10800'),
    discovery: 'nova',
  },
  {
    device: 'is behind a router that maps the port',
    argumentos: () => onvif('--onvif-rtsp', String(closedPort)),
    discovery: () => portText(closedPort),
  },
  {
    device: 'accepts only the password itself',
    argumentos: () => onvif('--onvif-login', 'texto'),
    discovery: () => refusedByOnvif({ chamada: 'GetProfiles', porta: onvifPort, login: 'resumo_ws' }),
  },
]

it.each(causes)('a device that $device', async ({ quirk, argumentos, typed, pictures, discovery, status }) => {
  const args = argumentos?.() ?? []
  gravador = await startRecorder({
    ...(quirk !== undefined && { defeitos: { 1: quirk } }),
    ...(typed && { senha: '100%certo' }),
    argumentos: args,
  })
  const isOnvif = args.includes('--onvif')
  if (discovery !== undefined)
    expect(await discover(isOnvif)).toBe(typeof discovery === 'function' ? discovery() : discovery)
  if (status === undefined) return
  const rtsp_url = typed ? gravador.url(1, 'sub').replace('100%25certo', '100%certo') : gravador.url(1, 'sub')
  camera = await admin().expect<Camera>(201, 'POST', '/api/v1/cameras', {
    nome: 'Portão',
    rtsp_url,
    eventos_habilitados: [],
  })
  for (let taken = 0; taken < (pictures ?? 0) && (await sentence()) !== status; taken++) {
    await waitFor('the stream to be steady', isSteady)
    await takePicture()
  }
  await waitFor(status, async () => (await sentence()) === status, { everyMs: 500 })
  if (status === 'online') expect((await gravador.counts()).recusas).toBe(0)
})

it('a camera of MJPEG has no video, which its sentence says with the pictures in its place', () => {
  expect(streamEndText('fluxo_inexistente', null).detail).toMatch(
    /MJPEG.*não há vídeo nem HLS dele, e a página mostra quadros/,
  )
})

/** Longer than the edge takes a connection for a new one (`host-limits.ts`). */
const STEADY_MS = 7_000
const isSteady = () => Date.now() - (gravador.playStart(1, 'sub')?.time ?? Date.now()) > STEADY_MS

const seen = () => admin().expect<Camera>(200, 'GET', `/api/v1/cameras/${camera?.id}`)
/** `online` without a remark; else the sentence, with 9 for its seconds. */
const sentence = async () => {
  const { status, status_detalhe } = await seen()
  return status_detalhe?.replace(/\d+ s sem quadro-chave/, '9 s sem quadro-chave') ?? status
}

const access = (isOnvif = false) => ({
  host: '127.0.0.1',
  usuario: gravador.usuario,
  senha: gravador.senha,
  empresa_id: whole.own.empresaId,
  ...(isOnvif ? { fabricante: 'onvif', porta: onvifPort } : { fabricante: 'intelbras', porta: gravador.porta }),
})

async function discover(isOnvif: boolean): Promise<string | undefined> {
  const body = { ...access(isOnvif), num_canais: 1 }
  const answer = await admin().send<unknown>('POST', '/api/v1/gravadores/descobrir', body)
  if (answer.status === 200) return (answer.body as ResultadoCanal[])[0]?.estado
  const { detail } = answer.body as { detail: string | { msg: string }[] }
  return typeof detail === 'string' ? detail : detail[0]?.msg
}

/** Opens a further session at the device. */
const takePicture = () => admin().send('POST', '/api/v1/gravadores/imagem', { ...access(), canal: 1, lado: 160 })
