import { VigiaError } from '@vigia/contracts/errors'
import type { Autor } from '../../../audit/audit-change.ts'
import { endQuiosquesOf } from '../../../audit/audit-quiosque.ts'
import { listLineage } from '../../../db/lineage.ts'
import type { Database } from '../../../db/open.ts'
import type { UsuarioRow } from '../../../db/rows.ts'

type FactorOf = Pick<UsuarioRow, 'empresa_id' | 'segundo_fator_ativo'>

/** Whether an Empresa requires a second factor, by its own setting or that of the nearest Empresa above it. */
export async function isRequired(db: Database, empresaId: number | null): Promise<boolean> {
  const lineage = empresaId === null ? [] : await listLineage(db, empresaId)
  return lineage.find((empresa) => empresa.exigir_segundo_fator !== null)?.exigir_segundo_fator === 1
}

/** Whether the login must enable its second factor first. */
export const mustEnrol = async (db: Database, { empresa_id, segundo_fator_ativo }: FactorOf): Promise<boolean> =>
  segundo_fator_ativo === 0 && (await isRequired(db, empresa_id))

/** @throws VigiaError `proibido` for a login that must enable its second factor first */
export async function requireEnrolled(db: Database, usuario: FactorOf): Promise<void> {
  if (await mustEnrol(db, usuario))
    throw new VigiaError('proibido', {
      detalhe: 'Sua Empresa exige um segundo fator. Entre no painel, ligue-o em Minha conta e comece de novo.',
    })
}

/** Ends the quiosques that a login made, if it must enable its second factor first. */
export async function endUnentitledQuiosques(
  tx: Database,
  now: number,
  autor: Autor,
  maker: FactorOf & Pick<UsuarioRow, 'id'>,
): Promise<void> {
  if (await mustEnrol(tx, maker)) await endQuiosquesOf(tx, now, autor, maker.id)
}
