import type { escoposChave } from '@vigia/contracts/chaves'
import type { Generated } from 'kysely'

/** Tables of API keys and of the second factor. Times are epoch ms (UTC), as in tables.ts. */
export interface AccessTables {
  chaves: ChavesTable
  codigos_recuperacao: CodigosRecuperacaoTable
}

/** Unused recovery codes; each is deleted on use. */
interface CodigosRecuperacaoTable {
  usuario_id: number
  /** SHA-256, hex. */
  codigo_hash: string
}

/** API keys of integrations. */
interface ChavesTable {
  id: Generated<number>
  empresa_id: number
  /** Unique in the Empresa. */
  nome: string
  escopo: (typeof escoposChave)[number]
  /** SHA-256 of the key, hex; the key itself is not stored. */
  chave_hash: string
  /** First characters of the key, for recognition. */
  inicio: string
  /** null: no end. */
  validade: number | null
  criada_em: number
  usada_em: number | null
}
