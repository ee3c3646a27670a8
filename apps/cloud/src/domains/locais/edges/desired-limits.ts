import { VigiaError } from '@vigia/contracts/errors'
import { limites } from '@vigia/contracts/limites'
import { MAX_RECORD_BYTES } from '@vigia/link/limits'
import { rootOf } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import { kilobytes } from './format-size.ts'
import { bytesOfEmpresa, bytesOfTree } from './size-store.ts'
import { findEdgeOwner } from './store.ts'

/**
 * Limits of the desired state of one edge (docs/link.md). All Empresas share the message of the local edge. One limit
 * applies to each Empresa, a second one to each account (a tree of Empresas). Without the second limit, one account
 * with many Empresas could fill the message.
 */
export const MAX_CAMERA_BYTES = 16_000
/** Applies to the local edge. The default quota of 64 cameras of an Empresa always fits. */
export const MAX_EMPRESA_BYTES = limites.cameras.padrao * MAX_CAMERA_BYTES
/** Applies to the local edge. */
export const MAX_TREE_BYTES = 2 * MAX_EMPRESA_BYTES
/** Applies to an edge of one Empresa: a whole message without the fields around the cameras. */
export const MAX_EDGE_BYTES = MAX_RECORD_BYTES - 256

const tooLarge = (what: string, advice: string) =>
  new VigiaError('conflito', { detalhe: `Configuração grande demais: ${what}. ${advice}` })

/**
 * @param before previous size of the camera in bytes: a camera already above the limit may shrink
 * @throws VigiaError `conflito` when the camera grows above MAX_CAMERA_BYTES
 */
export function requireCameraFits(nome: string, bytes: number, before: number | null): void {
  if (bytes <= MAX_CAMERA_BYTES || bytes <= (before ?? 0)) return
  throw tooLarge(
    `a da câmera "${nome}" teria ${kilobytes(bytes)}, e o máximo é ${kilobytes(MAX_CAMERA_BYTES)} por câmera`,
    'Use menos pontos nas zonas ou endereços de vídeo mais curtos.',
  )
}

/**
 * Call it after the cameras of an Empresa on an edge have grown, within the transaction that locks its lineage.
 * @throws VigiaError `conflito` above the limit; only cameras of the Empresa's own account count
 */
export async function requireDesiredFits(tx: Database, empresaId: number, edgeId: number): Promise<void> {
  const edge = await findEdgeOwner(tx, edgeId)
  const own = await bytesOfEmpresa(tx, edgeId, empresaId)
  if (!edge?.local) {
    if (own <= MAX_EDGE_BYTES) return
    throw tooLarge(
      `a da caixa ${edgeId} teria ${kilobytes(own)}, e o máximo é ${kilobytes(MAX_EDGE_BYTES)} por caixa`,
      'Simplifique zonas, remova câmeras ou cadastre câmeras em outra caixa.',
    )
  }
  if (own > MAX_EMPRESA_BYTES)
    throw tooLarge(
      `as câmeras da Empresa na caixa da instalação teriam ${kilobytes(own)}, ` +
        `e o máximo é ${kilobytes(MAX_EMPRESA_BYTES)} por Empresa`,
      'Simplifique zonas, remova câmeras ou cadastre uma caixa própria.',
    )
  const account = await bytesOfTree(tx, edgeId, await rootOf(tx, empresaId))
  if (account > MAX_TREE_BYTES)
    throw tooLarge(
      `as câmeras de todas as Empresas da conta na caixa da instalação teriam ${kilobytes(account)}, ` +
        `e o máximo é ${kilobytes(MAX_TREE_BYTES)} por conta`,
      'Simplifique zonas, remova câmeras ou cadastre uma caixa própria.',
    )
}
