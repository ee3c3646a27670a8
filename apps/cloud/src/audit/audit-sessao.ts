import type { Database } from '../db/open.ts'
import { type Autor, auditChange } from './audit-change.ts'

interface SessionChange {
  readonly id?: number | null
  readonly acao: 'entrar' | 'sair'
  /** Empresa of the login. */
  readonly empresaId: number | null
  /** Host name of the session. */
  readonly host: string
  /** Kind of the second factor. */
  readonly fator?: 'aplicativo' | 'recuperacao' | null
}

/** Writes a login or a logout to the audit log. Tokens are never written. */
export const auditSessao = (
  tx: Database,
  now: number,
  autor: Autor,
  { id = null, acao, empresaId, host, fator }: SessionChange,
): Promise<void> =>
  auditChange(tx, now, autor, {
    acao,
    objeto: 'sessao',
    id,
    nome: null,
    empresaId,
    antes: acao === 'entrar' ? null : { host },
    depois: acao === 'entrar' ? { host, ...(fator && { segundo_fator: fator }) } : null,
  })
