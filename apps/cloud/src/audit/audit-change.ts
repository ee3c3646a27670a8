import type { AcaoAuditoria, CanalAuditoria, ObjetoAuditoria } from '@vigia/contracts/auditoria'
import type { Database } from '../db/open.ts'
import { countRecord } from './record-rate.ts'
import { insertRecord } from './store.ts'

/** Author and entry point of a change. Each `Caller` has these fields. */
export interface Autor {
  /** null: no login (an edge, the program itself). */
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
  /** Current name of the record, for display; null: no name. */
  readonly nome: string | null
  /** Empresa of the record; null: the installation. */
  readonly empresaId: number | null
  /** The record as its own view shows it, with masked secrets; null: it did not exist. */
  readonly antes: Campos | null
  readonly depois: Campos | null
  /** Names of changed fields whose masked view does not show the difference. */
  readonly segredos?: readonly string[]
}

const MASK = '****'

/** Each of `antes` and `depois`, as JSON. The settings of one camera have half of it. */
const MOST_SIDE_BYTES = 31 * 1024
/** A whole record: both sides, its names and its author. */
export const MOST_RECORD_BYTES = 64 * 1024
/** Longest values to try, in characters. The last one fits with some hundred fields. */
const LONGEST_VALUES = [Number.POSITIVE_INFINITY, 8_192, 2_048, 512, 128, 32] as const
const CUT = '… (cortado)'

/**
 * Writes an audit record in the transaction of the change. So every change has a record, and every record belongs to a
 * change. A record keeps only the fields that differ; a change without differing fields leaves no record. A refused
 * record (`countRecord`) refuses its change.
 * @throws VigiaError `muitas_requisicoes`
 */
export async function auditChange(tx: Database, now: number, autor: Autor, change: Change): Promise<void> {
  const { acao, objeto, id, nome, empresaId, antes, depois, segredos = [] } = change
  const differing = difference(antes, depois)
  const hidden = segredos.filter((name) => !differing.includes(name))
  if (acao === 'alterar' && differing.length === 0 && hidden.length === 0) return
  const kept = (fields: Campos | null, note: string) => {
    if (fields === null || differing.length + hidden.length === 0) return null
    const shown = (name: string) => (typeof fields[name] === 'string' ? fields[name] : MASK)
    return bounded((most) => ({
      ...Object.fromEntries(differing.map((name) => [name, cut(fields[name], most)])),
      ...Object.fromEntries(hidden.map((name) => [name, cut(shown(name), most) + note])),
    }))
  }
  await countRecord(autor.origem.canal)
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

/** The fields as JSON, with their long values cut until they fit. */
function bounded(fields: (most: number) => Campos): string {
  let json = ''
  for (const most of LONGEST_VALUES) {
    json = JSON.stringify(fields(most))
    if (Buffer.byteLength(json) <= MOST_SIDE_BYTES) break
  }
  return json
}

/** A long value as the begin of its text, with a mark. */
function cut<T>(value: T, most: number): T | string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === undefined || text.length <= most ? value : text.slice(0, most).toWellFormed() + CUT
}

/** Names of the fields whose values differ; all fields if `antes` or `depois` is null. */
function difference(antes: Campos | null, depois: Campos | null): string[] {
  const names = [...new Set([...Object.keys(antes ?? {}), ...Object.keys(depois ?? {})])]
  if (antes === null || depois === null) return names
  return names.filter((name) => JSON.stringify(antes[name]) !== JSON.stringify(depois[name]))
}

/** A change of one stored record. `antes` or `depois` is null if the record did not exist then. */
interface RecordChanged<Row> extends Pick<Change, 'segredos'> {
  /** Default: `criar` without `antes`, `remover` without `depois`, else `alterar`. */
  readonly acao?: AcaoAuditoria
  readonly antes: Row | null
  readonly depois: Row | null
}

/**
 * `auditChange` for one kind of stored record, shared by its use cases.
 * @param describe the row without secrets and without internal fields
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
    if (!known) throw new Error(`a change of ${objeto} has neither antes nor depois`)
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
