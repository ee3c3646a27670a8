import type { Alcance } from '@vigia/contracts/alcance'
import type { escoposChave } from '@vigia/contracts/chaves'
import type { Papel } from '@vigia/contracts/usuarios'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from './open.ts'

/** Columns that decide on the reach of a login, quiosque or chave. */
export interface Reaching {
  readonly papel: Papel
  readonly empresa_id: number | null
  /** As stored (`packAlcance`); null: the default of the papel. */
  readonly alcance: string | null
}

/** Tables with a column `alcance`. */
const tables = ['usuarios', 'convites', 'quiosques', 'chaves', 'autorizacoes_oauth'] as const

/** Stored list that has lost its last Empresa. */
export const EMPTY_LIST = ','

/** The stored form. A list is its ids between commas (`,3,7,`), so that LIKE finds an id; `,` is an empty list. */
export const packAlcance = (alcance: Alcance): string =>
  typeof alcance === 'string'
    ? alcance
    : `,${[...new Set(alcance)]
        .sort((a, b) => a - b)
        .map((id) => `${id},`)
        .join('')}`

/** @param stored null: the default of the papel */
export function unpackAlcance(stored: string | null, papel: Papel): Alcance {
  if (stored === null) return papel === 'administrador' ? 'abaixo' : 'propria'
  if (stored === 'propria' || stored === 'abaixo') return stored
  return stored.split(',').filter(Boolean).map(Number)
}

/** The papel with which a chave acts. */
export const papelOfChave = (escopo: (typeof escoposChave)[number]): 'administrador' | 'usuario' =>
  escopo === 'escrita' ? 'administrador' : 'usuario'

/** Whether the stored list in `column` has this Empresa. */
export const listsEmpresa = (column: string, empresaId: number): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} like ${`%,${empresaId},%`}`

/** Takes a removed Empresa out of every list. */
export async function dropFromLists(tx: Database, empresaId: number): Promise<void> {
  for (const table of tables)
    await tx
      .updateTable(table as 'usuarios')
      .set({ alcance: sql<string>`replace(alcance, ${`,${empresaId},`}, ',')` })
      .where(listsEmpresa('alcance', empresaId))
      .execute()
}
