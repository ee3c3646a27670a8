import { VigiaError } from '@vigia/contracts/errors'
import type { EventoDetalhe, RevisaoCreate } from '@vigia/contracts/eventos'
import type { Clock } from '../../../adapters/clock.ts'
import { pathsOf } from '../../../db/midias-a-apagar.ts'
import type { EventoRow } from '../../../db/rows.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { type DiscardDeps, discardFiles } from './discard-files.ts'
import { getEvent } from './get-evento.ts'
import { requireEvento } from './require-evento.ts'
import { saveReview } from './review-store.ts'
import { stageFiles } from './stage-files.ts'

export interface ReviewDeps extends DiscardDeps {
  readonly clock: Clock
}

/** Maximum attempts against concurrent reviews of the same event. */
const ATTEMPTS = 5

/**
 * Records the review of an event; the last one counts, and the verdict stays. The crop moves to `dataset/<rotulo>/`
 * with a separate JSON line file. Two replicas therefore never write one file, and a later review moves both. Each
 * review writes files with unique names, and its transaction assigns them to the event. A crash on either side leaves
 * the old or the new files listed for deletion (`sweepFiles`).
 * @throws VigiaError `proibido`, `nao_encontrado`; `conflito` after too many concurrent reviews.
 */
export async function reviewEvent(
  deps: ReviewDeps,
  caller: Caller,
  id: number,
  revisao: RevisaoCreate,
): Promise<EventoDetalhe> {
  requireWrite(caller)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const row = await requireEvento(deps.db, caller, id)
    if (await record(deps, caller, row, revisao)) return getEvent(deps, caller, id)
  }
  throw new VigiaError('conflito', { detalhe: 'Outra pessoa está revisando este evento. Tente outra vez.' })
}

async function record(deps: ReviewDeps, autor: Caller, row: EventoRow, revisao: RevisaoCreate): Promise<boolean> {
  const review = { rotulo: revisao.rotulo_humano, revisor: revisao.revisor, now: deps.clock.now(), autor }
  const files = await stageFiles(deps, row, review)
  let saved = false
  try {
    saved = await saveReview(deps.db, row, { ...review, ...files })
    return saved
  } finally {
    await discardFiles(deps, saved ? files.antigos : pathsOf(files.novos))
  }
}
