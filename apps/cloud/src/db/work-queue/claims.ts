import { sql } from 'kysely'
import type { Database } from '../open.ts'
import { isPostgres } from '../postgres-dialect.ts'
import { transact } from '../transaction.ts'
import { isLaneBusy, lockLane, makeReady, readyByLane } from './lanes.ts'
import type { Claim } from './queue.ts'
import { clearTurn, hasClaimable, markServed, nextTurn, type TipoTrabalho } from './turns.ts'

/** Every OLDEST_TURN turns of an Empresa its oldest item is served, so that low priorities progress. */
const OLDEST_TURN = 8
/** Items that come due in one transaction. */
const DUE_AT_ONCE = 200
/** Turns that one claim may skip. */
const MAX_PASSED = 500

export interface ClaimOptions {
  readonly tipo: TipoTrabalho
  /** Unique token of the new claim. */
  readonly posse: string
  /** End of the lease in epoch ms. */
  readonly until: number
  /** Roots and Empresas to skip. */
  readonly exceptRoots: readonly number[]
  readonly exceptEmpresas: readonly number[]
}

/**
 * Claims the next item by turns of the roots, then of their Empresas, then by priority and age. undefined: nothing to
 * claim now. On PostgreSQL a claim skips items that another transaction has locked.
 */
export async function claimWork(db: Database, options: ClaimOptions): Promise<Claim | undefined> {
  const { tipo, exceptRoots, exceptEmpresas } = options
  if (!(await nextTurn(db, tipo, 0, exceptRoots))) return undefined
  let except: Except = { roots: exceptRoots, empresas: exceptEmpresas }
  for (let passed = 0; passed < MAX_PASSED; passed += 1) {
    const step = await transact(db, (tx) => tryClaim(tx, options, except))
    if (step === null || 'id' in step) return step ?? undefined
    except = step
  }
  return undefined
}

/** Roots and Empresas that one claim skips. */
interface Except {
  readonly roots: readonly number[]
  readonly empresas: readonly number[]
}

/**
 * Claims an item, or clears one obstacle for the next try. The order of locks is item, lane, root, Empresa,
 * as in `makeReady`. A cleared turn therefore ends the transaction.
 * @returns null: nothing to claim now; the roots and Empresas that the next try skips
 */
async function tryClaim(
  tx: Database,
  { tipo, posse, until }: ClaimOptions,
  except: Except,
): Promise<Claim | Except | null> {
  const root = await nextTurn(tx, tipo, 0, except.roots)
  if (!root) return null
  const empresa = await nextTurn(tx, tipo, root.quem, except.empresas)
  if (!empresa) return (await clearTurn(tx, root)) ? { ...except, roots: [...except.roots, root.quem] } : except
  const item = await nextItem(tx, tipo, empresa.quem, empresa.vezes % OLDEST_TURN === OLDEST_TURN - 1)
  if (!item)
    // Work that is left is locked by other transactions.
    return (await clearTurn(tx, empresa)) ? { ...except, empresas: [...except.empresas, empresa.quem] } : except
  if (item.faixa !== null) await lockLane(tx, item.faixa)
  const taken =
    item.faixa !== null && (await isLaneBusy(tx, item.faixa))
      ? await change(tx, item.id, { estado: 'atras' as const })
      : await change(tx, item.id, { estado: 'em_curso' as const, posse, em: until })
  if (taken?.posse !== posse) return except
  await markServed(tx, root)
  await markServed(tx, empresa)
  // Both turns are locked now. With few items, most claims take the last one, and need no further transaction.
  if (!(await hasClaimable(tx, empresa)) && !(await clearTurn(tx, empresa))) await clearTurn(tx, root)
  return { ...taken, posse }
}

