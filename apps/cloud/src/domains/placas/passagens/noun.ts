import type { SituacaoPlaca } from '@vigia/contracts/passagens'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import type { Generated } from 'kysely'
import type { AboutCamera } from '../../../db/about-camera.ts'
import { age, own, part } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

/** Vehicles in front of cameras in Mode B. `inicio`, `ocorrido_em` and `fim` are times of the edge's clock. */
interface PassagensTable extends AboutCamera {
  /** The edge chose it; unique for each edge. */
  uuid: string
  edge_id: number
  /** `local` of the camera at the passage. */
  local: string | null
  /** The highest revision that arrived. */
  revisao: number
  inicio: number
  ocorrido_em: number
  /** null: the vehicle is still there, or the edge ended before it left. */
  fim: number | null
  recebida_em: number
  /** Bytes that its records count in the database (db/media-bytes.ts); 0: of a release that did not count them. */
  linha_bytes: Generated<number>
  veiculo: RegistroPassagem['veiculo']
  cor: RegistroPassagem['cor']
  direcao: RegistroPassagem['direcao']
  sentido: 'entrada' | 'saida' | null
  /** null: no reading above the threshold of the camera. */
  placa: string | null
  pais: string | null
  forma: NonNullable<RegistroPassagem['placa']>['forma'] | null
  /** Confidence of the reading. */
  confianca: number | null
  candidatas_json: string
  /** By the lists at the last revision; null: no plate. */
  situacao: SituacaoPlaca | null
  /** The newest event of this passage. */
  evento_id: number | null
  /** The gate was asked to open; null: never. */
  portao_em: number | null
  caixa_placa_json: string | null
  /** QualidadePlaca; null: no plate found, or an earlier edge. */
  qualidade_json: string | null
  foto_path: string | null
  foto_placa_path: string | null
  /** Newest reading of the edge, after a correction; null: it read no plate, or nobody corrected it. */
  placa_lida: string | null
  /** Name of the login that corrected the plate; `placa` and `situacao` are then of the correction. */
  corrigida_por: string | null
  corrigida_em: number | null
  /** Fields of the newest record that an event needs (`RegistroDoEvento`); null: stored by an earlier release. */
  registro_json: string | null
  /** Picture of a corrected plate in the training data; a `.json` of one line lies beside it. */
  dataset_path: string | null
  /** End of the stay that began with this entry, set by hand, by the cloud's clock; null: nobody ended it. */
  encerrada_em: number | null
  /** Name of the login, quiosque or API key that ended the stay. */
  encerrada_por: string | null
  /** Earliest and latest time, where the edge never knew the time (db/hora-incerta.ts); null: it is known. */
  hora_de: number | null
  hora_ate: number | null
}

/** Records that were stored, so that a repeated one changes nothing. */
interface RegistrosPassagemTable {
  /** Identity of the record. */
  uuid: string
  edge_id: number
  passagem_id: number
}

/** Passages of vehicles. */
export const passagens = defineNoun({
  chapter: 'Placas',
  segments: ['passagens'],
  tables: {
    passagens: table<PassagensTable>()({
      personal: 'time, place, plate and pictures of vehicles',
      ends: [age('passagens')],
      held: true,
      export: own,
      period: own,
      plate: own,
      login: 'name stays',
      masks: true,
      readers: 'placas',
      shortens: 'administrador',
      bound: 'Records: events and passages',
    }),
    registros_passagem: table<RegistrosPassagemTable>()({
      ...part('that a record of a passage arrived', 'passagens'),
      readers: 'none',
      bound: 'Records: events and passages',
    }),
  },
  withoutEffect: {
    'POST /api/v1/passagens/{id}/saida': 'the passage stays',
    'POST /api/v1/passagens/{id}/correcao': 'the reading before is kept',
  },
})
