import type { Certeza, Decisao } from '@vigia/contracts/eventos'
import { wantClipes } from '../../../db/clipes.ts'
import { moveCounts } from '../../../db/evento-counts.ts'
import { applyVerdict, insertAlertas, lockIncidenteOf } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import { classOf } from '../../../db/verdict-class.ts'
import { enqueuePush, enqueueVerdict } from '../../mensagens/public.ts'
import { enqueueEvidencia } from './enqueue-evidencia.ts'

/** An event without a verdict. */
export const findUnverified = (db: Database, id: number) =>
  db
    .selectFrom('eventos')
    .select([
      'id',
      'empresa_id',
      'camera_id',
      'ocorrido_em',
      'recebido_em',
      'tipo',
      'crop_path',
      'quadro_path',
      'caixas_json',
      'calibracao_json',
      'instrucoes_json',
      'detalhes_json',
    ])
    .where('id', '=', id)
    .where('veredito_decisao', 'is', null)
    .executeTakeFirst()

export type PendingRow = NonNullable<Awaited<ReturnType<typeof findUnverified>>>

/** Current path of the crop, which a review may move at any time. */
export async function cropPathNow(db: Database, eventoId: number): Promise<string | null> {
  const row = await db.selectFrom('eventos').select('crop_path').where('id', '=', eventoId).executeTakeFirst()
  return row?.crop_path ?? null
}

/** A verdict to store. */
export interface NovoVeredito {
  readonly decisao: Decisao
  readonly certeza: Certeza
  readonly confianca: number
  /** In logits, as part of `confianca`; absent: the verdict has no score. */
  readonly ajuste?: number | undefined
  readonly motivo: string
  readonly fonte: string
}

/**
 * Stores the verdict, updates the incidente and the counts and adds rows to `alertas`, in the caller's transaction.
 * false: a verdict exists already.
 */
export async function saveVerdict(
  tx: Database,
  eventoId: number,
  veredito: NovoVeredito,
  detalhesJson: string,
  now: number,
): Promise<boolean> {
  const incidente = await lockIncidenteOf(tx, eventoId)
  const event = await tx
    .updateTable('eventos')
    .set({
      veredito_decisao: veredito.decisao,
      veredito_certeza: veredito.certeza,
      veredito_confianca: veredito.confianca,
      veredito_ajuste: veredito.ajuste ?? null,
      veredito_motivo: veredito.motivo,
      veredito_fonte: veredito.fonte,
      verificado_em: now,
      detalhes_json: detalhesJson,
    })
    .where('id', '=', eventoId)
    .where('veredito_decisao', 'is', null)
    .returning(['id', 'empresa_id', 'camera_id', 'tipo', 'gravidade', 'ocorrido_em', 'revisao_rotulo as rotulo'])
    .returning(['veredito_decisao', 'veredito_certeza'])
    .executeTakeFirst()
  if (!event) return false
  const { rotulo } = event
  await moveCounts(tx, event, { situacao: 'pendente', rotulo }, { situacao: classOf(event), rotulo })
  const line = incidente && (await applyVerdict(tx, incidente, veredito.decisao, now))
  await enqueueVerdict(tx, eventoId, now)
  if (veredito.decisao === 'confirmado') {
    await enqueuePush(tx, eventoId, now)
    await wantClipes(tx, [eventoId], 1, now)
  }
  if (await hasEvidencia(tx, eventoId)) await enqueueEvidencia(tx, [event], now)
  const tipo = veredito.decisao === 'confirmado' ? 'alerta' : 'evento'
  await insertAlertas(tx, [{ evento_id: eventoId, tipo, incidente_id: null, criado_em: now }, ...(line ? [line] : [])])
  return true
}

async function hasEvidencia(tx: Database, eventoId: number): Promise<boolean> {
  const found = await tx.selectFrom('evidencias').select('id').where('evento_id', '=', eventoId).limit(1).execute()
  return found.length > 0
}

/** Updates the details of an event without a verdict. */
export async function saveDetails(tx: Database, eventoId: number, detalhesJson: string): Promise<void> {
  await tx
    .updateTable('eventos')
    .set({ detalhes_json: detalhesJson })
    .where('id', '=', eventoId)
    .where('veredito_decisao', 'is', null)
    .execute()
}
