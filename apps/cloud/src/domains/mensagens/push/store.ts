import type { Gravidade } from '@vigia/contracts/ias'
import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import { listsEmpresa } from '../../../db/alcance.ts'
import { type Due, isDue } from '../../../db/due.ts'
import { lockName } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { InscricaoRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'
import { transact } from '../../../db/transaction.ts'

/** Ordered by id. */
export const listInscricoes = (db: Database, usuarioId: number): Promise<InscricaoRow[]> =>
  db.selectFrom('inscricoes_push').selectAll().where('usuario_id', '=', usuarioId).orderBy('id').execute()

export const findInscricao = (db: Database, id: number): Promise<InscricaoRow | undefined> =>
  db.selectFrom('inscricoes_push').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * Adds the subscription, or replaces the one with its endpoint.
 * @param seal encrypts the destination for the id of the row
 */
export async function saveInscricao(
  tx: Database,
  values: Omit<Insertable<Tables['inscricoes_push']>, 'destino_cifrado' | 'id'>,
  seal: (id: number) => string,
): Promise<InscricaoRow> {
  const fresh = { ...values, entregue_em: null, erro: null }
  const { id } = await tx
    .insertInto('inscricoes_push')
    .values({ ...fresh, destino_cifrado: '' })
    .onConflict((conflict) => conflict.column('endpoint_hash').doUpdateSet(fresh))
    .returning('id')
    .executeTakeFirstOrThrow()
  return tx
    .updateTable('inscricoes_push')
    .set({ destino_cifrado: seal(id) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** undefined: it is gone already. */
export const deleteInscricao = (tx: Database, id: number): Promise<InscricaoRow | undefined> =>
  tx.deleteFrom('inscricoes_push').where('id', '=', id).returningAll().executeTakeFirst()

export const noteOutcome = async (
  tx: Database,
  id: number,
  outcome: { readonly entregue_em: number; readonly erro: null } | { readonly erro: string },
): Promise<void> => {
  await tx.updateTable('inscricoes_push').set(outcome).where('id', '=', id).execute()
}

/** Notes that the push service of their browser accepted these messages. */
export const noteAccepted = async (tx: Database, ids: readonly number[], now: number): Promise<void> => {
  await tx.updateTable('envios_push').set({ aceito_em: now }).where('id', 'in', ids).execute()
}

/**
 * Subscriptions that an event of an Empresa reaches: of enabled logins with the Empresa in their reach.
 * @param lineage the Empresa and its ancestors
 * @param niveis the severity of the event and all below it
 */
export const listReached = (
  db: Database,
  empresaId: number,
  lineage: readonly number[],
  niveis: readonly Gravidade[],
): Promise<{ readonly id: number }[]> =>
  db
    .selectFrom('inscricoes_push')
    .innerJoin('usuarios', 'usuarios.id', 'inscricoes_push.usuario_id')
    .select('inscricoes_push.id')
    .where('usuarios.ativo', '=', 1)
    .where('inscricoes_push.gravidade_min', 'in', niveis)
    .where((eb) =>
      eb.or([
        eb.and([
          isReach(eb, 'abaixo'),
          eb.or([eb('usuarios.empresa_id', 'is', null), eb('usuarios.empresa_id', 'in', lineage)]),
        ]),
        eb.and([isReach(eb, 'propria'), eb('usuarios.empresa_id', '=', empresaId)]),
        listsEmpresa('usuarios.alcance', empresaId),
      ]),
    )
    .orderBy('inscricoes_push.id')
    .execute()

/** Whether the reach of a login is this one, also by the default of its papel (db/alcance.ts). */
const isReach = (eb: ExpressionBuilder<Tables, 'usuarios'>, reach: 'propria' | 'abaixo') =>
  eb.or([
    eb('usuarios.alcance', '=', reach),
    eb.and([
      eb('usuarios.alcance', 'is', null),
      eb('usuarios.papel', reach === 'abaixo' ? '=' : '<>', 'administrador'),
    ]),
  ])

/** Those of these subscriptions that have a message of one of these `etiquetas`. */
export async function listNotified(
  tx: Database,
  inscricoes: readonly number[],
  etiquetas: readonly string[],
): Promise<ReadonlySet<number>> {
  if (inscricoes.length === 0) return new Set()
  const rows = await tx
    .selectFrom('envios_push')
    .select('inscricao_id')
    .where('inscricao_id', 'in', inscricoes)
    .where('etiqueta', 'in', etiquetas)
    .execute()
  return new Set(rows.map(({ inscricao_id }) => inscricao_id))
}

/** Adds one message per subscription and returns the new ones; a message of this `etiqueta` exists only once. */
export async function insertEnvios(
  tx: Database,
  inscricoes: readonly number[],
  envio: { readonly evento_id: number; readonly etiqueta: string; readonly criado_em: number },
): Promise<{ readonly id: number; readonly inscricao_id: number }[]> {
  if (inscricoes.length === 0) return []
  return tx
    .insertInto('envios_push')
    .values(inscricoes.map((inscricao_id) => ({ inscricao_id, ...envio })))
    .onConflict((conflict) => conflict.columns(['inscricao_id', 'etiqueta']).doNothing())
    .returning(['id', 'inscricao_id'])
    .execute()
}

/** A message with its subscription; undefined: the subscription, the access of its login, or the event has ended. */
export const findEnvio = (db: Database, id: number) =>
  db
    .selectFrom('envios_push')
    .innerJoin('inscricoes_push', 'inscricoes_push.id', 'envios_push.inscricao_id')
    .innerJoin('usuarios', 'usuarios.id', 'inscricoes_push.usuario_id')
    .innerJoin('eventos', 'eventos.id', 'envios_push.evento_id')
    .selectAll('inscricoes_push')
    .select(['envios_push.evento_id', 'envios_push.etiqueta', 'envios_push.criado_em'])
    .select([
      'eventos.retroativo',
      'eventos.gravidade',
      'usuarios.empresa_id as usuario_empresa_id',
      'usuarios.papel as usuario_papel',
      'usuarios.alcance as usuario_alcance',
    ])
    .where('envios_push.id', '=', id)
    .where('usuarios.ativo', '=', 1)
    .executeTakeFirst()

/** SQLite and PostgreSQL accept this many ids in one statement, and a summary counts no more. */
const MOST_WAITING = 500

/** The other messages of a browser with work that has not ended, oldest first. */
export const listWaiting = (db: Database, inscricaoId: number, envioId: number) =>
  db
    .selectFrom('envios_push')
    .innerJoin('trabalhos', (join) =>
      join.on('trabalhos.tipo', '=', 'push').on('trabalhos.chave', '=', sql<string>`cast(envios_push.id as text)`),
    )
    .innerJoin('eventos', 'eventos.id', 'envios_push.evento_id')
    .select(['envios_push.id', 'envios_push.evento_id', 'envios_push.etiqueta', 'envios_push.criado_em'])
    .select(['trabalhos.tentativas', 'trabalhos.em', 'eventos.retroativo', 'eventos.gravidade'])
    .where('envios_push.inscricao_id', '=', inscricaoId)
    .where('envios_push.id', '<>', envioId)
    .orderBy('envios_push.id')
    .limit(MOST_WAITING)
    .execute()
export type EnvioEmEspera = Awaited<ReturnType<typeof listWaiting>>[number]

/** Removes up to `limit` old messages and returns their number. */
export async function pruneEnvios(db: Database, due: Due, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('envios_push')
    .where('id', 'in', (eb) =>
      eb.selectFrom('envios_push').select('id').where(isDue('criado_em', due)).orderBy('criado_em').limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** undefined: none was created. */
export const newestVapid = (db: Database) =>
  db.selectFrom('chaves_vapid').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()

/**
 * Adds a key pair unless another process has added one after `newestId` (0: any). Removes all subscriptions, which are
 * valid for one key only.
 * @param seal encrypts the private key for the id of the row
 */
export const addVapidAfter = (
  db: Database,
  newestId: number,
  { publica, criada_em }: { readonly publica: string; readonly criada_em: number },
  seal: (id: number) => string,
): Promise<void> =>
  transact(db, async (tx) => {
    await lockName(tx, 'chaves_vapid')
    const { rows } = await sql<{ id: number }>`
      insert into chaves_vapid (publica, privada_cifrada, criada_em)
      select ${publica}, '', ${criada_em} where not exists (select 1 from chaves_vapid where id > ${newestId})
      returning id`.execute(tx)
    const [row] = rows
    if (!row) return
    await tx
      .updateTable('chaves_vapid')
      .set({ privada_cifrada: seal(row.id) })
      .where('id', '=', row.id)
      .execute()
    await tx.deleteFrom('inscricoes_push').execute()
  })
