import type { ErroVerificadorExterno } from '@vigia/contracts/verificador-externo'
import type { Selectable, Updateable } from 'kysely'
import { lockEmpresa } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { EmpresaRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

export type UsoRow = Selectable<Tables['vlm_usos']>

/** Use in one month; undefined: no call yet. */
export const findUso = (db: Database, empresaId: number, mes: string): Promise<UsoRow | undefined> =>
  db.selectFrom('vlm_usos').selectAll().where('empresa_id', '=', empresaId).where('mes', '=', mes).executeTakeFirst()

/** Use of any Empresa in these months. */
export const listUsos = (db: Database, meses: readonly string[]): Promise<UsoRow[]> =>
  meses.length === 0
    ? Promise.resolve([])
    : db.selectFrom('vlm_usos').selectAll().where('mes', 'in', meses).orderBy('empresa_id').execute()

/**
 * Counts one call under the lock of the Empresa, so that consent and limit hold across processes. Returns null if
 * `decide` refuses or the limit is used up.
 * @param decide month and limit of the calls; null: no call
 */
export async function reserveCall(
  tx: Database,
  empresaId: number,
  decide: (empresa: EmpresaRow) => { readonly mes: string; readonly limite: number } | null,
): Promise<{ readonly mes: string; readonly isCounted: boolean } | null> {
  const empresa = await lockEmpresa(tx, empresaId)
  const plan = empresa ? decide(empresa) : null
  if (plan === null) return null
  const { mes, limite } = plan
  await tx
    .insertInto('vlm_usos')
    .values({ empresa_id: empresaId, mes })
    .onConflict((oc) => oc.columns(['empresa_id', 'mes']).doNothing())
    .execute()
  const { numUpdatedRows } = await tx
    .updateTable('vlm_usos')
    .set((eb) => ({ chamadas: eb('chamadas', '+', 1) }))
    .where('empresa_id', '=', empresaId)
    .where('mes', '=', mes)
    .where('chamadas', '<', limite)
    .executeTakeFirstOrThrow()
  return { mes, isCounted: numUpdatedRows > 0n }
}

interface Spent {
  readonly tokensEntrada: number
  readonly tokensSaida: number
  readonly precoMicros: number
  readonly erro: ErroVerificadorExterno | null
}

/** Adds the result of a counted call. */
export async function addResult(
  db: Database,
  empresaId: number,
  mes: string,
  spent: Spent,
  now: number,
): Promise<void> {
  await db
    .updateTable('vlm_usos')
    .set((eb) => ({
      tokens_entrada: eb('tokens_entrada', '+', spent.tokensEntrada),
      tokens_saida: eb('tokens_saida', '+', spent.tokensSaida),
      preco_micros: eb('preco_micros', '+', spent.precoMicros),
      ...(spent.erro !== null && {
        sem_resposta: eb('sem_resposta', '+', 1),
        ultimo_erro: spent.erro,
        ultimo_erro_em: now,
      }),
    }))
    .where('empresa_id', '=', empresaId)
    .where('mes', '=', mes)
    .execute()
}

export const updateEmpresaVlm = (
  tx: Database,
  id: number,
  changes: Pick<Updateable<Tables['empresas']>, 'vlm_servidor' | 'vlm_chamadas_mes'>,
): Promise<EmpresaRow> =>
  tx.updateTable('empresas').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
