import type { Papel } from '@vigia/contracts/usuarios'
import type { Generated } from 'kysely'
import { access, person } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

type Bool = 0 | 1

interface UsuariosTable {
  id: Generated<number>
  /** The username as it was typed at the creation of the login. */
  username: string
  /** NFKC and lower case of `username`, unique: logins differ by more than case, in every database's collation. */
  username_chave: string
  /** argon2id, PHC string. */
  senha_hash: string
  papel: Papel
  empresa_id: number | null
  /** 0: cannot sign in. */
  ativo: Generated<Bool>
  /** TOTP secret (base 32), AES-256-GCM (adapters/secret-box); null: none. */
  segundo_fator_cifrado: Generated<string | null>
  /** 0 with a secret: enrolment is not confirmed yet. */
  segundo_fator_ativo: Generated<Bool>
  /** Time of the start of the enrolment, later of its confirmation. */
  segundo_fator_em: Generated<number | null>
  /** Last time step (RFC 6238) of an accepted code; codes up to it are refused. */
  segundo_fator_passo: Generated<number>
  /** Reach as stored by db/alcance.ts; null: the default of the papel. */
  alcance: Generated<string | null>
  criado_em: number
}

/** Logins. */
export const usuarios = defineNoun({
  chapter: 'Usuários',
  segments: ['usuarios'],
  quota: { tipo: 'usuarios', tabela: 'usuarios' },
  tables: {
    usuarios: table<UsuariosTable>()({
      ...access('name, papel and hash of the password', person),
      shortens: 'administrador',
      bound: 'Objects: usuarios',
    }),
  },
})
