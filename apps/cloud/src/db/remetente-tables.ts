import type { TipoRemetente } from '@vigia/contracts/remetentes'

export interface RemetenteTables {
  remetentes: RemetentesTable
}

/** Settings of the senders; one row per kind. */
interface RemetentesTable {
  /** Fixed per kind, because the seal of the secret includes it. */
  id: number
  tipo: TipoRemetente
  /** Values of contracts/remetentes.ts; null: nothing was entered. */
  valores_json: string | null
  /** Sealed (sealed-columns.ts): password or token; null: none. */
  segredo_cifrado: string | null
}
