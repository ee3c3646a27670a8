import type { MotivoEspera } from '@vigia/contracts/limites'
import type { Generated } from 'kysely'

/** Tables of the bytes that media occupy. Times are epoch ms (UTC), as in tables.ts. */
export interface EspacoTables {
  midias: MidiasTable
  uso_midia: UsoMidiaTable
  contagem_midia: ContagemMidiaTable
}

/** Stored files; the row is written and deleted in the transaction of the row that names the file. */
interface MidiasTable {
  caminho: string
  empresa_id: number
  bytes: number
}

/** Bytes of an Empresa with those below it. */
interface UsoMidiaTable {
  empresa_id: number
  bytes: number
  /** Time since which the boxes of this Empresa wait for space; null: they do not. */
  espera_desde: Generated<number | null>
  espera_motivo: Generated<MotivoEspera | null>
  /** Time of the last message about it. */
  avisada_em: Generated<number | null>
}

/** Progress of the count of the files that are older than the ledger. */
interface ContagemMidiaTable {
  tabela: string
  /** Id of the last row that was counted. */
  depois: number
  feita: 0 | 1
}
