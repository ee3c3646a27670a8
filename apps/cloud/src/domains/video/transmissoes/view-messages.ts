import type { MensagemAoVivo, Prioridade } from '@vigia/contracts/ao-vivo'
import type { VigiaError } from '@vigia/contracts/errors'
import type { Fluxo } from '@vigia/contracts/transmissao'
import { cameraEnd, feedEndText, refusalEnd, streamEndText } from './end-text.ts'
import type { LiveStreams } from './live-streams.ts'
import { type RightsDeps, watchRights } from './rights.ts'
import { viewerFeed } from './viewer-feed.ts'

export interface ViewDeps extends RightsDeps {
  readonly streams: LiveStreams
}

export interface ViewedCamera {
  readonly id: number
  readonly edgeId: number
  readonly hasSub: boolean
  /** Its edge sends only a small copy, the same for both streams. */
  readonly isMasked: boolean
}

const NO_SUB = 'Esta câmera não tem fluxo secundário: este é o principal.'
const MASKED = 'Esta câmera tem máscara: o vídeo é uma cópia de no máximo 640 pixels.'
const NO_CONNECTION = 'O gravador está sem conexão livre para o fluxo principal: este é o secundário.'

const asText = (message: MensagemAoVivo): string => JSON.stringify(message)

/**
 * Messages of one viewer over a WebSocket. Without a free connection of the recorder, the viewer gets the sub stream.
 * Returns why they end.
 */
export async function* viewMessages(
  deps: ViewDeps,
  camera: ViewedCamera,
  asked: { readonly fluxo: Fluxo; readonly prioridade: Prioridade; readonly token: string },
  signal: AbortSignal,
): AsyncGenerator<string | Uint8Array, 'fim' | 'sessao' | 'saiu', void> {
  const leaving = new AbortController()
  const rights = watchRights(deps, asked.token, camera, AbortSignal.any([signal, leaving.signal]))
  let fluxo = streamOf(camera, asked.fluxo)
  let aviso = noticeOf(camera, asked.fluxo)
  try {
    for (;;) {
      yield asText({ tipo: 'fluxo', fluxo, aviso })
      const seat = deps.streams.watch(camera, fluxo, asked.prioridade)
      try {
        const over = AbortSignal.any([signal, rights, seat.ended])
        const end = yield* viewerFeed(seat.window, over, {}, () => seat.partMs)
        if (signal.aborted) return 'saiu'
        if (rights.aborted) {
          if (rights.reason === 'sessao') {
            yield asText({ tipo: 'fim', ...feedEndText('sessao') })
            return 'sessao'
          }
          yield asText({ tipo: 'fim', ...cameraEnd })
          return 'fim'
        }
        if (seat.end === 'sem_conexao_livre' && fluxo === 'principal' && camera.hasSub) {
          fluxo = 'secundario'
          aviso = NO_CONNECTION
          continue
        }
        yield asText({ tipo: 'fim', ...(end === 'saiu' ? streamEndText(seat.end, seat.causa) : feedEndText(end)) })
        return 'fim'
      } finally {
        seat.leave()
      }
    }
  } finally {
    leaving.abort()
  }
}

/** The only message of a view that was refused. */
export async function* refusalMessages(refusal: VigiaError): AsyncGenerator<string, 'fim', void> {
  yield asText({ tipo: 'fim', ...refusalEnd(refusal) })
  return 'fim'
}

/** All viewers of a masked camera share one copy. */
function streamOf({ hasSub, isMasked }: ViewedCamera, asked: Fluxo): Fluxo {
  if (!hasSub) return 'principal'
  return isMasked ? 'secundario' : asked
}

function noticeOf(camera: ViewedCamera, asked: Fluxo): string | null {
  if (camera.isMasked) return asked === 'principal' ? MASKED : null
  return streamOf(camera, asked) === asked ? null : NO_SUB
}
