import type { AcaoAuditoria, CanalAuditoria, ObjetoAuditoria } from '@vigia/contracts/auditoria'
import type { Database } from '../db/open.ts'
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

/** The program itself. */
export const sistema: Autor = {
  usuarioId: null,
  username: null,
  origem: { canal: 'sistema', cliente: null, endereco: null, pedido: null },
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
  /** Names of fields that were given another value which the masked view may not show. */
  readonly segredos?: readonly string[]
}

const MASK = '****'

/**
 * Writes who changed what, in the transaction that changes it: there is no change without its record, and no record of a
 * change that did not happen. Of an alteration only the fields that differ are kept; one that changed nothing leaves none.
 */
export async function auditChange(tx: Database, now: number, autor: Autor, change: Change): Promise<void> {
  const { acao, objeto, id, nome, empresaId, antes, depois, segredos = [] } = change
  const differing = difference(antes, depois)
  const hidden = segredos.filter((name) => !differing.includes(name))
  if (acao === 'alterar' && differing.length === 0 && hidden.length === 0) return
  const kept = (fields: Campos | null, note: string) => {
    if (fields === null || differing.length + hidden.length === 0) return null
    const shown = (name: string) => (typeof fields[name] === 'string' ? fields[name] : MASK)
    return JSON.stringify({
      ...Object.fromEntries(differing.map((name) => [name, fields[name]])),
      ...Object.fromEntries(hidden.map((name) => [name, shown(name) + note])),
    })
  }
  await insertRecord(tx, {
    em: now,
    empresa_id: empresaId,
    usuario_id: autor.usuarioId,
    username: autor.username,
    ...autor.origem,
    acao,
    objeto,
    objeto_id: id,
    objeto_nome: nome,
    antes_json: kept(antes, ''),
    depois_json: kept(depois, antes === null ? '' : ' (outro valor)'),
  })
}

/** Names of the fields whose values differ; all there are when one side is missing. */
function difference(antes: Campos | null, depois: Campos | null): string[] {
  const names = [...new Set([...Object.keys(antes ?? {}), ...Object.keys(depois ?? {})])]
  if (antes === null || depois === null) return names
  return names.filter((name) => JSON.stringify(antes[name]) !== JSON.stringify(depois[name]))
}

/** A change of one stored record; a side that is null: it was not, or is no longer, there. */
interface RecordChanged<Row> extends Pick<Change, 'segredos'> {
  /** Left out: `criar`, `remover` or `alterar`, by which sides there are. */
  readonly acao?: AcaoAuditoria
  readonly antes: Row | null
  readonly depois: Row | null
}

/**
 * `auditChange` for one kind of stored record, so that every use case records it alike.
 * @param describe the row with nothing secret in it, and without what the program itself keeps about it
 */
export const auditOf =
  <Row>(
    objeto: ObjetoAuditoria,
    describe: (row: Row) => Pick<Change, 'id' | 'nome' | 'empresaId'> & { readonly campos: Campos },
  ) =>
  async (tx: Database, now: number, autor: Autor, change: RecordChanged<Row>): Promise<void> => {
    const antes = change.antes === null ? null : describe(change.antes)
    const depois = change.depois === null ? null : describe(change.depois)
    const known = depois ?? antes
    if (!known) throw new Error(`a change of ${objeto} with neither a before nor an after`)
    const { campos: _, ...record } = known
    const byItself = antes === null ? 'criar' : depois === null ? 'remover' : 'alterar'
    await auditChange(tx, now, autor, {
      ...record,
      objeto,
      acao: change.acao ?? byItself,
      antes: antes?.campos ?? null,
      depois: depois?.campos ?? null,
      segredos: change.segredos ?? [],
    })
  }
