import { VigiaError } from '@vigia/contracts/errors'
import type { SituacaoClipe } from '@vigia/contracts/eventos'
import { situacaoClipeSchema } from '@vigia/contracts/eventos'
import { idLongoTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import type { Clock } from '../../../adapters/clock.ts'
import { auditChange } from '../../../audit/audit-change.ts'
import { announcesClipes, findClipeOf, wantClipes } from '../../../db/clipes.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import type { Caller } from '../../../http/caller.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { requireMaskedPicture } from '../../../scope/unmasked.ts'
import { clipeState, clipeText, requireEvento, requirePlateMedia } from '../../eventos/public.ts'
import { lockEvento } from './store.ts'

interface FetchDeps {
  readonly db: Database
  readonly clock: Clock
}

/**
 * Requests the upload of a clip that only the edge holds. A clip that is stored or under way is left as it is.
 * @throws VigiaError `nao_encontrado`; `proibido` (a plate that the login may not see); `conflito` with the reason if
 * there is no clip to upload
 */
function fetchClipe({ db, clock }: FetchDeps, caller: Caller, id: number): Promise<SituacaoClipe> {
  return transact(db, async (tx) => {
    await lockEvento(tx, id)
    const evento = await requireEvento(tx, caller, id)
    requirePlateMedia(caller, evento)
    await requireMaskedPicture(tx, caller, evento.camera_id, evento)
    const before = await findClipeOf(tx, id)
    const announces = before !== undefined || (await announcesClipes(tx, evento, clock.now()))
    const clip_detalhe = clipeText(evento, before, { announces })
    if (!before?.clipe || before.clipe.estado === 'perdido')
      throw new VigiaError('conflito', { detalhe: clip_detalhe ?? '' })
    const now = clock.now()
    if (before.clipe.estado !== 'guardado' && before.clipe.desejado < 2) {
      await wantClipes(tx, [id], 2, now)
      await auditChange(tx, now, caller, {
        acao: 'buscar_clipe',
        objeto: 'evento',
        id,
        nome: evento.camera_nome,
        empresaId: evento.empresa_id,
        antes: null,
        depois: null,
      })
    }
    const after = await findClipeOf(tx, id)
    return { clip_estado: clipeState(evento, after), clip_detalhe: clipeText(evento, after) }
  })
}

export const fetchClipeRoute = (deps: FetchDeps): Route =>
  defineRoute({
    method: 'post',
    path: '/api/v1/events/{event_id}/clip',
    operacao: 'buscarClipe',
    acesso: 'sessao',
    efeito: null,
    erros: [409],
    resumo: 'Manda a caixa enviar o clipe de um evento, também de um descartado',
    descricao: 'A caixa guarda o clipe de um evento descartado por até 48 horas. Sem clipe: 409 com o motivo.',
    params: z.object({ event_id: idLongoTexto }),
    respostas: { 202: situacaoClipeSchema },
    handler: async ({ caller, params: { event_id } }) => ({
      status: 202,
      body: await fetchClipe(deps, caller, event_id),
    }),
  })
