import { VigiaError } from '@vigia/contracts/errors'
import { MAX_REGISTRO_BYTES } from '@vigia/contracts/transmissao'
import { WebSocket } from 'ws'
import { keepAlive } from '../../../http/push-messages.ts'
import type { Intake } from '../../../http/receive-messages.ts'
import type { UploadMeter } from './upload-rates.ts'
import { createWaitingBytes } from './waiting-bytes.ts'

/** Marks an upload that another replica passes on. It is not passed on again, so that no loop can arise. */
export const RELAY_HEADER = 'x-vigia-repasse'

const CONNECT_MS = 5_000
const PING_MS = 5_000
/** Close code of an upload that has ended (receive-messages.ts). */
const ENDED = 4410
/** All uploads that this process passes on share it. */
const waiting = createWaitingBytes()

/**
 * Passes the records of an upload on to the replica that owns the stream. Resolves when that replica has accepted it.
 * @throws VigiaError `nao_autenticado`: the owner refuses the upload; `indisponivel`: the owner is not reachable
 */
export async function relayUpload(
  address: URL,
  headers: Readonly<Record<'authorization' | typeof RELAY_HEADER, string>>,
  { meter, gone }: { readonly meter: UploadMeter; readonly gone: AbortSignal },
): Promise<Intake> {
  const owner = new WebSocket(address, { headers, perMessageDeflate: false, handshakeTimeout: CONNECT_MS })
  const ended = new AbortController()
  const lost = new AbortController()
  const onGone = () => owner.terminate()
  gone.addEventListener('abort', onGone, { once: true })
  const opened = Promise.withResolvers<void>()
  owner.on('open', opened.resolve)
  owner.on('unexpected-response', (_request, { statusCode }) => {
    opened.reject(statusCode === 401 ? refused() : unreachable())
    owner.terminate()
  })
  // 'close' follows.
  owner.on('error', () => {})
  owner.on('close', (code) => {
    gone.removeEventListener('abort', onGone)
    waiting.release(owner)
    opened.reject(unreachable())
    const end = code === ENDED ? ended : lost
    end.abort()
  })
  await opened.promise
  keepAlive(owner, PING_MS)
  return {
    longestMessage: MAX_REGISTRO_BYTES,
    message(bytes) {
      if (!meter.take(bytes.length)) return 'excess'
      if (owner.readyState !== owner.OPEN) return null
      owner.send(bytes)
      if (!waiting.allows(owner, owner.bufferedAmount)) owner.terminate()
      return null
    },
    ended: ended.signal,
    lost: lost.signal,
    finished: () => owner.close(),
  }
}

const refused = () =>
  new VigiaError('nao_autenticado', { detalhe: 'Esta transmissão terminou. Espere a próxima ordem.' })

/** The edge connects again after a short pause. */
export const unreachable = () =>
  new VigiaError('indisponivel', { detalhe: 'O servidor que recebe este vídeo não respondeu.', tentarEmS: 1 })
