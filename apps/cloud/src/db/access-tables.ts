import type { escoposChave } from '@vigia/contracts/chaves'
import type { Generated } from 'kysely'

/** Tables of API keys and of the second factor. Times are epoch ms (UTC), as in tables.ts. */
export interface AccessTables {
  chaves: ChavesTable
  codigos_recuperacao: CodigosRecuperacaoTable
}

/** Recovery codes that are left; one that is used is deleted. */
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
  /** SHA-256 of the key, hex: the key itself is stored nowhere. */
  chave_hash: string
  /** The first characters of the key, to recognise it by. */
  inicio: string
  /** null: no end. */
  validade: number | null
  criada_em: number
  usada_em: number | null
}
