import { VigiaError } from '@vigia/contracts/errors'
import type { Decisao } from '@vigia/contracts/eventos'
import type { AtendimentoCreate, Incidente, RespostaIncidente } from '@vigia/contracts/incidentes'
import type { Bus } from '../../../adapters/bus.ts'
import { auditIncidente } from '../../../audit/audit-incidente.ts'
import { changeIncidente, insertAlertas, lockIncidente } from '../../../db/incidentes.ts'
import { indexAnswer } from '../../../db/search-index.ts'
import { type Caller, callerName, requireWork } from '../../../http/caller.ts'
import { withFirstReviews } from '../eventos/first-reviews.ts'
import { incidenteFor } from '../eventos/mask-plates.ts'
import type { ReviewDeps } from '../eventos/review-evento.ts'
import { insertAnswer, listUnreviewed } from './answer-store.ts'
import { requireIncidente } from './require-incidente.ts'
import { viewIncidente } from './view-incidente.ts'

export interface AnswerDeps extends ReviewDeps {
  readonly bus: Bus
}

/** Attempts while the cover of the incidente changes. */
const ATTEMPTS = 5

/** Label of the review that an answer of an administrador records; null: none. */
const rotulos: Readonly<Record<RespostaIncidente, Decisao | null>> = {
  verdadeiro: 'confirmado',
  falso: 'refutado',
  nao_sei: null,
}

/**
 * Records an answer; the last one counts, and all are kept. An answer of an administrador is also the review of the
 * events of the cover's type that have none.
 * @throws VigiaError `proibido`, `nao_encontrado`; `conflito` while the cover keeps changing
 */
export async function answerIncidente(
  deps: AnswerDeps,
  caller: Caller,
  id: number,
  { resposta, nota = null }: AtendimentoCreate,
): Promise<Incidente> {
  requireWork(caller)
  const { db, clock, bus } = deps
  const rotulo = caller.papel === 'administrador' ? rotulos[resposta] : null
  const revisor = callerName(caller)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const seen = await requireIncidente(db, caller, id)
    const reviews = rotulo && { rows: await listUnreviewed(db, seen), rotulo, revisor, autor: caller }
    const recorded = await withFirstReviews(deps, reviews, async (tx, saveReviews) => {
      const before = await lockIncidente(tx, id)
      // Another cover may have another type, whose events are then the ones to review.
      if (!before || before.capa_evento_id !== seen.capa_evento_id) return false
      const now = clock.now()
      const revisados = before.revisados + (await saveReviews())
      const answer = { resposta, nota, atendido_em: now }
      await insertAnswer(tx, { ...answer, incidente_id: id, revisor, usuario_id: caller.usuarioId })
      const last = { ...answer, atendido_por: revisor, atendido_usuario_id: caller.usuarioId }
      await auditIncidente(tx, now, caller, { acao: 'atender', antes: before, depois: { ...before, ...last } })
      const line = await changeIncidente(tx, before, { ...last, revisados }, now)
      await indexAnswer(tx, before, { revisor, nota })
      await insertAlertas(tx, [line])
      return true
    })
    if (!recorded) continue
    bus.publish({ tipo: 'alertas' })
    return incidenteFor(caller, viewIncidente(await requireIncidente(db, caller, id)))
  }
  throw new VigiaError('conflito', { detalhe: 'Este incidente está mudando agora. Responda outra vez.' })
}
