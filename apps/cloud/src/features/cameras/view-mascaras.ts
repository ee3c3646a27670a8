import type { Mascaras, SituacaoMascara } from '@vigia/contracts/mascaras'
import type { CameraWithEdge } from '../../db/cameras.ts'
import type { CameraRow } from '../../db/rows.ts'

type Masked = Pick<CameraRow, 'mascaras_json' | 'relato_estado' | 'relato_mascarada'>

const isMasked = ({ mascaras_json }: Pick<CameraRow, 'mascaras_json'>): boolean => mascaras_json !== '[]'

/** Whether the camera has masks that its edge does not know, so that its pictures are not masked. */
export const masksIgnored = (row: Masked): boolean =>
  isMasked(row) && row.relato_estado !== null && row.relato_mascarada === null

const details: Record<SituacaoMascara, string | null> = {
  sem_mascara: null,
  aplicada: null,
  aguardando: 'A caixa ainda não confirmou a máscara. Até lá, não conte com ela: confira a imagem da câmera.',
  caixa_antiga:
    'A caixa não conhece máscaras e mostra a imagem inteira. Atualize a caixa; até lá, a máscara não esconde nada.',
}

/** Returns the masks of a camera, and whether its edge applies them. */
export function viewMascaras(row: CameraWithEdge): Mascaras {
  const situacao = situationOf(row)
  return { mascaras: JSON.parse(row.mascaras_json) as Mascaras['mascaras'], situacao, detalhe: details[situacao] }
}

function situationOf(row: CameraWithEdge): SituacaoMascara {
  if (!isMasked(row)) return 'sem_mascara'
  if (masksIgnored(row)) return 'caixa_antiga'
  return row.relato_mascarada === 1 ? 'aplicada' : 'aguardando'
}
