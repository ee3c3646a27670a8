import type { Generated } from 'kysely'

/** Tables of the work queue and of what limits it. Times are epoch ms (UTC), as in tables.ts. */
export interface WorkTables {
  trabalhos: TrabalhosTable
  turnos_trabalho: TurnosTrabalhoTable
  faixas_trabalho: FaixasTrabalhoTable
  destinos_lentos: DestinosLentosTable
  orcamento_eventos: OrcamentoEventosTable
}

/** Work that outlives the process (db/work-queue): a row until it is done. */
interface TrabalhosTable {
  id: Generated<number>
  tipo: 'verificacao' | 'notificacao' | 'notificacao_lenta'
  /** What it is about: the id of an event or of a delivery. Unique within `tipo`. */
  chave: string
  /** The Empresa at the top of the tree of `empresa_id`. */
  raiz_id: number
  empresa_id: number
  /** At most one item of a lane is `pronto` or `em_curso`; null: no lane. */
  faixa: string | null
  /** Items of a group are put off together; null: no group. */
  grupo: string | null
  /** Within an Empresa the lowest comes first. */
  prioridade: number
  /**
   * `pronto`: may be claimed. `atras`: behind another item of its lane. `recuo`: waits for `em`. `em_curso`: claimed until `em`.
   * `parado`: shown to a person (dead letter); tried again at `em`, or never without that person (null).
   */
  estado: 'pronto' | 'atras' | 'recuo' | 'em_curso' | 'parado'
  em: number | null
  tentativas: Generated<number>
  criado_em: number
  /** Token of the claim; null: not claimed. */
  posse: string | null
  /** Of the last try that failed; Portuguese. */
  erro: string | null
  erro_em: number | null
}

/** Turns of one kind of work: of root Empresas (`acima` 0), and of the Empresas of a root (`acima` is the root). */
interface TurnosTrabalhoTable {
  tipo: TrabalhosTable['tipo']
  acima: number
  quem: number
  /** 0: nothing of it can be claimed. */
  pronto: 0 | 1
  /** The lowest is served next. */
  servido: Generated<number>
  vezes: Generated<number>
}

/** A row per lane: locked by the transaction that chooses the next item of the lane. */
interface FaixasTrabalhoTable {
  faixa: string
}

/** Destinations of notifications that fail or are slow. */
interface DestinosLentosTable {
  destino: string
  /** Failures in a row. */
  falhas: number
  pausado_ate: number
  visto_em: number
}

/** Events of the newest minute of a camera of an edge, and of the edge (`camera_id` 0). */
interface OrcamentoEventosTable {
  edge_id: number
  camera_id: number
  /** Minutes since 1970, cloud clock. */
  minuto: number
  eventos: number
  criticos: number
}
