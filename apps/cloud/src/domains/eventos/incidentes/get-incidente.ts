import { type IncidenteDetalhe, MAX_LISTA_INCIDENTE } from '@vigia/contracts/incidentes'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { incidenteFor, viewFor } from '../eventos/mask-plates.ts'
import { viewEvento } from '../eventos/view-evento.ts'
import { listAnswers, listEventsOf } from './answer-store.ts'
import { requireIncidente } from './require-incidente.ts'
import { viewIncidente } from './view-incidente.ts'

/** Returns an incidente with its events and all answers. */
export async function getIncidente(
  { db }: { readonly db: Database },
  caller: Caller,
  id: number,
): Promise<IncidenteDetalhe> {
  const row = await requireIncidente(db, caller, id)
  const events = await listEventsOf(db, id, MAX_LISTA_INCIDENTE)
  const answers = await listAnswers(db, id)
  return {
    ...incidenteFor(caller, viewIncidente(row)),
    lista: events.map((event) => viewFor(caller, viewEvento(event))),
    atendimentos: answers.map(({ resposta, nota, revisor, atendido_em }) => ({
      resposta,
      nota,
      revisor,
      atendido_em: new Date(atendido_em).toISOString(),
    })),
  }
}
