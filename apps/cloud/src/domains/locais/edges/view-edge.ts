import { type Relato, relatoSchema } from '@vigia/contracts/edge-state'
import type { Edge } from '@vigia/contracts/edges'
import { edgeAdvice } from './edge-advice.ts'
import { edgeStatus } from './edge-status.ts'
import type { EdgeRow } from './store.ts'

const relatoGuardado = relatoSchema.omit({ cameras: true })

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** `desde` follows from the clock of the cloud: that of the edge may be wrong. */
const timeOf = ({ visto_em }: EdgeRow, relato: Omit<Relato, 'cameras'> | null): Edge['hora'] => {
  if (!relato?.hora || visto_em === null) return null
  const { estado, ha_s } = relato.hora
  return { estado, desde: new Date(Math.max(0, visto_em - ha_s * 1000)).toISOString() }
}

/** Returns an edge as the API shows it. The last report stays visible while the edge is offline. */
export function viewEdge(row: EdgeRow, now: number): Edge {
  // A report stored by an older version may lack a field; it is hidden until the next report replaces it.
  const relato = row.relato_json === null ? null : (relatoGuardado.safeParse(JSON.parse(row.relato_json)).data ?? null)
  return {
    id: row.id,
    nome: row.nome,
    empresa_id: row.empresa_id,
    status: edgeStatus(row, now),
    status_detalhe: edgeAdvice(row, relato, now),
    versao: relato?.versao ?? null,
    visto_em: instant(row.visto_em),
    cameras: row.cameras,
    fila: relato?.fila ?? null,
    disco: relato?.disco ?? null,
    fila_memoria: relato?.fila_memoria ?? null,
    memoria: relato?.memoria ?? null,
    relogio: relato?.relogio ?? null,
    hora: timeOf(row, relato),
    config_aplicada: relato === null ? null : relato.config_versao >= row.desejado_versao,
    certificado_vence_em: instant(row.certificado_vence_em),
    limite_reenvio_kbps: row.limite_reenvio_kbps,
    gravacao_continua_mb: row.gravacao_continua_mb,
    gravacao_continua: relato?.gravacao_continua ?? null,
    cpu: relato?.cpu ?? null,
    temperatura: relato?.temperatura ?? null,
  }
}
