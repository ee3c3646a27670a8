import type { Causa } from '@vigia/contracts/causa'
import { decodeRegistro, MAX_REGISTRO_BYTES, type RegistroTransmissao } from '@vigia/contracts/transmissao'
import { WebSocket } from 'ws'
import { limitControlFrames } from '../../../http/control-frames.ts'
import { mensagemDonoSchema } from './owner-feed.ts'
import type { StreamEnd } from './stream-state.ts'

/** A stream that this process reads from its owner. */
export interface OwnerReading {
  /** null: it runs. `perdida`: without a reason. */
  readonly end: StreamEnd | 'perdida' | null
  readonly causa: Causa | null
  close(): void
}

interface ReadOwnerOptions {
  readonly address: URL
  readonly token: string
  onPartMs(partMs: number): void
  /** false: the record exceeds the rates, and the reading ends. */
  onRecord(registro: RegistroTransmissao, bytes: number): boolean
  onEnd(): void
}

const CONNECT_MS = 5_000
/** The begin and the end of a stream (owner-feed.ts). */
export const MOST_TEXTS = 2

/** Address of a WebSocket of another replica. */
export function socketAddress(replicaUrl: string, path: string): URL {
  const address = new URL(path, replicaUrl)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  return address
}

/** Reads the records of a stream over one WebSocket, which answers the pings of the owner. */
export function readOwner({ address, token, onPartMs, onRecord, onEnd }: ReadOwnerOptions): OwnerReading {
  // A redirect is not followed, so that the token reaches no other host.
  const socket = new WebSocket(address, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    handshakeTimeout: CONNECT_MS,
    maxPayload: MAX_REGISTRO_BYTES,
    autoPong: false,
  })
  let texts = 0
  let reason: StreamEnd | null = null
  let causa: Causa | null = null
  let end: OwnerReading['end'] = null

  function readText(text: string): boolean {
    texts += 1
    if (texts > MOST_TEXTS) return false
    const message = mensagemDonoSchema.safeParse(parsed(text))
    if (!message.success) return false
    if (message.data.tipo === 'inicio') onPartMs(message.data.parte_ms)
    else {
      reason = message.data.falha
      causa = message.data.causa ?? null
    }
    return true
  }

  function readBytes(bytes: Uint8Array): boolean {
    const registro = decodeRegistro(bytes)
    return registro !== null && onRecord(registro, bytes.length)
  }

  limitControlFrames(socket, () => socket.terminate())
  socket.on('message', (data, isBinary) => {
    if (end !== null) return
    const isValid = Buffer.isBuffer(data) && (isBinary ? readBytes(data) : readText(data.toString()))
    if (!isValid) socket.terminate()
  })
  socket.on('unexpected-response', () => socket.terminate())
  // 'close' follows.
  socket.on('error', () => {})
  socket.on('close', () => {
    end = reason ?? 'perdida'
    onEnd()
  })
  return {
    get end() {
      return end
    },
    get causa() {
      return causa
    },
    // Without a closing handshake, because the owner may have died.
    close: () => socket.terminate(),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
