import { wantClipes } from '../../../db/clipes.ts'
import { moveCounts } from '../../../db/evento-counts.ts'
import { type AlertLine, applyVerdict, insertAlertas, lockIncidenteOf, replaceVerdict } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import { type ClasseVeredito, classOf } from '../../../db/verdict-class.ts'
import { type Claim, finishWork, giveBackWork } from '../../../db/work-queue/queue.ts'
import { enqueuePush, enqueueVerdict } from '../../mensagens/public.ts'
import { enqueueEvidencia } from './enqueue-evidencia.ts'
import { type DoubtfulEvento, hasOthers, lockEvento, replaceDoubtful } from './evidencia-verdict-store.ts'
import { hasEvidencia, type JudgedEvento, type NovoVeredito, setVerdict } from './store.ts'

/** Applies the first verdict of an event, in the caller's transaction. false: a verdict exists already. */
export async function saveVerdict(
  tx: Database,
  eventoId: number,
  veredito: NovoVeredito,
  detalhesJson: string,
  now: number,
): Promise<boolean> {
  const isConfirmed = veredito.decisao === 'confirmado'
  const incidente = await lockIncidenteOf(tx, eventoId)
  const evento = await setVerdict(tx, eventoId, veredito, detalhesJson, now)
  if (!evento) return false
  await recount(tx, evento, 'pendente')
  const line = incidente && (await applyVerdict(tx, incidente, veredito.decisao, now))
  await enqueueVerdict(tx, eventoId, now)
  if (isConfirmed) await enqueuePush(tx, eventoId, now)
  if (isConfirmed) await wantClipes(tx, [eventoId], 1, now)
  if (await hasEvidencia(tx, eventoId)) await enqueueEvidencia(tx, [evento], now)
  await announce(tx, { evento_id: eventoId, tipo: isConfirmed ? 'alerta' : 'evento' }, line, now)
  return true
}

/**
 * Ends the work on the later pictures of an event, and applies the verdict that they cause, in the caller's
 * transaction. Pictures that arrived meanwhile are work again. Returns false if the claim or the doubt about the event
 * has ended.
 * @param next null: the verdict stays
 */
export async function saveLaterVerdict(
  tx: Database,
  claim: Claim,
  { id, evidencias }: Pick<DoubtfulEvento, 'id' | 'evidencias'>,
  next: NovoVeredito | null,
  now: number,
): Promise<boolean> {
  const incidente = await lockIncidenteOf(tx, id)
  await lockEvento(tx, id)
  if (next === null && (await hasOthers(tx, id, evidencias))) {
    await giveBackWork(tx, claim)
    return false
  }
  if (!(await finishWork(tx, claim)) || next === null) return false
  const evento = await replaceDoubtful(tx, id, next, now)
  if (!evento) return false
  await recount(tx, evento, 'confirmado-baixa')
  const line = incidente && (await replaceVerdict(tx, incidente, next.decisao, now))
  await enqueueVerdict(tx, id, now)
  await announce(tx, { evento_id: id, tipo: 'evento' }, line, now)
  return true
}

const recount = (tx: Database, evento: JudgedEvento, before: ClasseVeredito): Promise<void> => {
  const { rotulo } = evento
  return moveCounts(tx, evento, { situacao: before, rotulo }, { situacao: classOf(evento), rotulo })
}

/** Adds the event to the alert log, and its incidente if that has changed. */
const announce = (
  tx: Database,
  evento: Pick<AlertLine, 'evento_id' | 'tipo'>,
  line: AlertLine | undefined,
  now: number,
): Promise<void> => insertAlertas(tx, [{ ...evento, incidente_id: null, criado_em: now }, ...(line ? [line] : [])])