const change = (
  tx: Database,
  id: number,
  set: { readonly estado: 'atras' } | { readonly estado: 'em_curso'; readonly posse: string; readonly em: number },
) =>
  tx
    .updateTable('trabalhos')
    .set(set)
    .where('id', '=', id)
    .where('estado', '=', 'pronto')
    .returning(['id', 'tipo', 'chave', 'raiz_id', 'empresa_id', 'faixa', 'tentativas', 'criado_em', 'posse'])
    .returning('traceparent')
    .executeTakeFirst()

const nextItem = (tx: Database, tipo: TipoTrabalho, empresaId: number, oldest: boolean) =>
  tx
    .selectFrom('trabalhos')
    .select(['id', 'faixa'])
    .where('tipo', '=', tipo)
    .where('estado', '=', 'pronto')
    .where('empresa_id', '=', empresaId)
    .orderBy(oldest ? 'criado_em' : 'prioridade')
    .orderBy('id')
    .limit(1)
    .$if(isPostgres(tx), (qb) => qb.forUpdate().skipLocked())
    .executeTakeFirst()

const TIMED = ['em_curso', 'recuo', 'parado'] as const

/**
 * Makes due items ready: deferred attempts and claims with an expired lease. An expired lease counts as an attempt.
 * @param longestMs longest deferral or lease of this kind; items due later were written before the clock was set back
 * and are due now
 * @param own claims of this process: their work continues even without a lease renewal (full disk)
 * @returns whether more items may be due
 */
export async function readyDue(
  db: Database,
  tipo: TipoTrabalho,
  now: number,
  longestMs: number,
  own: readonly string[] = [],
): Promise<boolean> {
  for (const estado of TIMED) {
    const due = (source: Database) =>
      source
        .selectFrom('trabalhos')
        .select('id')
        .where('tipo', '=', tipo)
        .where('estado', '=', estado)
        .where((eb) => eb.or([eb('em', '<=', now), eb('em', '>', now + longestMs)]))
        .$if(estado === 'em_curso' && own.length > 0, (qb) => qb.where('posse', 'not in', own))
        .limit(DUE_AT_ONCE)
    if ((await due(db).limit(1).execute()).length === 0) continue
    const count = await transact(db, async (tx) => {
      const ids = (await due(tx).execute()).map(({ id }) => id)
      if (ids.length === 0) return 0
      const rows = await tx
        .updateTable('trabalhos')
        .set((eb) => ({
          estado: readyByLane(eb),
          em: null,
          posse: null,
          ...(estado === 'em_curso' && { tentativas: eb('tentativas', '+', 1) }),
        }))
        .where('id', 'in', ids)
        .where('estado', '=', estado)
        .where((eb) => eb.or([eb('em', '<=', now), eb('em', '>', now + longestMs)]))
        .returning(['tipo', 'raiz_id', 'empresa_id', 'faixa'])
        .execute()
      await makeReady(tx, rows)
      return ids.length
    })
    if (count === DUE_AT_ONCE) return true
  }
  return false
}

/** Ends every lease, so that claimed items are due. */
export const expireLeases = async (db: Database, tipo: TipoTrabalho): Promise<void> => {
  await db.updateTable('trabalhos').set({ em: 0 }).where('tipo', '=', tipo).where('estado', '=', 'em_curso').execute()
}

/** Time at which the next item is due in epoch ms; null: none. */
export async function nextDue(db: Database, tipo: TipoTrabalho): Promise<number | null> {
  const first = (estado: (typeof TIMED)[number]) => sql`(select em from trabalhos
    where tipo = ${tipo} and estado = ${estado} and em is not null order by em limit 1)`
  // One statement, because every worker reads this after each wake.
  const { rows } = await sql<Readonly<Record<(typeof TIMED)[number], number | null>>>`select
    ${first('em_curso')} as em_curso, ${first('recuo')} as recuo, ${first('parado')} as parado`.execute(db)
  const times = TIMED.flatMap((estado) => rows[0]?.[estado] ?? [])
  return times.length === 0 ? null : Math.min(...times)
}
