import type { Fluxo } from '@vigia/contracts/transmissao'
import { rootOf, withSubtree } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import type { LiveAccount } from './upload-rates.ts'

/** A live stream of a camera. */
export interface StreamKey {
  readonly cameraId: number
  readonly fluxo: Fluxo
}

interface Lease extends StreamKey {
  /** Name of this process. */
  readonly replica: string
}

/**
 * Takes a stream for this process, in one statement. Returns its new epoch; null: another process owns the stream.
 * @param times epoch ms
 */
export async function claimStream(
  db: Database,
  { cameraId, fluxo, replica }: Lease,
  { now, venceEm }: { readonly now: number; readonly venceEm: number },
): Promise<number | null> {
  const row = await db
    .insertInto('transmissoes')
    .values({ camera_id: cameraId, fluxo, replica, epoca: 1, vence_em: venceEm })
    .onConflict((oc) =>
      oc
        .columns(['camera_id', 'fluxo'])
        .doUpdateSet((eb) => ({ replica, epoca: eb('transmissoes.epoca', '+', 1), vence_em: venceEm }))
        .where((eb) => eb.or([eb('transmissoes.vence_em', '<=', now), eb('transmissoes.replica', '=', replica)])),
    )
    .returning('epoca')
    .executeTakeFirst()
  return row?.epoca ?? null
}

/** Extends the lease of an epoch, or ends it at once. false: another process has taken the stream. */
export async function extendStream(
  db: Database,
  { cameraId, fluxo, replica, epoca }: Lease & { readonly epoca: number },
  venceEm: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('transmissoes')
    .set({ vence_em: venceEm })
    .where('camera_id', '=', cameraId)
    .where('fluxo', '=', fluxo)
    .where('replica', '=', replica)
    .where('epoca', '=', epoca)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export interface StreamOwner {
  /** Name of its process. */
  readonly replica: string
  readonly epoca: number
  /** End of its lease, epoch ms. */
  readonly vence_em: number
}

/** The present or last owner of a stream; undefined: it never had one. */
export const findOwner = (db: Database, { cameraId, fluxo }: StreamKey): Promise<StreamOwner | undefined> =>
  db
    .selectFrom('transmissoes')
    .select(['replica', 'epoca', 'vence_em'])
    .where('camera_id', '=', cameraId)
    .where('fluxo', '=', fluxo)
    .executeTakeFirst()

/** The Empresa of a camera, with the numbers of cameras that its rates are made from. null: no such camera. */
export async function findAccount(db: Database, cameraId: number): Promise<LiveAccount | null> {
  const camera = await db.selectFrom('cameras').select('empresa_id').where('id', '=', cameraId).executeTakeFirst()
  if (!camera) return null
  const empresaId = camera.empresa_id
  const rootId = await rootOf(db, empresaId)
  const { root, own } = await withSubtree(db, rootId)
    .selectFrom('arvore')
    .innerJoin('cameras', 'cameras.empresa_id', 'arvore.id')
    .select(({ fn }) => [
      fn.countAll<number>().as('root'),
      fn.countAll<number>().filterWhere('cameras.empresa_id', '=', empresaId).as('own'),
    ])
    .executeTakeFirstOrThrow()
  return { empresaId, rootId, cameras: Number(own), rootCameras: Number(root) }
}
