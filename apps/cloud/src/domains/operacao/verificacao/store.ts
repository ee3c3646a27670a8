import type { Certeza, Decisao } from '@vigia/contracts/eventos'
import type { Selection } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'

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

/** Writes the first verdict of an event and returns the event. undefined: a verdict exists already. */
export const setVerdict = (
  tx: Database,
  eventoId: number,
  veredito: NovoVeredito,
  detalhesJson: string,
  now: number,
): Promise<JudgedEvento | undefined> =>
  tx
    .updateTable('eventos')
    .set({ ...verdictColumns(veredito, now), veredito_ajuste: veredito.ajuste ?? null, detalhes_json: detalhesJson })
    .where('id', '=', eventoId)
    .where('veredito_decisao', 'is', null)
    .returning(judgedColumns)
    .executeTakeFirst()

/** Columns of a verdict, without `veredito_ajuste`. */
export const verdictColumns = ({ decisao, certeza, confianca, motivo, fonte }: NovoVeredito, now: number) => ({
  veredito_decisao: decisao,
  veredito_certeza: certeza,
  veredito_confianca: confianca,
  veredito_motivo: motivo,
  veredito_fonte: fonte,
  verificado_em: now,
})

/** Columns of an event that the effects of its verdict need. */
export const judgedColumns = [
  ...(['id', 'empresa_id', 'camera_id', 'tipo', 'gravidade', 'ocorrido_em', 'revisao_rotulo as rotulo'] as const),
  ...(['veredito_decisao', 'veredito_certeza'] as const),
] as const
export type JudgedEvento = Selection<Tables, 'eventos', (typeof judgedColumns)[number]>

export async function hasEvidencia(tx: Database, eventoId: number): Promise<boolean> {
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
