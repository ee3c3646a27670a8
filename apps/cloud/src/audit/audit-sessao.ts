import type { Database } from '../db/open.ts'
import { type Autor, auditChange } from './audit-change.ts'

interface SessionChange {
  readonly acao: 'entrar' | 'sair'
  /** Of the login. */
  readonly empresaId: number | null
  /** Host name on which it was. */
  readonly host: string
  /** How a second factor was shown. */
  readonly fator?: 'aplicativo' | 'recuperacao' | null
}

/** Writes into the audit log that somebody signed in or out. A session has no id but its token, which is written nowhere. */
export const auditSessao = (
  tx: Database,
  now: number,
  autor: Autor,
  { acao, empresaId, host, fator }: SessionChange,
): Promise<void> =>
  auditChange(tx, now, autor, {
    acao,
    objeto: 'sessao',
    id: null,
    nome: null,
    empresaId,
    antes: acao === 'entrar' ? null : { host },
    depois: acao === 'entrar' ? { host, ...(fator && { segundo_fator: fator }) } : null,
  })
