import type { Gravidade } from '@vigia/contracts/ias'
import type { Generated } from 'kysely'

/** State of the messages of canais about incidentes. Times are epoch ms (UTC), as in tables.ts. */
export interface MensagemTables {
  avisos_incidente: AvisosIncidenteTable
  avisos_evento: AvisosEventoTable
}

type Bool = 0 | 1

/** One incidente for one canal. Changed while the row of the incidente is locked. */
interface AvisosIncidenteTable {
  canal_id: number
  incidente_id: number
  /** Id of the first message; null: none was sent. */
  mensagem_id: Generated<string | null>
  /** Messages so far. */
  mensagens: Generated<number>
  /** Time of the last message. */
  ultima_em: Generated<number>
  /** Highest severity that a message stated; null: none was sent. */
  gravidade: Generated<Gravidade | null>
  /** 0: all its messages report backlog only. */
  ao_vivo: Generated<Bool>
  /** 1: the next digest lists it. */
  a_resumir: Generated<Bool>
  criado_em: number
}

/** One event for one canal: an event is reported at most once as confirmed. */
interface AvisosEventoTable {
  canal_id: number
  evento_id: number
  /** null: an event of an earlier version, without an incidente. */
  incidente_id: number | null
  situacao: 'confirmado' | 'nao_verificado' | 'descartado'
  /** The message that covers it; null: it waits for the next update of its incidente. */
  mensagem_id: string | null
  criado_em: number
}
