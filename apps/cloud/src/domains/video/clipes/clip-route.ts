import { situacaoClipeSchema } from '@vigia/contracts/eventos'
import { idLongoTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { auditOnce } from '../../../audit/audit-once.ts'
import { findClipeOf } from '../../../db/clipes.ts'
import { notFound } from '../../../http/caller.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { requireMaskedPicture } from '../../../scope/unmasked.ts'
import { requireEvento, requirePlateMedia } from '../../eventos/public.ts'
import { answerFile } from './answer-file.ts'
import type { CopyDeps } from './copias/copy-clips.ts'
import { requestCopy } from './copias/request-copy.ts'
import { lockEvento } from './store.ts'

interface ClipDeps extends Omit<CopyDeps, 'copier'> {
  readonly copier: Pick<CopyDeps['copier'], 'isReady'>
  /** Called when a copy was requested. */
  readonly wake: () => void
}

/** Seconds until the client asks again for a copy that is being made. */
const AGAIN_S = 2

/** The file of an event's clip, whole or in parts. */
export const clipRoute = (deps: ClipDeps): Route => {
  const { db, media, clock, log } = deps
  return defineRoute({
    method: 'get',
    path: '/api/v1/events/{event_id}/clip',
    operacao: 'verClipe',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Mostra o clipe de um evento (MP4), inteiro ou em partes',
    descricao:
      'Aceita `Range`, `If-Range` e HEAD. Sem clipe: 404; `clip_detalhe` do evento diz por quê. Quem abre fica na ' +
      'auditoria, uma vez em dez minutos. `formato=h264` dá uma cópia com até 640 pixels de largura, se o clipe for ' +
      'H.265. Enquanto ela é feita: 202 com `Retry-After`. Se não for possível: 409 com o motivo. ' +
      'Enquanto faltar no servidor o pacote de vídeo: 503, e a cópia espera por ele.',
    cabecalhos: ['ETag', 'Accept-Ranges', 'Content-Range', 'Retry-After'],
    erros: [409, 503],
    params: z.object({ event_id: idLongoTexto }),
    query: z.object({ formato: z.enum(['original', 'h264']).default('original') }),
    respostas: {
      200: { midia: 'video/mp4' },
      202: situacaoClipeSchema,
      206: { midia: 'video/mp4' },
      416: { midia: 'application/json' },
    },
    handler: async ({ caller, params: { event_id }, query: { formato }, request }) => {
      const evento = await requireEvento(db, caller, event_id)
      requirePlateMedia(caller, evento)
      await requireMaskedPicture(db, caller, evento.camera_id, evento)
      const clipe = (await findClipeOf(db, event_id))?.clipe
      const size = clipe?.estado === 'guardado' ? await media.size(clipe.caminho) : null
      if (!clipe || size === null) throw notFound('Este evento não tem clipe.')
      const isCopy = formato === 'h264' && clipe.codec === 'h265'
      const file = isCopy ? await requestCopy(deps, clipe) : { ...clipe, tamanho: size }
      if (file === null)
        return {
          status: 202,
          headers: { 'retry-after': String(AGAIN_S) },
          body: {
            clip_estado: 'guardado' as const,
            clip_detalhe: 'O servidor está fazendo uma cópia deste clipe em H.264.',
          },
        }
      if (request.method !== 'HEAD')
        await auditOnce({ db, clock }, caller, {
          ...({ acao: 'abrir_clipe', objeto: 'evento', id: event_id } as const),
          nome: evento.camera_nome,
          empresaId: evento.empresa_id,
          lock: (tx) => lockEvento(tx, event_id),
        })
      return answerFile({ media, log }, file, request)
    },
  })
}
