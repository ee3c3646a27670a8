import type { Comando } from '@vigia/contracts/pedidos'
import { encodeRegistro, type RegistroTransmissao } from '@vigia/contracts/transmissao'
import { WebSocket } from 'ws'
import type { StandInEdge } from './stand-in-edge.ts'

type StreamOrder = Extract<Comando, { acao: 'transmitir' }>

/** The streams of a simulated edge: it connects at each first order of an epoch, and sends until the order to stop. */
export interface UploadingEdge {
  readonly orders: readonly StreamOrder[]
  /** Open connections. */
  readonly open: number
  /** Connections opened so far, and the statuses of refused ones. */
  readonly opened: number
  readonly refused: readonly number[]
  /** Close codes of the cloud. */
  readonly closed: readonly number[]
  /** Connects again with the credential of the last order. */
  dial(order: StreamOrder): Promise<void>
  /** Ends all connections and the sending. */
  stop(): void
}

const box = (type: string, bytes: number): Uint8Array => {
  const content = Buffer.alloc(8 + bytes)
  content.writeUInt32BE(content.length, 0)
  content.write(type, 4, 'latin1')
  return content
}

/** Pictures per part, and parts per segment, of the simulated stream: parts of 100 ms. */
const PARTS = 8
const PART_MS = 100

/** Records of a stream from its beginning: the header, then parts that hold their number. */
function* records(partBytes: number): Generator<RegistroTransmissao, never> {
  const descricao = { codecs: 'avc1.4d401f', largura: 640, altura: 360, fps: 10, gop_ms: PARTS * PART_MS }
  yield { tipo: 'inicio', descricao, dados: box('ftyp', 16) }
  for (let number = 0; ; number++) {
    const dados = Buffer.from(box('moof', partBytes))
    dados.writeUInt32BE(number, 8)
    const [segmento, indice] = [Math.floor(number / PARTS), number % PARTS]
    const times = { duracao: PART_MS * 90, instante: Date.now() }
    yield { tipo: 'parte', chave: indice === 0, indice, segmento, ...times, dados }
  }
}

/** Number of a part of the simulated stream; null: its header. */
export const partNumber = (bytes: Buffer): number | null =>
  bytes.toString('latin1', 4, 8) === 'moof' ? bytes.readUInt32BE(8) : null

/** Lets the simulated edge obey orders about streams. */
export function uploadFrom(edge: StandInEdge, url: string, { partBytes = 128 } = {}): UploadingEdge {
  const orders: StreamOrder[] = []
  const sockets = new Map<string, WebSocket>()
  /** Epoch of each connection. */
  const epochs = new Map<string, number>()
  const refused: number[] = []
  const closed: number[] = []
  let opened = 0
  const keyOf = ({ camera_id, fluxo }: Pick<StreamOrder, 'camera_id' | 'fluxo'>) => `${camera_id}/${fluxo}`

  async function dial(order: StreamOrder): Promise<void> {
    const headers = { authorization: `Bearer ${order.token}` }
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${order.caminho}`, {
      headers,
      perMessageDeflate: false,
    })
    socket.on('unexpected-response', (_request, response) => {
      refused.push(response.statusCode ?? 0)
      response.resume()
      socket.terminate()
    })
    socket.on('error', () => {})
    socket.on('open', () => {
      opened++
      sockets.set(keyOf(order), socket)
      epochs.set(keyOf(order), order.epoca)
      const source = records(partBytes)
      const send = () => socket.send(encodeRegistro(source.next().value))
      for (let i = 0; i < 3; i++) send()
      const timer = setInterval(send, PART_MS)
      socket.once('close', () => clearInterval(timer))
    })
    socket.on('close', (code) => {
      closed.push(code)
      if (sockets.get(keyOf(order)) === socket) sockets.delete(keyOf(order))
    })
    await new Promise<void>((resolve) => {
      socket.once('open', resolve)
      socket.once('close', () => resolve())
    })
  }

  edge.answer = async (comando) => {
    if (comando.acao === 'transmitir') {
      orders.push(comando)
      const open = sockets.get(keyOf(comando))
      const isNewer = comando.epoca > (epochs.get(keyOf(comando)) ?? 0)
      // As the program does: an order of a newer epoch ends the upload of the former one.
      if (isNewer) open?.close()
      if (!open || isNewer) await dial(comando)
    }
    if (comando.acao === 'parar_transmissao') sockets.get(keyOf(comando))?.close()
    return { ok: true, resultado: {} }
  }
  return {
    orders,
    refused,
    closed,
    get open() {
      return sockets.size
    },
    get opened() {
      return opened
    },
    dial,
    stop() {
      for (const socket of sockets.values()) socket.terminate()
    },
  }
}
