import type { AlcanceProva } from '@vigia/contracts/provas'
import type { Generated } from 'kysely'

/** Tables about cameras besides their own. Times are epoch ms (UTC), as in tables.ts. */
export interface CameraTables {
  provas: ProvasTable
}

/** Records of walk tests; never changed, and kept when the camera is removed. */
interface ProvasTable {
  id: Generated<number>
  empresa_id: number
  camera_id: number
  /** Name of the camera at that time. */
  camera_nome: string
  inicio: number
  fim: number
  aprovada: 0 | 1
  alcance: AlcanceProva
  nota: string | null
  /** Name of the login or of the key at that time. */
  feita_por: string
  rotulos_json: string
  zonas_json: string
  tela_ms: number | null
  eventos_json: string
  configuracao_json: string
}
