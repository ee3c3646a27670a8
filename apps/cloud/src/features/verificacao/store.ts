import type { Decisao } from '@vigia/contracts/eventos'
import type { Database } from '../../db/open.ts'
import { moveCounts } from '../eventos/count-store.ts'
import { enqueueConfirmed } from '../notificacoes/enqueue.ts'

/** So often a turn is that of the events that had waited on their box for the link, however many live ones there are. */
const RETROACTIVE_TURN = 8

/**
 * An event without a verdict whose time for a (next) try has come: the oldest of the live ones, else the oldest of those
 * that had waited on their box; every eighth turn the other way round, so that neither waits for ever.
 * @param turn counts the events that were looked at
 */
export async function nextPending(db: Database, agora: number, turn: number): Promise<PendingRow | undefined> {
  const first = turn % RETROACTIVE_TURN === RETROACTIVE_TURN - 1 ? 1 : 0
  return (await oldestPending(db, agora, first)) ?? (await oldestPending(db, agora, first === 1 ? 0 : 1))
}

const oldestPending = (db: Database, agora: number, retroativo: 0 | 1) =>
  db
    .selectFrom('eventos')
    .select([
      'id',
      'tipo',
      'crop_path',
      'quadro_path',
      'caixas_json',
      'calibracao_json',
      'instrucoes_json',
      'detalhes_json',
      'verificacao_tentativas',
    ])
    .where('veredito_decisao', 'is', null)
    .where('retroativo', '=', retroativo)
    .where('verificar_apos', '<=', agora)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

export type PendingRow = NonNullable<Awaited<ReturnType<typeof oldestPending>>>

/** Where the crop lies now: a review may move it while it is looked for. */
export async function cropPathNow(db: Database, eventoId: number): Promise<string | null> {
  const row = await db.selectFrom('eventos').select('crop_path').where('id', '=', eventoId).executeTakeFirst()
  return row?.crop_path ?? null
}

/** When the next try of a waiting event is due, epoch ms; null when none waits. */
export async function nextDue(db: Database): Promise<number | null> {
  const { due } = await db
    .selectFrom('eventos')
    .select((eb) => eb.fn.min('verificar_apos').as('due'))
    .where('veredito_decisao', 'is', null)
    .executeTakeFirstOrThrow()
  return due
}

/** One transaction: the verdict, the counts, and its line in the alert log. False when there is a verdict already. */
export const saveVerdict = (
  db: Database,
  eventoId: number,
  veredito: { decisao: Decisao; confianca: number; motivo: string; fonte: string },
  detalhesJson: string,
  agora: number,
): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const event = await tx
      .updateTable('eventos')
      .set({
        veredito_decisao: veredito.decisao,
        veredito_confianca: veredito.confianca,
        veredito_motivo: veredito.motivo,
        veredito_fonte: veredito.fonte,
        verificado_em: agora,
        detalhes_json: detalhesJson,
      })
      .where('id', '=', eventoId)
      .where('veredito_decisao', 'is', null)
      .returning(['id', 'empresa_id', 'camera_id', 'tipo', 'gravidade', 'ocorrido_em', 'revisao_rotulo as rotulo'])
      .executeTakeFirst()
    if (!event) return false
    const { rotulo } = event
    await moveCounts(tx, event, { situacao: 'pendente', rotulo }, { situacao: veredito.decisao, rotulo })
    const tipo = veredito.decisao === 'confirmado' ? 'alerta' : 'evento'
    await tx.insertInto('alertas').values({ evento_id: eventoId, tipo, criado_em: agora }).execute()
    if (veredito.decisao === 'confirmado') await enqueueConfirmed(tx, eventoId, agora)
    return true
  })

/** Puts the event off until `apos` and counts the attempt. */
export const postpone = (
  db: Database,
  eventoId: number,
  { tentativas, apos, detalhesJson }: { tentativas: number; apos: number; detalhesJson: string },
) =>
  db
    .updateTable('eventos')
    .set({ verificacao_tentativas: tentativas, verificar_apos: apos, detalhes_json: detalhesJson })
    .where('id', '=', eventoId)
    .execute()
