import { invalid, VigiaError } from '@vigia/contracts/errors'
import { MAX_PLACAS, type PlacaCreate, type PlacaListada, type PlacaPatch } from '@vigia/contracts/placas'
import type { Clock } from '../../../adapters/clock.ts'
import { auditPlaca } from '../../../audit/audit-placa.ts'
import { isUniqueViolation } from '../../../db/errors.ts'
import { lockLineage } from '../../../db/lineage.ts'
import { lockRow } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { PlacaRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, inScope, notFound, requireScope, requireWrite } from '../../../http/caller.ts'
import { countPlates, deletePlate, findPlate, insertPlate, updatePlate } from './store.ts'
import { viewPlaca } from './view-placa.ts'

export interface PlacasDeps {
  readonly db: Database
  readonly clock: Clock
}

/**
 * Adds a plate to a list of its Empresa.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa out of scope), `validacao` (no Empresa, end in the past),
 * `conflito` (already listed, limit reached)
 */
export async function createPlaca(
  { db, clock }: PlacasDeps,
  caller: Caller,
  input: PlacaCreate,
): Promise<PlacaListada> {
  requireWrite(caller)
  const empresaId = requireEmpresaId(caller, input.empresa_id, 'body')
  const now = clock.now()
  const { placa, lista, nota = null, dono = null } = input
  const values = { placa, lista, nota, dono, validade: endOf(input.validade, now), empresa_id: empresaId }
  const insert = transact(db, async (tx) => {
    // The lock makes the count and the insertion one step.
    if (!(await lockLineage(tx, empresaId))) throw notFound('Empresa não encontrada.')
    if ((await countPlates(tx, empresaId)) >= MAX_PLACAS) throw full()
    const created = await insertPlate(tx, { ...values, criada_em: now, atualizada_em: now })
    await auditPlaca(tx, now, caller, { antes: null, depois: created })
    return created
  })
  const row = await insert.catch((error) => {
    throw isUniqueViolation(error) ? listed(error) : error
  })
  return viewPlaca(row, now)
}

/** Changes the given fields. @throws VigiaError `proibido`, `nao_encontrado`, `validacao` (end in the past) */
export async function changePlaca(
  { db, clock }: PlacasDeps,
  caller: Caller,
  id: number,
  { validade, ...fields }: PlacaPatch,
): Promise<PlacaListada> {
  requireWrite(caller)
  const now = clock.now()
  const ends = validade === undefined ? {} : { validade: endOf(validade, now) }
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return transact(db, async (tx) => {
    await lockRow(tx, 'placas', id)
    const before = await requirePlaca(tx, caller, id)
    const after = await updatePlate(tx, id, { ...given, ...ends, atualizada_em: now })
    await auditPlaca(tx, now, caller, { antes: before, depois: after })
    return viewPlaca(after, now)
  })
}

/** Removes a plate from its list. @throws VigiaError `proibido`, `nao_encontrado` */
export async function removePlaca({ db, clock }: PlacasDeps, caller: Caller, id: number): Promise<void> {
  requireWrite(caller)
  await transact(db, async (tx) => {
    await lockRow(tx, 'placas', id)
    const before = await requirePlaca(tx, caller, id)
    await deletePlate(tx, id)
    await auditPlaca(tx, clock.now(), caller, { antes: before, depois: null })
  })
}

/**
 * The Empresa of the request, else of the caller.
 * @throws VigiaError `validacao` (the operator names none), `nao_encontrado` (out of scope)
 */
export function requireEmpresaId(caller: Caller, given: number | undefined, root: 'body' | 'query'): number {
  const empresaId = given ?? caller.empresaId
  if (empresaId === null) throw invalid([root, 'empresa_id'], 'Diga de qual Empresa é a placa', 'missing')
  requireScope(caller, empresaId)
  return empresaId
}

/** @throws VigiaError `nao_encontrado` */
export async function requirePlaca(db: Database, caller: Caller, id: number): Promise<PlacaRow> {
  const row = await findPlate(db, id)
  if (!row || !inScope(caller, row.empresa_id)) throw notFound('Esta placa não está nas listas.')
  return row
}

function endOf(validade: string | null | undefined, now: number): number | null {
  const end = validade == null ? null : Date.parse(validade)
  if (end !== null && end <= now)
    throw invalid(['body', 'validade'], 'A validade já passou. Use uma data futura', 'date_future')
  return end
}

const listed = (cause: unknown) =>
  new VigiaError('conflito', { detalhe: 'Esta placa já está em uma lista da Empresa. Altere a que existe.', cause })

/** The lists of the Empresa hold MAX_PLACAS plates. */
export const full = () =>
  new VigiaError('conflito', {
    detalhe: `As listas da Empresa estão cheias (${MAX_PLACAS} placas). Remova as que não valem mais.`,
  })
