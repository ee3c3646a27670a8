import type { AcaoAuditoria, CanalAuditoria, ObjetoAuditoria } from '@vigia/contracts/auditoria'
import type { Database } from '../../db/open.ts'
import { insertRecord } from './store.ts'

/** Who did it, and by which door: a `Caller` is one. */
export interface Autor {
  /** null: no login (a box, the program itself). */
  readonly usuarioId: number | null
  readonly username: string | null
  readonly origem: {
    readonly canal: CanalAuditoria
    readonly cliente: string | null
    readonly endereco: string | null
    readonly pedido: string | null
  }
}

type Campos = Readonly<Record<string, unknown>>

export interface Change {
  readonly acao: AcaoAuditoria
  readonly objeto: ObjetoAuditoria
  readonly id: number | null
  /** As it is called at this moment (a person reads it); null: it has no name. */
  readonly nome: string | null
  /** Whose record it is; null: the installation's. */
  readonly empresaId: number | null
  /** The record as its own view shows it, secrets masked; null: it was not there. */
  readonly antes: Campos | null
  readonly depois: Campos | null
  /** Names of secret fields that were given another value, which a masked view cannot show. */
  readonly segredos?: readonly string[]
}

const MASK = '****'

/**
 * Writes who changed what, in the transaction that changes it: there is no change without its record, and no record of a
 * change that did not happen. Of an alteration only the fields that differ are kept; one that changed nothing leaves none.
 */
export async function recordChange(trx: Database, now: number, autor: Autor, change: Change): Promise<void> {
  const { acao, objeto, id, nome, empresaId, segredos = [] } = change
  const differing = difference(change.antes, change.depois)
  if (acao === 'alterar' && differing.length === 0 && segredos.length === 0) return
  const kept = (fields: Campos | null, masked: string) =>
    fields &&
    JSON.stringify({
      ...Object.fromEntries(differing.map((name) => [name, fields[name]])),
      ...Object.fromEntries(segredos.map((name) => [name, masked])),
    })
  await insertRecord(trx, {
    em: now,
    empresa_id: empresaId,
    usuario_id: autor.usuarioId,
    username: autor.username,
    ...autor.origem,
    acao,
    objeto,
    objeto_id: id,
    objeto_nome: nome,
    antes_json: kept(change.antes, MASK),
    depois_json: kept(change.depois, `${MASK} (outro valor)`),
  })
}

/** Names of the fields whose values differ; all there are when one side is missing. */
function difference(antes: Campos | null, depois: Campos | null): string[] {
  const names = [...new Set([...Object.keys(antes ?? {}), ...Object.keys(depois ?? {})])]
  if (antes === null || depois === null) return names
  return names.filter((name) => JSON.stringify(antes[name]) !== JSON.stringify(depois[name]))
}
