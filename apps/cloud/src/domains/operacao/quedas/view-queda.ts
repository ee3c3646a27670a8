import { cameraFailures, cameraFailureText } from '@vigia/contracts/camera-failures'
import type { Queda } from '@vigia/contracts/eventos'
import { CENTRAL_PARADA, type QuedaRow } from './store.ts'

/** Reason of every queda of an edge. */
export const SEM_CONTATO = 'sem_contato'
const SEM_CONTATO_TEXTO = 'A caixa está sem contato com a central. Confira a energia e a internet do local.'
const CENTRAL_PARADA_TEXTO =
  'A central esteve parada: nenhuma tela e nenhum aviso funcionou. As caixas guardaram os eventos e os enviaram depois.'

export const viewQueda = (row: QuedaRow): Queda => ({
  id: row.id,
  empresa_id: row.empresa_id,
  edge_id: row.edge_id,
  camera_id: row.camera_id,
  nome: row.nome,
  inicio: new Date(row.inicio).toISOString(),
  fim: row.fim === null ? null : new Date(row.fim).toISOString(),
  motivo: row.motivo,
  motivo_texto: reasonText(row.motivo),
})

/** Codes of later versions have no text here. */
export function reasonText(motivo: string): string {
  if (motivo === SEM_CONTATO) return SEM_CONTATO_TEXTO
  if (motivo === CENTRAL_PARADA) return CENTRAL_PARADA_TEXTO
  return cameraFailureText(cameraFailures.find((code) => code === motivo) ?? 'erro_desconhecido')
}
