import type { Generated } from 'kysely'
import type { AboutCamera } from '../../../db/about-camera.ts'
import { age, fixed, goesWith, machine, not, own, owner, part, size } from '../../../db/data-register/entry.ts'
import type { ClasseVeredito } from '../../../db/verdict-class.ts'
import { defineNoun, ofOne, table } from '../../../nouns/define-noun.ts'

type Bool = 0 | 1

/** Ids are from `contador_eventos`. They grow with arrival and with the sequence of each camera. None is reused. */
interface EventosTable extends AboutCamera {
  /** The edge's UUIDv7, unique; makes ingest idempotent. */
  uuid: string
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
  /** Bytes that it counts in the database (db/media-bytes.ts); 0: stored by a release that did not count them. */
  linha_bytes: Generated<number>
  /** The passage that raised it, also after the passage is gone; null: none. */
  passagem_id: Generated<number | null>
  /** 1: it occurred during a walk test. */
  prova: Generated<Bool>
  /** Earliest and latest time, where the edge never knew the time (db/hora-incerta.ts); null: it is known. */
  hora_de: Generated<number | null>
  hora_ate: Generated<number | null>
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

/** Events, their pictures and their counts. */
export const eventos = defineNoun({
  chapter: 'Eventos',
  segments: ['events', 'crops', 'imagens', 'metrics'],
  tables: {
    eventos: table<EventosTable>()({
      personal: 'time, place and pictures of persons; plates',
      ends: [age('eventos'), age('imagens')],
      held: true,
      export: own,
      period: own,
      plate: own,
      login: 'name stays',
      masks: true,
      readers: 'every papel',
      shortens: 'administrador',
      bound: 'Records: events and passages',
    }),
    evidencias: table<EvidenciasTable>()({
      ...part('pictures of persons', 'eventos'),
      ends: [owner('eventos'), age('imagens')],
      masks: true,
      bound: 'Records: later pictures and clips of an event',
    }),
    descartados: table<DescartadosTable>()({
      personal: 'path and small pictures of persons',
      ends: [fixed('descartados'), size('5,000 of a camera'), owner('cameras')],
      held: false,
      export: not('no event; ends after 7 days'),
      period: own,
      login: 'none',
      masks: true,
      plate: not('no plate is read from them'),
      readers: 'administrador',
      shortens: 'nobody',
      bound: 'Records: discarded candidates',
    }),
    contagens_eventos: table<ContagensEventosTable>()({
      ...machine(owner('eventos')),
      export: not('the count is no record of an event, and follows its events'),
      period: goesWith('eventos'),
      plate: goesWith('eventos'),
      readers: 'every papel',
      bound: ofOne('camera, IA, severity and verdict'),
    }),
  },
  withoutEffect: {
    'POST /api/v1/events/{event_id}/clip': 'orders a clip that the caller may see',
    'POST /api/v1/events/{event_id}/revisao': 'all answers are kept',
  },
})
