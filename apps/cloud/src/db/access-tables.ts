import type { escoposChave } from '@vigia/contracts/chaves'
import type { PapelQuiosque } from '@vigia/contracts/quiosques'
import type { Papel } from '@vigia/contracts/usuarios'
import type { Generated } from 'kysely'

/** Tables of sessions, kiosks, invitations, API keys and the second factor. Times are epoch ms, as in tables.ts. */
export interface AccessTables {
  sessoes: SessoesTable
  tokens_sessao: TokensSessaoTable
  quiosques: QuiosquesTable
  convites: ConvitesTable
  chaves: ChavesTable
  codigos_recuperacao: CodigosRecuperacaoTable
}

/** Unused recovery codes; each is deleted on use. */
interface CodigosRecuperacaoTable {
  usuario_id: number
  /** SHA-256, hex. */
  codigo_hash: string
}

/** API keys of integrations. */
interface ChavesTable {
  id: Generated<number>
  empresa_id: number
  /** Unique in the Empresa. */
  nome: string
  escopo: (typeof escoposChave)[number]
  /** SHA-256 of the key, hex; the key itself is not stored. */
  chave_hash: string
  /** First characters of the key, for recognition. */
  inicio: string
  /** null: no end. */
  validade: number | null
  criada_em: number
  usada_em: number | null
}

/**
 * A session: all tokens that one sign-in and its renewals gave. Its row is locked by a renewal. Deleting it deletes the
 * tokens, so no token outlives its session.
 */
interface SessoesTable {
  id: Generated<number>
  /** null: the session of a quiosque. */
  usuario_id: number | null
  quiosque_id: Generated<number | null>
  /** Host name that issued it, without a port; null: not known. */
  host: string | null
  iniciada_em: number
  /** Latest end of any token; a renewal after it is refused. */
  renova_ate: number
  /** End of the longest-lived token. */
  expira_em: number
  /** Last use, with the precision of SEEN_MS (domains/pessoas/sessoes/authenticate.ts). */
  visto_em: number
  /** User agent of the sign-in, shortened; null: not sent. */
  agente: Generated<string | null>
  /** Client address of the sign-in. */
  endereco: Generated<string | null>
}

/** Rows stay until the end of their session: an open stream is known by the token that opened it. */
interface TokensSessaoTable {
  /** SHA-256 of the token, hex; the token itself is not stored. */
  token_hash: string
  sessao_id: number
  expira_em: number
}

/** Screens in kiosk mode. */
interface QuiosquesTable {
  id: Generated<number>
  empresa_id: number
  /** Unique in the Empresa, because answers and audit records name the quiosque. */
  nome: string
  papel: PapelQuiosque
  /** Username of its creator. */
  criado_por: string
  /** Its creator, whose right it needs; null: of a release before, and nobody signs in as it. */
  usuario_id: Generated<number | null>
  criado_em: number
  expira_em: number
}

/** Pending invitations; acceptance deletes the row. */
interface ConvitesTable {
  id: Generated<number>
  empresa_id: number
  papel: Papel
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
