import type { Papel } from '@vigia/contracts/usuarios'
import type { Generated } from 'kysely'
import { period, person, setting } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

/** Invitations. An accepted one stays until another is made, because its answer may be asked for again. */
interface ConvitesTable {
  id: Generated<number>
  empresa_id: number
  papel: Papel
  /** Reach as stored by db/alcance.ts; null: the default of the papel. */
  alcance: Generated<string | null>
  /** Note of the inviter; null: none. */
  para: string | null
  /** SHA-256 of the token, hex; the token itself is not stored. */
  token_hash: string
  /** Its invitations end with the login, and with a change of its password or papel. */
  criado_por_id: number
  criado_por: string
  criado_em: number
  expira_em: number
  /** Time of the acceptance, and the username key of the login that it made; null: still open. */
  aceito_em: number | null
  aceito_por: string | null
}

/** Invitations. */
export const convites = defineNoun({
  chapter: 'Convites',
  segments: ['convites'],
  tables: {
    convites: table<ConvitesTable>()({
      ...setting('the invited role, and its author'),
      ends: [period('its end'), person],
      login: 'deleted',
      bound: 'Rate: invitations, which live for 72 hours',
    }),
  },
})
