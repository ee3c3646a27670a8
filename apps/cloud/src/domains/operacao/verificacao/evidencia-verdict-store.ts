import { type EvidenciaRow, findEvidencias } from '../../../db/evidencias.ts'
import type { Database } from '../../../db/open.ts'
import { type JudgedEvento, judgedColumns, type NovoVeredito, verdictColumns } from './store.ts'

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

/** Locks the event until the transaction ends. */
export const lockEvento = async (tx: Database, id: number): Promise<void> => {
  await tx
    .updateTable('eventos')
    .set((eb) => ({ retroativo: eb.ref('retroativo') }))
    .where('id', '=', id)
    .execute()
}

/** Replaces a doubtful verdict and returns the event. undefined: the verdict is not doubtful any more. */
export const replaceDoubtful = (
  tx: Database,
  id: number,
  veredito: NovoVeredito,
  now: number,
): Promise<JudgedEvento | undefined> =>
  tx
    .updateTable('eventos')
    // The score of another picture: reviews of it do not count for the bias of the first verdicts.
    .set({ ...verdictColumns(veredito, now), veredito_ajuste: null })
    .where('id', '=', id)
    .where('veredito_decisao', '=', 'confirmado')
    .where('veredito_certeza', '=', 'baixa')
    .returning(judgedColumns)
    .executeTakeFirst()

/** Whether an event has other later pictures than these. */
export async function hasOthers(tx: Database, id: number, seen: readonly EvidenciaRow[]): Promise<boolean> {
  const now = await findEvidencias(tx, id)
  return now.some(({ id: each }) => !seen.some((known) => known.id === each))
}
