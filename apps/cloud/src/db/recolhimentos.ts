import { z } from 'zod'
import { brokerTreeOf, serverOf } from '../adapters/senders/destination-server.ts'
import { camerasNamed, destinationsOf } from './canal-fields.ts'
import { lockName } from './locks.ts'
import { listMqttCanais } from './mqtt-canais.ts'
import type { Database } from './open.ts'
import type { CanalRow } from './rows.ts'
import { enqueueWork, type NewWork, wakeWork } from './work-queue/queue.ts'

/** Cameras of one order. A camera has about twenty topics, and an order is one connection of at most 30 s. */
export const CAMERAS_OF_ORDER = 20
/** Orders of one Empresa, and of the installation. Beyond that the oldest order ends. */
export const ORDERS_OF_EMPRESA = 500
export const ORDERS = 5_000

const TIPO = 'recolhimento'

/** A canal as it was, and cameras that it may have published. */
export interface EndedCanal {
  readonly canal: CanalRow
  readonly cameras: readonly number[]
}

/**
 * Orders that brokers give up the retained messages which no canal keeps up any more. Call it in the transaction that
 * changed or removed canais or cameras, after the change.
 */
export async function orderTakeBack(tx: Database, ended: readonly EndedCanal[], now: number): Promise<void> {
  const published = ended.filter(({ canal }) => canal.tipo === 'mqtt')
  if (published.length === 0) return
  await lockName(tx, 'recolhimentos')
  const works: NewWork[] = []
  for (const { canal, cameras } of published)
    for (const destino of destinationsOf(canal)) {
      const left = await camerasNotKept(tx, { empresaId: canal.empresa_id, destino }, cameras)
      for (let i = 0; i < left.length; i += CAMERAS_OF_ORDER)
        works.push(await insertOrder(tx, { canal, destino, cameras: left.slice(i, i + CAMERAS_OF_ORDER) }, now))
    }
  await enqueueWork(tx, works, now)
  for (const empresaId of new Set(works.map((work) => work.empresaId))) await endBeyondLimits(tx, empresaId, now)
}

interface Order extends EndedCanal {
  readonly destino: string
}

async function insertOrder(tx: Database, { canal, destino, cameras }: Order, now: number): Promise<NewWork> {
  const { id: canal_id, empresa_id, segredo_cifrado } = canal
  const empresa = await tx
    .selectFrom('empresas')
    .select('redes_permitidas_json')
    .where('id', '=', empresa_id)
    .executeTakeFirst()
  const { id } = await tx
    .insertInto('recolhimentos')
    .values({
      empresa_id,
      canal_id,
      destino,
      segredo_cifrado,
      redes_json: empresa?.redes_permitidas_json ?? '[]',
      cameras_json: JSON.stringify(cameras),
      criado_em: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // The lane of the messages: one that is on its way is published before.
  const faixa = serverOf('mqtt', destino)
  return { tipo: TIPO, chave: String(id), empresaId: empresa_id, faixa, prioridade: 0 }
}

/** Ends the oldest orders of the Empresa beyond its limit, then the oldest of the Empresa with the most. */
async function endBeyondLimits(tx: Database, empresaId: number, now: number): Promise<void> {
  const rows = await tx
    .selectFrom('recolhimentos')
    .select(({ fn }) => ['empresa_id', fn.countAll<number>().as('n')])
    .groupBy('empresa_id')
    .execute()
  const counts = new Map(rows.map(({ empresa_id, n }) => [empresa_id, Number(n)]))
  const own = counts.get(empresaId) ?? 0
  const beyondOwn = Math.max(0, own - ORDERS_OF_EMPRESA)
  await endOldest(tx, empresaId, beyondOwn, now)
  counts.set(empresaId, own - beyondOwn)
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  const sum = [...counts.values()].reduce((total, n) => total + n, 0)
  if (most) await endOldest(tx, most[0], Math.max(0, sum - ORDERS), now)
}

/** Their work finds no order, and ends with a line in the log. */
async function endOldest(tx: Database, empresaId: number, n: number, now: number): Promise<void> {
  if (n === 0) return
  const oldest = tx.selectFrom('recolhimentos').select('id').where('empresa_id', '=', empresaId).orderBy('id').limit(n)
  const gone = await tx.deleteFrom('recolhimentos').where('id', 'in', oldest).returning('id').execute()
  for (const { id } of gone) await wakeWork(tx, { tipo: TIPO, chave: String(id) }, now)
}

/** Cameras of a list that no canal of the Empresa keeps up at this broker and prefix. */
export async function camerasNotKept(
  db: Database,
  { empresaId, destino }: { readonly empresaId: number; readonly destino: string },
  cameras: readonly number[],
): Promise<number[]> {
  const tree = brokerTreeOf(destino)
  const keeping = (await listMqttCanais(db, empresaId)).filter((canal) =>
    destinationsOf(canal).some((one) => brokerTreeOf(one) === tree),
  )
  if (keeping.length === 0 || cameras.length === 0) return [...cameras]
  const existing = await db
    .selectFrom('cameras')
    .select('id')
    .where('empresa_id', '=', empresaId)
    .where('id', 'in', cameras)
    .execute()
  const ids = new Set(existing.map(({ id }) => id))
  return cameras.filter((id) => !(ids.has(id) && keeping.some((canal) => reports(canal, id))))
}

/** Whether a canal may be about a camera of its Empresa. */
export function reports(canal: Pick<CanalRow, 'camera_id' | 'cameras_json'>, id: number): boolean {
  const named = camerasNamed(canal)
  return named.length === 0 || named.includes(id)
}

const camerasSchema = z.array(z.int())

/** undefined: it was done, or it was beyond the limits. */
export async function findOrder(db: Database, id: number) {
  const row = await db.selectFrom('recolhimentos').selectAll().where('id', '=', id).executeTakeFirst()
  return row && { ...row, cameras: camerasSchema.parse(JSON.parse(row.cameras_json)) }
}

export const deleteOrder = async (tx: Database, id: number): Promise<void> => {
  await tx.deleteFrom('recolhimentos').where('id', '=', id).execute()
}
