import type { UsoBytes } from '@vigia/contracts/limites'
import { waitingText } from '../scope/waiting-text.ts'
import type { Database } from './open.ts'

export interface UsoRow {
  readonly bytes: number
  readonly espera: UsoBytes['espera']
}

/** Bytes of media of each Empresa with those below it, and whether its boxes wait for space. */
export async function listUso(db: Database): Promise<Map<number, UsoRow>> {
  const rows = await db
    .selectFrom('uso_midia')
    .select(['empresa_id', 'bytes', 'espera_desde', 'espera_motivo'])
    .execute()
  return new Map(
    rows.map(({ empresa_id, bytes, espera_desde: desde, espera_motivo: motivo }) => [
      empresa_id,
      {
        bytes: Number(bytes),
        espera:
          desde === null || motivo === null
            ? null
            : { desde: new Date(desde).toISOString(), motivo, texto: waitingText(motivo) },
      },
    ]),
  )
}
