import { relatoSchema } from '@vigia/contracts/edge-state'
import type { Edge } from '@vigia/contracts/edges'
import { edgeStatus } from './edge-status.ts'
import type { EdgeRow } from './store.ts'

const relatoGuardado = relatoSchema.omit({ cameras: true })

/** The edge as the API shows it. What the box last reported stays shown while it is offline. */
export function viewEdge(row: EdgeRow, nowMs: number): Edge {
  // A report kept by an older version may lack a field: it is not shown, and the next report replaces it.
  const relato = row.relato_json === null ? null : (relatoGuardado.safeParse(JSON.parse(row.relato_json)).data ?? null)
  return {
    id: row.id,
    nome: row.nome,
    empresa_id: row.empresa_id,
    status: edgeStatus(row, nowMs),
    versao: relato?.versao ?? null,
    visto_em: row.visto_em === null ? null : new Date(row.visto_em).toISOString(),
    cameras: row.cameras,
    fila: relato?.fila ?? null,
    disco: relato?.disco ?? null,
    cpu: relato?.cpu ?? null,
    temperatura: relato?.temperatura ?? null,
  }
}
