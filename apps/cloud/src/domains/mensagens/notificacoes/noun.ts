import type { TipoCanal } from '@vigia/contracts/destinos'
import type { Gravidade } from '@vigia/contracts/ias'
import type { Generated } from 'kysely'
import { fixed, not, owner, part, setting, stays } from '../../../db/data-register/entry.ts'
import { defineNoun, ofOne, table } from '../../../nouns/define-noun.ts'

type Bool = 0 | 1

interface CanaisNotificacaoTable {
  id: Generated<number>
  empresa_id: number
  /** '': none. */
  nome: Generated<string>
  tipo: TipoCanal
  destino: string
  destinatarios_json: string
  ativo: Bool
  camera_id: number | null
  /** JSON of the ids of several cameras; `[]`: all, or `camera_id`. */
  cameras_json: Generated<string>
  tipos_evento_json: string
  agenda_json: string
  /** 1: also notifies about quedas. */
  avisar_quedas: Generated<Bool>
  gravidade_min: Generated<Gravidade>
  certeza_min: Generated<'baixa' | 'alta'>
  /** 1: one message per incidente. */
  agrupar: Generated<Bool>
  intervalo_s: Generated<number>
  /** With `agrupar`: messages after the first one of an incidente. */
  continuacao: Generated<'intervalo' | 'fim'>
  /** Hour of the daily digest in the time zone of the Empresa; null: none. */
  resumo_hora: Generated<number | null>
  politica: Generated<'aguardar' | 'avisar'>
  /** 1: its messages carry plates of vehicles. */
  placas: Generated<Bool>
  /** Signing secret of a webhook (Standard Webhooks, `whsec_…`), AES-256-GCM; null for the other kinds. */
  segredo_cifrado: string | null
  criado_em: number
  atualizado_em: number
}

/** Notifications: one row per message, canal and destination. Work items (`trabalhos`) hold the attempts. */
interface EntregasTable {
  id: Generated<number>
  canal_id: number
  destino: string
  mensagem_id: string
  mensagem_json: string
  /** 1: reports an incidente of a canal with `agrupar`, and may be sent as an item of a summary. */
  resumivel: Generated<Bool>
  /** 1: reports backlog only; waits for the rest of it. */
  atrasada: Generated<Bool>
  /** Delivery whose summary carried this message; null: none. */
  resumo_id: Generated<number | null>
  estado: 'pendente' | 'entregue' | 'desistida'
  criada_em: number
  terminada_em: number | null
  /** Portuguese error of the last failed attempt. */
  erro: string | null
  erro_em: number | null
}

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

/** Canais, with their messages. */
export const notificacoes = defineNoun({
  chapter: 'Notificações',
  segments: ['notificacoes'],
  quota: { tipo: 'canais', tabela: 'canais_notificacao' },
  tables: {
    canais_notificacao: table<CanaisNotificacaoTable>()({
      ...setting('addresses of receivers'),
      bound: 'Objects: canais',
    }),
    entregas: table<EntregasTable>()({
      personal: 'text and receiver of a message; plates where the canal sends them',
      ends: [fixed('entregas'), owner('canais_notificacao')],
      held: false,
      export: not('made from the event'),
      login: 'none',
      masks: false,
      readers: 'administrador',
      period: stays('em mensagens já enviadas: o texto sai 30 dias depois do envio.'),
      plate: stays('em mensagens já enviadas: o texto sai 30 dias depois do envio.'),
      shortens: 'nobody',
      bound: { none: 'one of each message and canal; canais are limited, and it ends after 30 days' },
    }),
    avisos_incidente: table<AvisosIncidenteTable>()({
      ...part('that an incidente was reported', 'incidentes'),
      ends: [owner('incidentes'), fixed('avisos')],
      readers: 'none',
      bound: ofOne('incidente and canal'),
    }),
    avisos_evento: table<AvisosEventoTable>()({
      ...part('that an event was reported', 'eventos'),
      ends: [owner('eventos'), fixed('avisos')],
      readers: 'none',
      bound: ofOne('event and canal'),
    }),
  },
  withoutEffect: {
    'DELETE /api/v1/notificacoes/{canal_id}': 'ends messages; events stay',
    'POST /api/v1/notificacoes/{canal_id}/teste': 'sends no data of events',
    'POST /api/v1/notificacoes/{canal_id}/segredo': 'the receiver needs the new secret; nothing is lost',
    'POST /api/v1/notificacoes/{canal_id}/entregas/reenviar': 'sends to the same destination',
    'POST /api/v1/notificacoes/{canal_id}/entregas/{entrega_id}/reenviar': 'sends to the same destination',
  },
})
