import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { Camera } from '@vigia/contracts/cameras'
import type { Comando } from '@vigia/contracts/pedidos'
import { encodeRegistro, MIN_PARTE_BYTES } from '@vigia/contracts/transmissao'
import { WebSocket } from 'ws'
import { clientOf } from '../../../src/test/clients/client.ts'
import { startStandInEdge } from '../../../src/test/stand-ins/stand-in-edge.ts'
import type { Attack } from '../attack.ts'

type Order = Extract<Comando, { acao: 'transmitir' }>

const STREAMS = 8
const PARTS_PER_SEGMENT = 1_000
const REPORT_EVERY_MS = 5_000
const MOST_BUFFERED = 4 * 1024 * 1024
const AGAIN_MS = 100

const descricao = { codecs: 'avc1.4d401f', largura: 640, altura: 360, fps: 25, gop_ms: 40 }
const box = (type: string, bytes: number) =>
  Uint8Array.from(Buffer.from(`\0\0\0\x08${type}`.padEnd(bytes, '\0'), 'latin1'))
const header = encodeRegistro({ tipo: 'inicio', descricao, dados: box('ftyp', 24) })
const dados = box('moof', MIN_PARTE_BYTES)

function part(number: number): Uint8Array {
  const [segmento, indice] = [Math.floor(number / PARTS_PER_SEGMENT), number % PARTS_PER_SEGMENT]
  return encodeRegistro({
    ...({ tipo: 'parte', chave: indice === 0, indice, segmento } as const),
    duracao: 90,
    instante: Date.now(),
    dados,
  })
}

interface FloodedStream {
  readonly url: string
  readonly token: string
  readonly camera: number
  /** The newest order to the edge; undefined: none yet. */
  order(): Order | undefined
}

/** One stream with a viewer. Its edge sends the smallest parts as fast as the line takes them, and connects again. */
async function floodStream({ url, token, camera, order }: FloodedStream, signal: AbortSignal): Promise<void> {
  const address = url.replace(/^http/, 'ws')
  const open = (path: string, bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}` }
    const socket = new WebSocket(address + path, { headers, perMessageDeflate: false })
    socket.on('error', () => {})
    signal.addEventListener('abort', () => socket.terminate(), { once: true })
    return socket
  }
  async function watch() {
    while (!signal.aborted) {
      const socket = open(`/api/v1/cameras/${camera}/transmissao`, token)
      await new Promise<void>((resolve) => socket.once('close', () => resolve()))
      await delay(AGAIN_MS)
    }
  }
  async function upload() {
    while (!signal.aborted) {
      const given = order()
      if (given) await sendAll(open(given.caminho, given.token))
      await delay(AGAIN_MS)
    }
  }
  await Promise.all([watch(), upload()])
}

/** Sends parts until the cloud closes the connection. */
async function sendAll(socket: WebSocket): Promise<void> {
  socket.once('open', () => socket.send(header))
  let number = 0
  while (socket.readyState <= WebSocket.OPEN) {
    if (socket.readyState === WebSocket.OPEN && socket.bufferedAmount < MOST_BUFFERED) socket.send(part(number++))
    else await setImmediate()
  }
  socket.terminate()
}

/** An edge of its own Empresa sends live video at line speed, while its viewers watch. */
export const liveFlood: Attack = {
  name: `live at line speed, ${STREAMS} streams`,
  async start({ url, token }) {
    const admin = clientOf(url, token)
    const edge = await startStandInEdge(admin, url)
    const orders = new Map<number, Order>()
    edge.answer = async (comando) => {
      if (comando.acao === 'transmitir') orders.set(comando.camera_id, comando)
      return { ok: true, resultado: {} }
    }
    const cameras: number[] = []
    while (cameras.length < STREAMS) {
      const camera = { nome: `Inundada ${cameras.length}`, rtsp_url: 'rtsp://127.0.0.1:9/1', edge_id: edge.id }
      cameras.push((await admin.expect<Camera>(201, 'POST', '/api/v1/cameras', camera)).id)
    }
    await edge.report(cameras)
    const report = setInterval(() => void edge.report(cameras).catch(() => {}), REPORT_EVERY_MS)
    const ending = new AbortController()
    const flooding = cameras.map((camera) =>
      floodStream({ url, token, camera, order: () => orders.get(camera) }, ending.signal),
    )
    return {
      async stop() {
        clearInterval(report)
        ending.abort()
        await Promise.all(flooding)
        await edge.stop()
      },
    }
  },
}
