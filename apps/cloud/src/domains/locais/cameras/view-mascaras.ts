import type { Mascaras, SituacaoMascara } from '@vigia/contracts/mascaras'
import type { CameraWithEdge } from '../../../db/cameras.ts'
import type { Database } from '../../../db/open.ts'
import type { CameraRow } from '../../../db/rows.ts'
import type { Caller } from '../../../http/caller.ts'
import { unmaskedTwins } from '../../../scope/masked-views.ts'

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

/**
 * Returns the masks of a camera, whether its edge applies them, and the other cameras that show its picture without
 * them.
 */
export async function viewMascaras(db: Database, caller: Caller, row: CameraWithEdge): Promise<Mascaras> {
  const situacao = situationOf(row)
  const twins = isMasked(row) ? await unmaskedTwins(db, caller, row) : []
  const detalhe = [details[situacao], shownBy(twins.map(({ nome }) => nome))].filter((part) => part !== null).join(' ')
  return { mascaras: JSON.parse(row.mascaras_json) as Mascaras['mascaras'], situacao, detalhe: detalhe || null }
}

const MOST_NAMES = 5

function shownBy(names: readonly string[]): string | null {
  if (names.length === 0) return null
  const more = names.length > MOST_NAMES ? ` e mais ${names.length - MOST_NAMES}` : ''
  return (
    `A mesma imagem aparece sem estas máscaras em: ${names.slice(0, MOST_NAMES).join(', ')}${more}. ` +
    'Desenhe as máscaras também ali.'
  )
}

function situationOf(row: CameraWithEdge): SituacaoMascara {
  if (!isMasked(row)) return 'sem_mascara'
  if (masksIgnored(row)) return 'caixa_antiga'
  return row.relato_mascarada === 1 ? 'aplicada' : 'aguardando'
}
