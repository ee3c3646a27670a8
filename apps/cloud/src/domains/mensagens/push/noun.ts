import type { Gravidade } from '@vigia/contracts/ias'
import type { ColumnType, Generated } from 'kysely'
import { access, fixed, machine, never, person } from '../../../db/data-register/entry.ts'
import { defineNoun, program, table } from '../../../nouns/define-noun.ts'

/** A browser that a login subscribed. */
interface InscricoesPushTable {
  id: Generated<number>
  usuario_id: ColumnType<number, number, number>
  /** SHA-256 of the endpoint, hex. Unique: a browser belongs to the login that subscribed it last. */
  endpoint_hash: string
  /** Sealed JSON of `DestinoPush`: who knows it can send to the browser. */
  destino_cifrado: string
  /** Host of the push service, for display. */
  servico: string
  /** Address of the dashboard that subscribed. */
  contato: string
  gravidade_min: Gravidade
  nome: string
  criada_em: number
  entregue_em: Generated<number | null>
  /** Portuguese error of the last attempt; null: it was accepted. */
  erro: Generated<string | null>
}

/** One message of one incidente to one browser, also after its delivery: only a graver event sends another one. */
interface EnviosPushTable {
  id: Generated<number>
  inscricao_id: number
  evento_id: number
  /** `incidente-<id>/<gravidade>`, or `evento-<id>/<gravidade>` without one; of earlier releases without severity. */
  etiqueta: string
  criado_em: number
  /** The push service accepted it, or a summary with it; null: not, or an earlier release sent it. */
  aceito_em: Generated<number | null>
}

/** The key pair of the installation. The newest row is in use. */
interface ChavesVapidTable {
  id: Generated<number>
  /** Base64url. */
  publica: string
  /** Sealed (sealed-columns.ts). */
  privada_cifrada: string
  criada_em: number
}

/** Web Push. */
export const push = defineNoun({
  chapter: 'Notificações',
  segments: ['push'],
  tables: {
    inscricoes_push: table<InscricoesPushTable>()({
      ...access('address of a browser', person),
      bound: 'Push: browsers and their messages',
    }),
    envios_push: table<EnviosPushTable>()({
      ...access('which incidente a browser was notified of', fixed('envios_push')),
      readers: 'none',
      bound: 'Push: browsers and their messages',
    }),
    chaves_vapid: table<ChavesVapidTable>()({ ...machine(never('one row for each rotation')), bound: program }),
  },
})
