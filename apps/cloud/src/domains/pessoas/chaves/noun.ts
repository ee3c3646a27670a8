import type { escoposChave } from '@vigia/contracts/chaves'
import type { Generated } from 'kysely'
import { setting } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

/** API keys of integrations. */
interface ChavesTable {
  id: Generated<number>
  empresa_id: number
  /** Unique in the Empresa. */
  nome: string
  escopo: (typeof escoposChave)[number]
  /** Reach as stored by db/alcance.ts; null: the default of the papel. */
  alcance: Generated<string | null>
  /** SHA-256 of the key, hex; the key itself is not stored. */
  chave_hash: string
  /** First characters of the key, for recognition. */
  inicio: string
  /** null: no end. */
  validade: number | null
  criada_em: number
  usada_em: number | null
}

/** Integration keys. */
export const chaves = defineNoun({
  chapter: 'Chaves',
  segments: ['chaves'],
  quota: { tipo: 'chaves', tabela: 'chaves' },
  tables: {
    chaves: table<ChavesTable>()({ ...setting(null), bound: 'Objects: chaves' }),
  },
})
