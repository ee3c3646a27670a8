import { idLongoTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import { findClipeOf } from '../../../db/clipes.ts'
import type { Database } from '../../../db/open.ts'
import { notFound } from '../../../http/caller.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { requireMaskedPicture } from '../../../scope/unmasked.ts'
import { requireEvento, requirePlateMedia } from '../../eventos/public.ts'

/** The preview strip of an event's clip. It arrives with the announcement of the clip, before its file. */
export const stripRoute = ({ db, media }: { readonly db: Database; readonly media: MediaStore }): Route =>
  defineRoute({
    method: 'get',
    path: '/api/v1/events/{event_id}/strip',
    operacao: 'verTiraDoClipe',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Mostra a tira de prévia do clipe de um evento: até sete imagens lado a lado, em ordem',
    params: z.object({ event_id: idLongoTexto }),
    respostas: { 200: { midia: 'image/jpeg' } },
    handler: async ({ caller, params: { event_id } }) => {
      const evento = await requireEvento(db, caller, event_id)
      requirePlateMedia(caller, evento)
      await requireMaskedPicture(db, caller, evento.camera_id, evento)
      const tira = (await findClipeOf(db, event_id))?.clipe?.tira ?? null
      const bytes = tira === null ? null : await media.read(tira)
      if (!bytes) throw notFound('Este evento não tem tira de prévia.')
      const headers = { 'content-type': 'image/jpeg', 'cache-control': 'private, max-age=3600' }
      return new Response(new Uint8Array(bytes), { headers: { ...headers, vary: 'Authorization, Cookie' } })
    },
  })
