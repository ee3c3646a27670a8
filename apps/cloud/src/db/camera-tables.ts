import type { AlcanceProva } from '@vigia/contracts/provas'
import type { Generated } from 'kysely'

/** Tables about cameras besides their own. Times are epoch ms (UTC), as in tables.ts. */
export interface CameraTables {
  provas: ProvasTable
  ptz: PtzTable
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

/** One row per camera that was moved at least once; deleted with the camera. */
interface PtzTable {
  camera_id: number
  /** The last person who moved it (`callerKey`), and the name at that time. Nobody else moves it until `vence_em`. */
  quem: string
  por: string
  vence_em: number
  /** The edge reported that the camera is away from its home position. */
  fora: 0 | 1
}
