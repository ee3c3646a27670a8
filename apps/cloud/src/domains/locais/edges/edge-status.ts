import { RELATO_S } from '@vigia/contracts/edge-state'
import type { Edge } from '@vigia/contracts/edges'

/** Three missed reports. Covers edges whose last will was lost because the broker stopped at the same time. */
export const EDGE_MUDO_MS = 3 * RELATO_S * 1000 + 5000

/** `aguardando`: the activation code has not been used yet. */
export function edgeStatus(
  edge: { readonly ativado_em: number | null; readonly presente: 0 | 1; readonly visto_em: number | null },
  now: number,
): Edge['status'] {
  if (edge.ativado_em === null) return 'aguardando'
  return edge.presente === 1 && edge.visto_em !== null && now - edge.visto_em <= EDGE_MUDO_MS ? 'online' : 'offline'
}
