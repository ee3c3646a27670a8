import type { RespostaIncidente, SituacaoIncidente } from '@vigia/contracts/incidentes'
import type { ColumnType, Generated } from 'kysely'
import type { AboutCamera } from '../../../db/about-camera.ts'
import { part } from '../../../db/data-register/entry.ts'
import { defineNoun, ofOne, table } from '../../../nouns/define-noun.ts'

type Bool = 0 | 1

/** Events of one camera that people answer together (domains/eventos/incidentes/place-evento.ts). */
interface IncidentesTable extends AboutCamera {
  /**
   * First and last `ocorrido_em`, highest severity and types of the events that are not refuted. Without such events:
   * the last known values.
   */
  inicio: number
  fim: number
  gravidade: 'baixa' | 'media' | 'alta' | 'critica'
  /** Sorted, each between two bars: `|nome|outro|`. */
  tipos: string
  situacao: SituacaoIncidente
  /** `baixa`: all its confirmed events have `baixa`. null: not confirmed, or by a release without certeza. */
  certeza: Generated<'alta' | 'baixa' | null>
  capa_evento_id: number
  eventos: number
  pendentes: number
  confirmados: number
  refutados: number
  /** Events with a review. */
  revisados: Generated<number>
  /** 1: the camera was silenced at the start. */
  silenciado: Generated<Bool>
  /** 1: its events are of a walk test. */
  prova: Generated<Bool>
  /** The last answer (table `atendimentos`); null: none. */
  resposta: Generated<RespostaIncidente | null>
  nota: Generated<string | null>
  atendido_por: Generated<string | null>
  atendido_usuario_id: Generated<number | null>
  atendido_em: Generated<number | null>
  /** Name of the login, quiosque or API key that takes care of it; null: nobody. */
  assumido_por: Generated<string | null>
  assumido_em: Generated<number | null>
  /** Grows with each change. */
  versao: Generated<number>
  /** Time of its last line in `alertas`. */
  anunciado_em: number
  /** Span of its events, if the edge never knew their times (db/hora-incerta.ts); null: it is known. */
  hora_de: Generated<number | null>
  hora_ate: Generated<number | null>
}

/** All answers. Append-only. */
interface AtendimentosTable {
  id: Generated<number>
  incidente_id: ColumnType<number, number, never>
  resposta: ColumnType<RespostaIncidente, RespostaIncidente, never>
  nota: ColumnType<string | null, string | null, never>
  /** Name of the login or API key. */
  revisor: ColumnType<string, string, never>
  /** null: an API key. */
  usuario_id: ColumnType<number | null, number | null, never>
  atendido_em: ColumnType<number, number, never>
}

/** Incidentes and their answers. */
export const incidentes = defineNoun({
  chapter: 'Incidentes',
  segments: ['incidentes'],
  tables: {
    incidentes: table<IncidentesTable>()({
      ...part('time and place; who answered', 'eventos'),
      login: 'name stays',
      bound: ofOne('event'),
    }),
    atendimentos: table<AtendimentosTable>()({
      ...part('who answered what', 'incidentes'),
      login: 'name stays',
      bound: 'Records: audit log',
    }),
  },
  withoutEffect: {
    'POST /api/v1/incidentes/{incidente_id}/atendimento': 'all answers are kept',
    'POST /api/v1/incidentes/{incidente_id}/assumir': 'it can be taken back',
  },
})
