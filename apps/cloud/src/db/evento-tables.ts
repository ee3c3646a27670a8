import type { ColumnType, Generated } from 'kysely'

/** Tables of the ids of events, of deleted files, and the sequences of edges. Times are epoch ms (UTC). */
export interface EventoTables {
  contador_eventos: ContadorEventosTable
  reservas_de_ids: ReservasDeIdsTable
  midias_a_apagar: MidiasAApagarTable
  sequencias: SequenciasTable
}

type Bool = 0 | 1

/** One row; its lock makes ingest transactions commit in the order of their event ids. */
interface ContadorEventosTable {
  id: ColumnType<number, number, never>
  /** Highest event id given or reserved. */
  ultimo: number
}

/** Reserved and unused event ids of an edge, or of the tree of an Empresa (`dono_id`: its root); see id-budget.ts. */
interface ReservasDeIdsTable {
  dono: 'edge' | 'empresa'
  dono_id: number
  /** End of the debt. */
  livre_em: number
}

/** Files of the media store without a row, or written for a review that may not be recorded. */
interface MidiasAApagarTable {
  caminho: string
  /** 1: it goes. 0: the review that writes it may still be recorded. */
  apagando: Bool
}

/** Highest sequence number by edge and camera; a jump is a gap. */
interface SequenciasTable {
  edge_id: number
  camera_id: number
  ultimo_seq: number
  /** The outbox that assigns the numbers (contracts, candidate.ts); null: not known yet. */
  serie: Generated<string | null>
}
