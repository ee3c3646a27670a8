import type { ColumnType, Generated } from 'kysely'
import type { ClasseVeredito } from './verdict-class.ts'

/** Tables of events, their ids and counts, and the sequences of edges. Times are epoch ms (UTC), as in tables.ts. */
export interface EventoTables {
  eventos: EventosTable
  evidencias: EvidenciasTable
  descartados: DescartadosTable
  contador_eventos: ContadorEventosTable
  reservas_de_ids: ReservasDeIdsTable
  contagens_eventos: ContagensEventosTable
  midias_a_apagar: MidiasAApagarTable
  sequencias: SequenciasTable
}

type Bool = 0 | 1

interface EventosTable {
  /** From `contador_eventos`. Ids grow with arrival and with the sequence of each camera, and are never reused. */
  id: Generated<number>
  /** The edge's UUIDv7, unique; makes ingest idempotent. */
  uuid: string
  empresa_id: number
  /** No foreign key: the event outlives its camera. */
  camera_id: number
  camera_nome: string
  edge_id: number
  seq: number
  tipo: string
  gravidade: 'baixa' | 'media' | 'alta' | 'critica'
  ocorrido_em: number
  recebido_em: number
  relogio_json: string
  confianca: number
  rotulos_json: string
  caixas_json: string
  zona: number | null
  /** Paths relative to the media store. */
  crop_path: string | null
  quadro_path: string | null
  calibracao_json: string
  instrucoes_json: string
  modelo: string
  detalhes_json: string
  /** Path of the object; separate from `detalhes_json`, because lists do not show it. null: not known. */
  trajeto_json: string | null
  /** 1: it had waited on the edge for the link. */
  retroativo: Generated<Bool>
  veredito_decisao: 'confirmado' | 'refutado' | null
  /** null: no verdict, or one of a release without certeza. */
  veredito_certeza: Generated<'alta' | 'baixa' | null>
  veredito_confianca: number | null
  veredito_motivo: string | null
  veredito_fonte: string | null
  /** Logit added to the score of the verdict (table `ajustes`); null: the verdict had no score, or an older release. */
  veredito_ajuste: Generated<number | null>
  verificado_em: number | null
  revisao_rotulo: 'confirmado' | 'refutado' | null
  revisao_revisor: string | null
  revisado_em: number | null
  /** 1: a login of an administrador; 0: an API key or an agent; null: no review, or one of an older release. */
  revisao_pessoa: Generated<Bool | null>
  /** Track of the edge that raised it (contracts, candidate.ts); null: not known. */
  trilha: Generated<string | null>
  /** null: stored by a release without incidentes. */
  incidente_id: Generated<number | null>
  /** Time at which its clip was stored; null: it has none. */
  clipe_em: Generated<number | null>
  /** Bytes of its pictures; null: not measured yet (domains/operacao/retencao). */
  midia_bytes: Generated<number | null>
  /** The passage that raised it, also after the passage is gone; null: none. */
  passagem_id: Generated<number | null>
}

/** Further pictures of an event, deleted with it. */
interface EvidenciasTable {
  id: Generated<number>
  /** The edge's UUIDv7, unique; makes ingest idempotent. */
  uuid: string
  evento_id: number
  /** Order of arrival within the event, from 1. */
  ordem: number
  fonte: 'sub' | 'principal'
  /** Time of the picture minus that of the event. */
  dt_ms: number
  /** 1: the first model detected the object again in it. */
  redetectada: Bool
  /** In fractions of this picture, the object first. */
  caixas_json: string
  /** Path relative to the media store. */
  caminho: string
  sha256: string
  recebida_em: number
}

/** Discarded candidates of edges (contracts, extras.ts), kept for seven days. */
interface DescartadosTable {
  id: Generated<number>
  /** The edge's UUIDv7, unique; makes ingest idempotent. */
  uuid: string
  empresa_id: number
  camera_id: number
  tipo: string
  motivo: string
  /** Time of the first mark. */
  ocorrido_em: number
  recebido_em: number
  /** Number of records that the edge left out before this one. */
  omitidos: number
  /** The other fields of the record. */
  dados_json: string
  /** Path relative to the media store; null: no picture. */
  caminho: string | null
}

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

/**
 * Number of events by class (`tipo`, `gravidade`, verdict) of a camera, an Empresa (`camera_id` 0) and the installation
 * (both 0). Updated in the transactions that change events; empty classes have no row.
 */
interface ContagensEventosTable {
  /** Length of the period in days: 1, 32, or 0 for all time. */
  dias: 0 | 1 | 32
  camera_id: number
  empresa_id: number
  /** Number of the period by `ocorrido_em` since 1970-01-01 UTC; 0 for all time. */
  periodo: number
  tipo: string
  gravidade: EventosTable['gravidade']
  situacao: ClasseVeredito
  n: number
  /** Number of these events with that review label. */
  revisados_confirmado: number
  revisados_refutado: number
  /** Bounds of the ids; they may be wider than necessary. */
  menor_id: number
  maior_id: number
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
