import type { Comando } from '@vigia/contracts/pedidos'
import { encodeRegistro, MIN_PARTE_BYTES, type ParteTransmissao } from '@vigia/contracts/transmissao'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { CONTROL_RATE } from '../../../http/control-frames.ts'
import type { Client } from '../../../test/clients/client.ts'
import { type LiveStage, startLiveStage } from '../../../test/clouds/live-stage.ts'
import { partNumber, type UploadingEdge, uploadFrom } from '../../../test/stand-ins/uploading-edge.ts'

type Order = Extract<Comando, { acao: 'transmitir' }>

const PARTS = 147_000
/** The client and the cloud share this thread. Before the rates the cloud alone took 30 s. */
const MOST_CPU_MS = 8_000

let stage: LiveStage
let uploads: UploadingEdge
/** Orders to the edge of the attacker. */
const orders: Order[] = []
const sockets: WebSocket[] = []

beforeAll(async () => {
  stage = await startLiveStage()
  uploads = uploadFrom(stage.edge, stage.app.url)
  stage.foreign.answer = async (comando) => {
    if (comando.acao === 'transmitir') orders.push(comando)
    return { ok: true, resultado: {} }
  }
  await stage.edge.report(stage.cameras.slice(0, 1))
  await stage.foreign.report([stage.foreignCamera])
}, 180_000)
afterAll(async () => {
  for (const socket of sockets) socket.terminate()
  uploads?.stop()
  await stage?.stop()
})

const socketAt = (path: string, token: string): WebSocket => {
  const headers = { authorization: `Bearer ${token}` }
  const socket = new WebSocket(stage.app.url.replace(/^http/, 'ws') + path, { headers, perMessageDeflate: false })
  socket.on('error', () => {})
  sockets.push(socket)
  return socket
}

/** A viewer, with the numbers of its parts. */
function view(by: Client, camera: number): number[] {
  const parts: number[] = []
  socketAt(`/api/v1/cameras/${camera}/transmissao`, by.token).on('message', (data: Buffer, isBinary) => {
    if (isBinary) parts.push(...[partNumber(data)].filter((number) => number !== null))
  })
  return parts
}

/** An upload of the attacker, with a viewer. `closed`: code and reason; a status is the code of a refusal. */
async function upload() {
  if (orders.length === 0) view(stage.other.usuario, stage.foreignCamera)
  const order = await waitFor('the order', () => orders.at(-1))
  const socket = socketAt(order.caminho, order.token)
  const closed = new Promise<{ readonly code: number; readonly reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve({ code: statusCode, reason: '' }))
  })
  const opened = new Promise<void>((resolve) => socket.once('open', resolve))
  await Promise.race([opened, closed])
  return { socket, closed }
}

const descricao = { codecs: 'avc1.4d401f', largura: 640, altura: 360, fps: 10, gop_ms: 2000 }
const chunk = (bytes: number) => Uint8Array.from(Buffer.from('\0\0\0\x08moof'.padEnd(bytes, '\0'), 'latin1'))
const inicio = encodeRegistro({
  ...({ tipo: 'inicio', descricao } as const),
  dados: Uint8Array.from(Buffer.from('\0\0\0\x08ftyp', 'latin1')),
})
const parte = (number: number, bytes = MIN_PARTE_BYTES): Uint8Array => {
  const times = { duracao: 90, instante: 1_800_000_000_000 + number }
  const part: ParteTransmissao = {
    tipo: 'parte',
    chave: number === 0,
    indice: number % 60_000,
    segmento: Math.floor(number / 60_000),
    ...times,
    dados: chunk(bytes),
  }
  return encodeRegistro({ ...part, chave: part.indice === 0 })
}

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

it('closes an upload with a part that is too small', async () => {
  const { socket, closed } = await upload()
  socket.send(inicio)
  socket.send(parte(0, 32))
  expect(await closed).toEqual({ code: 1008, reason: expect.stringContaining('inválida') })
})

it('closes an upload that pings without end', async () => {
  const { socket, closed } = await upload()
  for (let count = 0; count < 2 * CONTROL_RATE.burstRecords; count++) socket.ping()
  expect(await closed).toEqual({ code: 1008, reason: expect.stringContaining('rápidas demais') })
})

it('closes an upload of 147,000 small parts at line speed, while a neighbour goes on', async () => {
  const neighbour = view(stage.own.usuario, stage.cameras[0])
  await waitFor('the stream of the neighbour', () => neighbour.length > 0)
  const records = Array.from({ length: PARTS }, (_, number) => parte(number))
  const { socket, closed } = await upload()
  const begun = cpuMs()
  socket.send(inicio)
  for (const record of records) socket.send(record)
  expect(await closed).toEqual({ code: 1008, reason: expect.stringContaining('rápidas demais') })
  expect(cpuMs() - begun).toBeLessThan(MOST_CPU_MS)
  const before = neighbour.length
  await waitFor('further parts', () => neighbour.length > before + 5)
  expect(neighbour).toEqual(neighbour.map((_, at) => (neighbour[0] ?? 0) + at))
})

it('refuses connections of a stream above its rates, and accepts one when they have recovered', async () => {
  const codes: number[] = []
  while (!codes.includes(429)) {
    const { socket, closed } = await upload()
    socket.terminate()
    codes.push((await closed).code)
  }
  const open = await waitFor(
    'an accepted connection',
    async () => {
      const { socket } = await upload()
      return socket.readyState === WebSocket.OPEN
    },
    { everyMs: 200 },
  )
  expect(open).toBe(true)
})
