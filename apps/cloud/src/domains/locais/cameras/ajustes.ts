import type { Ajuste } from '@vigia/contracts/ajustes'
import { type NomeIa, nomesIas } from '@vigia/contracts/ias'
import { MIN_REVIEWS } from '@vigia/ias/review-bias'
import type { Clock } from '../../../adapters/clock.ts'
import { auditChange } from '../../../audit/audit-change.ts'
import { type AjusteRow, listAjustes, resetAjuste } from '../../../db/ajustes.ts'
import { lockCamera } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireWrite } from '../../../http/caller.ts'
import { requireCamera } from './require-camera.ts'

interface AjusteDeps {
  readonly db: Database
  readonly clock: Clock
}

/** The IAs of the camera with reviews, and what they change. @throws VigiaError `nao_encontrado` */
export async function listVisibleAjustes({ db }: AjusteDeps, caller: Caller, id: number): Promise<Ajuste[]> {
  await requireCamera(db, caller, id)
  const rows = await listAjustes(db, id)
  return rows.flatMap((row) => {
    const ia = nomesIas.find((one) => one === row.ia)
    return ia ? [view(row, ia)] : []
  })
}

/**
 * Sets the bias to 0; only later reviews count from now on. Audited as a change of the camera.
 * @throws VigiaError `proibido`, `nao_encontrado`
 */
export async function resetVisibleAjuste(
  { db, clock }: AjusteDeps,
  caller: Caller,
  id: number,
  name: string,
): Promise<void> {
  requireWrite(caller)
  await requireCamera(db, caller, id)
  const ia = nomesIas.find((one) => one === name)
  if (!ia) throw notFound('IA não encontrada.')
  await transact(db, async (tx) => {
    await lockCamera(tx, id)
    const camera = await requireCamera(tx, caller, id)
    const now = clock.now()
    const { ajuste, revisoes } = await resetAjuste(tx, id, ia, now)
    await auditChange(tx, now, caller, {
      acao: 'alterar',
      objeto: 'camera',
      id,
      nome: camera.nome,
      empresaId: camera.empresa_id,
      antes: { ajuste: { ia, valor: ajuste, revisoes, zerado_em: null } },
      depois: { ajuste: { ia, valor: 0, revisoes: 0, zerado_em: new Date(now).toISOString() } },
    })
  })
}

const view = (row: AjusteRow, ia: NomeIa): Ajuste => ({
  ia,
  ajuste: row.ajuste,
  revisoes: row.revisoes,
  verdadeiros: row.verdadeiros,
  esperados: row.esperados,
  minimo_revisoes: MIN_REVIEWS,
  desde: row.desde === null ? null : new Date(Number(row.desde)).toISOString(),
  frase: sentenceOf(row),
})

function sentenceOf({ ajuste, revisoes, verdadeiros, esperados }: AjusteRow): string {
  if (revisoes < MIN_REVIEWS) return `Nenhum ajuste: são precisas ${MIN_REVIEWS} revisões, e há ${revisoes}.`
  const expected = `a verificação esperava ${Math.round(esperados)}`
  const counted = `${verdadeiros} de ${revisoes} revisados eram verdadeiros; ${expected}`
  if (ajuste === 0) return `Nenhum ajuste: ${counted}.`
  return ajuste > 0
    ? `Fica mais fácil confirmar com certeza: ${counted}.`
    : `Fica mais difícil confirmar com certeza: ${counted}.`
}
