import type { ColumnType, Generated } from 'kysely'

/** Tables of the work queue and its limits. Times are epoch ms (UTC), as in tables.ts. */
export interface WorkTables {
  trabalhos: TrabalhosTable
  turnos_trabalho: TurnosTrabalhoTable
  faixas_trabalho: FaixasTrabalhoTable
  destinos_lentos: DestinosLentosTable
  orcamento_eventos: OrcamentoEventosTable
}

/** Durable work (db/work-queue): one row until it is done. */
interface TrabalhosTable {
  id: Generated<number>
  tipo:
    | 'verificacao'
    | 'notificacao'
    | 'notificacao_lenta'
    | 'remocao'
    | 'push'
    | 'mensagem'
    | 'evidencia'
    | 'clipe'
    | 'retencao'
    | 'gravacao'
    | 'apagamento'
    | 'completar'
    | 'copia'
    | 'copia_lenta'
    | 'portao'
    | 'recolhimento'
  /**
   * Subject, unique within `tipo`. The id of an event, a delivery, an Empresa, a push message, a gravação, an
   * apagamento, a camera, a clip, a passage, or an order. Else a timer of messages, or an edge and an Empresa
   * (db/clipes.ts).
   */
  chave: string
  /** Root of the tree of `empresa_id`. */
  raiz_id: number
  empresa_id: number
  /** At most one item of a lane is `pronto` or `em_curso`; null: no lane. */
  faixa: string | null
  /** Items of a group are deferred together; null: no group. */
  grupo: string | null
  /** Lowest first within an Empresa. */
  prioridade: number
  /**
   * `pronto`: may be claimed. `atras`: behind another item of its lane. `recuo`: waits for `em`. `em_curso`: claimed
   * until `em`. `parado`: shown to a person (dead letter); retried at `em`, or only by that person (null).
   */
  estado: 'pronto' | 'atras' | 'recuo' | 'em_curso' | 'parado'
  em: number | null
  tentativas: Generated<number>
  criado_em: number
  /** Token of the claim; null: not claimed. */
  posse: string | null
  /** Portuguese error of the last failed attempt. */
  erro: string | null
  erro_em: number | null
  /** Trace that the work continues (W3C Trace Context); null: none. */
  traceparent: ColumnType<string | null, string | null | undefined>
}

/** Turns of one kind of work: of root Empresas (`acima` 0) and of the Empresas of the root `acima`. */
interface TurnosTrabalhoTable {
  tipo: TrabalhosTable['tipo']
  acima: number
  quem: number
  /** 0: no claimable work. */
  pronto: 0 | 1
  /** The lowest is served next. */
  servido: Generated<number>
  vezes: Generated<number>
}

/** One row per lane, locked by the transaction that chooses its next item. */
interface FaixasTrabalhoTable {
  faixa: string
}

/** Failing or slow destinations of notifications. */
interface DestinosLentosTable {
  destino: string
  /** Consecutive failures. */
  falhas: number
  pausado_ate: number
  visto_em: number
}

/** Events in the newest minute of a camera, and of its edge (`camera_id` 0). */
interface OrcamentoEventosTable {
  edge_id: number
  camera_id: number
  /** Minutes since 1970, cloud clock. */
  minuto: number
  eventos: number
  criticos: number
}
