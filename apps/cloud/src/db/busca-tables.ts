import type { Generated } from 'kysely'

/** Tables of the search index (search-index.ts) and of the timeline. Times are epoch ms (UTC). */
export interface BuscaTables {
  presencas: PresencasTable
  busca_termos: BuscaTermosTable
  busca_eventos: BuscaPostingsTable
  busca_incidentes: BuscaPostingsTable
  busca_preenchimento: BuscaPreenchimentoTable
}

/** The different words of an Empresa. */
interface BuscaTermosTable {
  id: Generated<number>
  empresa_id: number
  /** Without accents, lower case; a name after `=` is a field and no word of a text. */
  palavra: string
}

/** Terms of an evento or incidente. */
interface BuscaPostingsTable {
  termo_id: number
  /** No foreign key: a check would cost a read for each row, and the search reads the record anyway. */
  alvo_id: number
}

/** Records of earlier releases that are not indexed yet; no row: none. */
interface BuscaPreenchimentoTable {
  alvo: 'eventos' | 'atendimentos'
  /** Only records with a lower id remain. */
  ate_id: number
}

/** Times in which a person had an alert stream open. */
interface PresencasTable {
  id: Generated<number>
  /** Empresa of the person; null: the operator, who sees every Empresa. */
  empresa_id: number | null
  /** 1: also sees the Empresas below. */
  abaixo: 0 | 1
  inicio: number
  /** Written again while it lasts. */
  fim: number
}
