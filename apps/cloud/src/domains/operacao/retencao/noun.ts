import type { TipoRetencao } from '@vigia/contracts/retencao'
import type { Generated } from 'kysely'
import { machine, not, owner, part, period, setting } from '../../../db/data-register/entry.ts'
import { defineNoun, ofOne, table } from '../../../nouns/define-noun.ts'

/** Values that an Empresa has set; null or no row: inherited from the parent, at last the default. */
interface RetencoesTable {
  empresa_id: number
  tipo: TipoRetencao
  dias: number | null
  bytes: number | null
}

/** Holds of events; a row whose `ate` has passed has no effect. */
interface PreservacoesTable {
  evento_id: number
  motivo: string
  ate: number
  /** Name of the login or API key. */
  por: string
  desde: number
}

/** Number and period of the records that the sweep removed, by day. */
interface ApagadosRetencaoTable {
  empresa_id: number
  /** Days since 1970-01-01 UTC. */
  dia: number
  tipo: TipoRetencao
  quantos: number
  /** Oldest and newest of them. */
  de: number
  ate: number
}

/** Deletions by period and camera, which a person asked for. */
interface ApagamentosTable {
  id: Generated<number>
  empresa_id: number
  /** Array of ids; null: all cameras. */
  cameras_json: string | null
  /** Time of the events; `fim` exclusive. */
  inicio: number
  fim: number
  motivo: string
  /** Name of the login. */
  pedido_por: string
  pedido_em: number
  concluido_em: number | null
  /** The Empresa while the deletion runs: unique, so that one runs at a time. */
  vaga: number | null
  /** Events that the person saw in the count. */
  total: number
  /** Deleted so far. */
  eventos: number
  gravacoes: number
  descartados: number
  /** Events that stayed, once it has ended. */
  preservados: number
  /** Only records that hold this plate, normalized; null: of every plate. */
  placa: Generated<string | null>
  /** Deleted so far. */
  passagens: Generated<number>
  /** Passages that stayed, once it has ended. */
  passagens_preservadas: Generated<number>
  /** Ficou[] of the contracts; null: it has not ended, or ended under an earlier release. */
  ficou_json: Generated<string | null>
}

/** Retention, holds and deletions. */
export const retencao = defineNoun({
  tables: {
    retencoes: table<RetencoesTable>()({ ...setting(null), bound: ofOne('Empresa and kind') }),
    preservacoes: table<PreservacoesTable>()({
      ...part('who keeps an event and why', 'eventos'),
      login: 'name stays',
      ends: [period('its end')],
      bound: ofOne('event'),
    }),
    apagados_retencao: table<ApagadosRetencaoTable>()({
      ...machine(owner('empresas')),
      bound: ofOne('Empresa, day and kind'),
    }),
    apagamentos: table<ApagamentosTable>()({
      personal: 'login that asked for the deletion; a plate until the end',
      ends: [owner('empresas')],
      held: false,
      export: not('a record of the deletion'),
      period: not('a record of the deletion'),
      plate: not('the plate is forgotten at the end'),
      login: 'name stays',
      masks: false,
      readers: 'administrador',
      shortens: 'nobody',
      bound: { none: 'one at a time of each Empresa; each deletes records that existed' },
    }),
  },
})
