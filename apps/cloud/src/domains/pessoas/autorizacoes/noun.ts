import type { Generated } from 'kysely'
import { access, period, person } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

/** A person's authorization of a client, with one code and all its tokens. */
interface AutorizacoesOauthTable {
  id: Generated<number>
  cliente_id: number
  usuario_id: number
  escopo: string
  /** Effects that the person ticked (contracts, efeitos.ts): a list. */
  efeitos_json: Generated<string>
  /** Reach as stored by db/alcance.ts; null: that of its login. */
  alcance: Generated<string | null>
  /** URL of the MCP resource (RFC 8707). */
  recurso: string
  criada_em: number
  /** Last token issued or used; null: the code was never exchanged. */
  usada_em: number | null
  /** Absolute end, regardless of renewals. */
  expira_em: number
  revogada_em: number | null
}

/** Agents that act for a login. */
export const autorizacoes = defineNoun({
  chapter: 'Agentes',
  segments: ['autorizacoes'],
  tables: {
    autorizacoes_oauth: table<AutorizacoesOauthTable>()({
      ...access('which agent acts for a login', period('its end'), person),
      bound: 'Objects: agentes',
    }),
  },
})
