import { fileURLToPath } from 'node:url'
import { type MensagemAoVivo, mensagemAoVivoSchema } from '@vigia/contracts/ao-vivo'
import type { Camera } from '@vigia/contracts/cameras'
import type { ResultadoCadastro } from '@vigia/contracts/gravadores'
import { fixture } from '@vigia/testing/fixture'
import { freePort } from '@vigia/testing/free-port'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startAppWithEdge } from '../../../test/clouds/app-with-edge.ts'

/** Live video of ONVIF cameras with groups of 120 s, joined in the middle; all programs are real. */
let gravador: RecorderProcess
const sockets: WebSocket[] = []

const footage = (name: string) =>
  fileURLToPath(new URL(`../../../../../dvr-simulator/footage/campus-${name}.mp4`, import.meta.url))

const whole = fixture(startAppWithEdge)
afterAll(async () => {
  for (const socket of sockets) socket.terminate()
  await gravador?.close()
})

const admin = () => whole.own.admin
const online = (id: number) =>
  waitFor(`camera ${id}`, async () => {
    const camera = await admin().expect<Camera>(200, 'GET', `/api/v1/cameras/${id}`)
    return camera.status === 'online'
  })

function watch(id: number) {
  const headers = { authorization: `Bearer ${whole.own.usuario.token}` }
  const url = `${whole.app.url.replace('http', 'ws')}/api/v1/cameras/${id}/transmissao?fluxo=principal`
  const socket = new WebSocket(url, { headers })
  sockets.push(socket)
  const messages: (MensagemAoVivo | 'bytes')[] = []
  socket.on('message', (data: Buffer, isBinary) =>
    messages.push(isBinary ? 'bytes' : mensagemAoVivoSchema.parse(JSON.parse(String(data)))),
  )
  return messages
}
/** Resolves when a viewer has the header and the first part behind it. */
const firstPart = (messages: ReturnType<typeof watch>) =>
  waitFor('the first part', () => messages.filter((one) => one === 'bytes').length >= 2)

it('shows pictures before the next keyframe of the group, which the device sends on request', async () => {
  const porta = await freePort()
  const longGroup = (defeito: string) => ({ defeito, quadros: 1_200 })
  gravador = await startRecorder({
    canais: [footage('b-sub'), `${footage('a-principal')},${footage('a-sub')}`],
    argumentos: ['--onvif', String(porta)],
    defeitos: { 1: longGroup('grupo_longo'), 2: longGroup('grupo_longo_principal') },
  })
  const { usuario, senha } = gravador
  const device = { fabricante: 'onvif', host: '127.0.0.1', porta, usuario, senha, num_canais: 2, canais: [1, 2] }
  const body = { ...device, empresa_id: whole.own.empresaId }
  const made = await admin().expect<ResultadoCadastro>(201, 'POST', '/api/v1/gravadores/cadastrar', body)
  const [alone = 0, second = 0] = made.cameras.map(({ id }) => id)
  // The sub stream is an ordinary one; the main stream is opened in the middle of its group.
  await online(second)
  const waiting = watch(second)
  // The first picture of the other camera needs a keyframe too.
  await online(alone)
  const viewers = [waiting, watch(alone)]
  for (const viewer of viewers) await firstPart(viewer)
  expect(viewers.map(([first]) => first)).toMatchObject(Array(2).fill({ tipo: 'fluxo', fluxo: 'principal' }))
  const { sincronias, quadros_chave, onvif_logins_recusados } = await gravador.counts()
  expect(new Set(sincronias)).toEqual(new Set(['1_principal', '2_principal']))
  expect(quadros_chave.map(({ principal }) => principal)).toEqual([0, 0])
  expect(onvif_logins_recusados).toBe(0)
})
