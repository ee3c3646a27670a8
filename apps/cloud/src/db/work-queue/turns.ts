import type { Database } from '../open.ts'
import type { Tables } from '../tables.ts'

export type TipoTrabalho = Tables['trabalhos']['tipo']
export const tiposTrabalho = [
  'verificacao',
  'notificacao',
  'notificacao_lenta',
  'remocao',
  'push',
  'mensagem',
  'evidencia',
  'clipe',
  'retencao',
  'gravacao',
  'apagamento',
  'completar',
  'copia',
  'copia_lenta',
  'portao',
  'recolhimento',
] as const satisfies readonly TipoTrabalho[]

export const estadosTrabalho = [
  'pronto',
  'atras',
  'recuo',
  'em_curso',
  'parado',
] as const satisfies readonly Tables['trabalhos']['estado'][]

/** A turn of a root Empresa (`acima` 0), or of an Empresa of the root `acima`. */
export interface Turn {
  readonly tipo: TipoTrabalho
  readonly acima: number
  readonly quem: number
}

/** Returns the least recently served turn with claimable work; `vezes` counts its services. */
export const nextTurn = (db: Database, tipo: TipoTrabalho, acima: number, except: readonly number[]) =>
  db
    .selectFrom('turnos_trabalho')
    .select(['tipo', 'acima', 'quem', 'vezes'])
    .where('tipo', '=', tipo)
    .where('acima', '=', acima)
    .where('pronto', '=', 1)
    .$if(except.length > 0, (qb) => qb.where('quem', 'not in', except))
    .orderBy('servido')
    .orderBy('quem')
    .limit(1)
    .executeTakeFirst()

/**
 * Moves the turn behind all others of its level. A number instead of a time, so that a clock change does not affect the
 * order.
 */
export async function markServed(tx: Database, { tipo, acima, quem }: Turn): Promise<void> {
  await tx
    .updateTable('turnos_trabalho')
    .set((eb) => ({
      servido: eb
        .selectFrom('turnos_trabalho as t')
        .select((of) => of(of.fn.max('t.servido'), '+', 1).as('servido'))
        .where('t.tipo', '=', tipo)
        .where('t.acima', '=', acima)
        .$asScalar()
        .$notNull(),
      vezes: eb('vezes', '+', 1),
    }))
    .where('tipo', '=', tipo)
    .where('acima', '=', acima)
    .where('quem', '=', quem)
    .execute()
}

async function setTurnReady(tx: Database, { tipo, acima, quem }: Turn, pronto: 0 | 1): Promise<void> {
  await tx
    .insertInto('turnos_trabalho')
    .values({ tipo, acima, quem, pronto })
    .onConflict((conflict) => conflict.columns(['tipo', 'acima', 'quem']).doUpdateSet({ pronto }))
    .execute()
}

/**
 * Marks Empresas and their roots as having claimable work. All writers use the same order, which prevents deadlocks.
 */
export async function setReady(
  tx: Database,
  slots: readonly { readonly tipo: TipoTrabalho; readonly raiz_id: number; readonly empresa_id: number }[],
): Promise<void> {
  const turns = new Map<string, Turn>()
  for (const { tipo, raiz_id, empresa_id } of slots)
    for (const [acima, quem] of [
      [0, raiz_id],
      [raiz_id, empresa_id],
    ] as const)
      turns.set(`${acima === 0 ? 0 : 1}|${tipo}|${acima}|${quem}`, { tipo, acima, quem })
  for (const [, turn] of [...turns].sort(([a], [b]) => (a < b ? -1 : 1))) await setTurnReady(tx, turn, 1)
}

/** Whether claimable work of the turn is visible. */
export async function hasClaimable(tx: Database, { tipo, acima, quem }: Turn): Promise<boolean> {
  if (acima === 0) return (await nextTurn(tx, tipo, quem, [])) !== undefined
  const item = await tx
    .selectFrom('trabalhos')
    .select('id')
    .where('tipo', '=', tipo)
    .where('estado', '=', 'pronto')
    .where('empresa_id', '=', quem)
    .limit(1)
    .executeTakeFirst()
  return item !== undefined
}

/**
 * Marks the turn as empty, then checks it while its row is locked. Work from another transaction is either visible here
 * or marks the turn again afterwards.
 * @returns whether claimable work exists after all
 */
export async function clearTurn(tx: Database, turn: Turn): Promise<boolean> {
  await setTurnReady(tx, turn, 0)
  const found = await hasClaimable(tx, turn)
  if (found) await setTurnReady(tx, turn, 1)
  return found
}
