import type { PassagemRow } from '../../../db/rows.ts'
import type { Stay } from './open-stays.ts'
import { pairStays } from './pair-stays.ts'
import { isMovement, type MovementRow } from './store.ts'

/**
 * Stays that begin or end with this plate, in the order of their first passage. The movements of other plates are
 * needed, because an exit may have been read with another symbol.
 * @param rows passages of the plate, also older ones than `recent`
 * @param recent movements of all plates
 */
export async function staysOfPlate(
  placa: string,
  rows: readonly PassagemRow[],
  recent: readonly MovementRow[],
): Promise<Stay<MovementRow>[]> {
  const known = new Set(recent.map(({ id }) => id))
  const older = rows.filter(isMovement).filter(({ id }) => !known.has(id))
  const movements = [...older, ...recent].sort((a, b) => a.ocorrido_em - b.ocorrido_em || a.id - b.id)
  const stays = await pairStays<MovementRow>(movements)
  return stays.filter(({ entrada, saida }) => entrada?.placa === placa || saida?.placa === placa)
}
