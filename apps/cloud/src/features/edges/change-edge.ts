import type { Edge, edgePatchSchema } from '@vigia/contracts/edges'
import { VigiaError } from '@vigia/contracts/errors'
import type { z } from 'zod'
import { type Caller, requireWrite } from '../../http/caller.ts'
import { issueCode } from './issue-code.ts'
import { getEdge, type ReadDeps, requireEdge } from './list-edges.ts'
import type { AllowedCertificates } from './publish-allowed.ts'
import { removeEdge, saveCode, updateEdge } from './store.ts'

export interface ChangeDeps extends ReadDeps {
  readonly desired: { changed(edgeId: number): void }
  readonly allowed: AllowedCertificates
}

/** Changes what was sent; the box learns of a new limit at once. */
export async function patchEdge(
  deps: ChangeDeps,
  caller: Caller,
  id: number,
  { nome, limite_reenvio_kbps }: z.infer<typeof edgePatchSchema>,
): Promise<Edge> {
  requireWrite(caller)
  await requireEdge(deps.db, caller, id)
  await updateEdge(deps.db, id, {
    ...(nome != null && { nome }),
    ...(limite_reenvio_kbps !== undefined && { limite_reenvio_kbps }),
  })
  if (limite_reenvio_kbps !== undefined) deps.desired.changed(id)
  return getEdge(deps, caller, id)
}

/** A new one-time code. The box that is active now stays so until the code is used; then the new one takes its place. */
export async function renewCode(deps: ChangeDeps, caller: Caller, id: number) {
  requireWrite(caller)
  await requireEdge(deps.db, caller, id)
  const codigo = issueCode(deps.clock.now())
  await saveCode(deps.db, id, codigo.stored)
  return { edge_id: id, ...codigo.shown }
}

/** Removes the edge and cuts its box off; its cameras move to another edge that may serve them. Throws `conflito` for the local edge. */
export async function deleteEdge(deps: ChangeDeps, caller: Caller, id: number): Promise<void> {
  requireWrite(caller)
  const edge = await requireEdge(deps.db, caller, id)
  if (edge.local === 1)
    throw new VigiaError('conflito', { detalhe: 'O edge local faz parte desta instalação e não pode ser removido.' })
  const heirs = await removeEdge(deps.db, id, deps.clock.now())
  for (const edgeId of [id, ...heirs]) deps.desired.changed(edgeId)
  await deps.allowed.changed()
}
