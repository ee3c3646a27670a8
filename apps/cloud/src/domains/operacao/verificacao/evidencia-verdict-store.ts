import { moveCounts } from '../../../db/evento-counts.ts'
import { type EvidenciaRow, findEvidencias } from '../../../db/evidencias.ts'
import { insertAlertas, lockIncidenteOf, replaceVerdict } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import { classOf } from '../../../db/verdict-class.ts'
import { type Claim, finishWork, giveBackWork } from '../../../db/work-queue/queue.ts'
import { enqueueVerdict } from '../../mensagens/public.ts'
import type { NovoVeredito } from './store.ts'

/** An event whose verdict later pictures may change, with these pictures; undefined: its verdict stays. */
export async function findDoubtful(db: Database, id: number) {
  const evento = await db
    .selectFrom('eventos')
    .select(['id', 'empresa_id', 'tipo', 'confianca', 'calibracao_json', 'instrucoes_json', 'detalhes_json'])
    .select(['veredito_decisao', 'veredito_certeza', 'veredito_confianca', 'veredito_ajuste'])
    .where('id', '=', id)
    .where('veredito_decisao', '=', 'confirmado')
    .where('veredito_certeza', '=', 'baixa')
    .executeTakeFirst()
  return evento && { ...evento, evidencias: await findEvidencias(db, id) }
}
export type DoubtfulEvento = NonNullable<Awaited<ReturnType<typeof findDoubtful>>>

/** Whether a first verdict could be given now instead. */
export async function isFirstVerdictReady(db: Database): Promise<boolean> {
  const found = await db
    .selectFrom('trabalhos')
    .select('id')
    .where('tipo', '=', 'verificacao')
    .where('estado', '=', 'pronto')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Ends the work on the later pictures of an event, and changes its verdict, counts, incidente and alert log together.
 * Pictures that arrived meanwhile are work again. Returns false if the claim or the doubt about the event has ended.
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
  await tx
    .updateTable('eventos')
    .set((eb) => ({ retroativo: eb.ref('retroativo') }))
    .where('id', '=', id)
    .execute()
  if (next === null && (await hasOthers(tx, id, evidencias))) {
    await giveBackWork(tx, claim)
    return false
  }
  if (!(await finishWork(tx, claim)) || next === null) return false
  const event = await tx
    .updateTable('eventos')
    .set({
      veredito_decisao: next.decisao,
      veredito_certeza: next.certeza,
      veredito_confianca: next.confianca,
      // The score of another picture: reviews of it do not count for the bias of the first verdicts.
      veredito_ajuste: null,
      veredito_motivo: next.motivo,
      veredito_fonte: next.fonte,
      verificado_em: now,
    })
    .where('id', '=', id)
    .where('veredito_decisao', '=', 'confirmado')
    .where('veredito_certeza', '=', 'baixa')
    .returning(['id', 'empresa_id', 'camera_id', 'tipo', 'gravidade', 'ocorrido_em', 'revisao_rotulo as rotulo'])
    .returning(['veredito_decisao', 'veredito_certeza'])
    .executeTakeFirst()
  if (!event) return false
  const { rotulo } = event
  await moveCounts(tx, event, { situacao: 'confirmado-baixa', rotulo }, { situacao: classOf(event), rotulo })
  const line = incidente && (await replaceVerdict(tx, incidente, next.decisao, now))
  await enqueueVerdict(tx, id, now)
  await insertAlertas(tx, [
    { evento_id: id, tipo: 'evento', incidente_id: null, criado_em: now },
    ...(line ? [line] : []),
  ])
  return true
}

async function hasOthers(tx: Database, id: number, seen: readonly EvidenciaRow[]): Promise<boolean> {
  const now = await findEvidencias(tx, id)
  return now.some(({ id: each }) => !seen.some((known) => known.id === each))
}
