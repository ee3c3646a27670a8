import type { Decisao } from '@vigia/contracts/eventos'
import { type Autor, auditChange } from '../../../audit/audit-change.ts'
import { refreshAjuste } from '../../../db/ajustes.ts'
import { takeClipes, takeGravacoes, wantClipes } from '../../../db/clipes.ts'
import { moveCounts } from '../../../db/evento-counts.ts'
import { countReviews, insertAlertas, lockIncidente } from '../../../db/incidentes.ts'
import { type StoredMedia, uncountRecords } from '../../../db/media-bytes.ts'
import { listForDeletion, pathsOf, takeFiles } from '../../../db/midias-a-apagar.ts'
import type { Database } from '../../../db/open.ts'
import type { EventoRow } from '../../../db/rows.ts'
import { indexReview } from '../../../db/search-index.ts'
import { transact } from '../../../db/transaction.ts'
import { classOf } from '../../../db/verdict-class.ts'
import { viewReview } from './view-evento.ts'

interface Review {
  readonly rotulo: Decisao
  readonly revisor: string
  /** The reviewing login, for the audit log. */
  readonly autor: Autor
  /** Epoch ms. */
  readonly now: number
  /** Files listed and written for it, the crop first; empty: the event has no crop to move. */
  readonly novos: readonly StoredMedia[]
  /** The files that they replace. */
  readonly antigos: readonly string[]
}

/** `substitui`: an earlier review is replaced; `primeira`: it stays. */
type Modo = 'substitui' | 'primeira'

/**
 * Writes the label, its audit record, the new path of the crop, the counts, the incidente and the files to delete in
 * one transaction. Returns false if the crop has moved from the path of `row`, or `markFile` gave up `novos`. The
 * caller must then delete `novos`.
 */
export const saveReview = (db: Database, row: EventoRow, review: Review): Promise<boolean> =>
  transact(db, async (tx) => {
    const incidente = row.incidente_id === null ? undefined : await lockIncidente(tx, row.incidente_id)
    const written = await writeReview(tx, row, review, 'substitui')
    if (!written) return false
    if (incidente && written.antes === null) await insertAlertas(tx, [await countReviews(tx, incidente, 1, review.now)])
    return true
  })

/**
 * Part of `saveReview` in the caller's transaction, which has locked the incidente and counts a first review there.
 * @returns the label before; null: nothing was written, for the reasons of `saveReview` or an earlier review
 */
export async function writeReview(
  tx: Database,
  row: EventoRow,
  review: Review,
  modo: Modo,
): Promise<{ readonly antes: Decisao | null } | null> {
  const { rotulo, novos, antigos } = review
  if (novos.length > 0 && !(await takeFiles(tx, novos))) return null
  const found = await tx
    .updateTable('eventos')
    .set({ crop_path: novos[0]?.path ?? row.crop_path })
    .where('id', '=', row.id)
    .where('crop_path', row.crop_path === null ? 'is' : '=', row.crop_path)
    .$if(modo === 'primeira', (qb) => qb.where('revisao_rotulo', 'is', null))
    .returning(['veredito_decisao', 'veredito_certeza', 'revisao_rotulo', 'revisao_revisor', 'revisado_em'])
    .executeTakeFirst()
  await listForDeletion(tx, found ? antigos : pathsOf(novos))
  if (!found) return null
  const said = { revisao_rotulo: rotulo, revisao_revisor: review.revisor, revisado_em: review.now }
  const revisao_pessoa = isPerson(review.autor) ? 1 : 0
  await tx
    .updateTable('eventos')
    .set({ ...said, revisao_pessoa })
    .where('id', '=', row.id)
    .execute()
  await auditChange(tx, review.now, review.autor, {
    acao: 'revisar',
    objeto: 'evento',
    id: row.id,
    nome: `${row.tipo}, ${row.camera_nome}`,
    empresaId: row.empresa_id,
    antes: viewReview(found),
    depois: viewReview(said),
  })
  if (rotulo === 'confirmado') await wantClipes(tx, [row.id], 1, review.now)
  const situacao = classOf(found)
  await moveCounts(tx, row, { situacao, rotulo: found.revisao_rotulo }, { situacao, rotulo })
  // The answer that makes first reviews computes the bias and indexes the events itself, after all their counts.
  if (modo === 'substitui') {
    await refreshAjuste(tx, row.camera_id, row.tipo, review.now)
    await indexReview(tx, row, review.revisor)
  }
  return { antes: found.revisao_rotulo }
}

/** A login in the dashboard or by the API. A key or an agent may repeat the verification's own mistakes. */
const isPerson = ({ usuarioId, origem: { canal } }: Autor): boolean =>
  usuarioId !== null && (canal === 'painel' || canal === 'api')

/**
 * Deletes up to `limit` events of an Empresa with their further pictures. Lists their files for deletion in the same
 * transaction.
 */
export const takeEventos = (
  db: Database,
  empresaId: number,
  limit: number,
): Promise<{ readonly eventos: number; readonly files: string[] }> =>
  transact(db, async (tx) => {
    const chosen = tx.selectFrom('eventos').select('id').where('empresa_id', '=', empresaId).orderBy('id').limit(limit)
    const rows = await tx
      .deleteFrom('eventos')
      .where('id', 'in', (eb) => eb.selectFrom(chosen.as('c')).select('c.id'))
      .returning(['id', 'crop_path', 'quadro_path', 'linha_bytes'])
      .execute()
    uncountRecords(
      tx,
      rows.map(({ linha_bytes }) => ({ empresaId, bytes: linha_bytes })),
    )
    const files = rows.flatMap(({ crop_path, quadro_path }) => [
      // The picture of a passage is deleted with the passage.
      ...(crop_path === null || crop_path.startsWith('passagens/') ? [] : [crop_path]),
      // The line of training data lies beside a reviewed crop.
      ...(crop_path?.startsWith('dataset/') ? [crop_path.replace(/\.jpg$/, '.json')] : []),
      ...(quadro_path === null ? [] : [quadro_path]),
    ])
    // After the deletion of their events, which ingest locks while it adds pictures.
    files.push(...(await takeEvidencias(tx, rows)))
    files.push(
      ...(await takeClipes(
        tx,
        rows.map(({ id }) => id),
        null,
      )),
    )
    if (rows.length === 0) files.push(...(await takeGravacoes(tx, { empresaId }, null)))
    await listForDeletion(tx, files)
    return { eventos: rows.length, files }
  })

async function takeEvidencias(tx: Database, eventos: readonly { readonly id: number }[]): Promise<string[]> {
  if (eventos.length === 0) return []
  const ids = eventos.map(({ id }) => id)
  const rows = await tx.deleteFrom('evidencias').where('evento_id', 'in', ids).returning('caminho').execute()
  return rows.map(({ caminho }) => caminho)
}
