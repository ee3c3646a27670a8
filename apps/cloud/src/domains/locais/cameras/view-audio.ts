import type { AudioCamera, AudioRelatado, SituacaoAudio } from '@vigia/contracts/audio'
import type { CameraRow } from '../../../db/rows.ts'

type Heard = Pick<CameraRow, 'audio' | 'mascaras_json' | 'relato_audio' | 'relato_estado'>

const MASK =
  'A câmera tem máscara de privacidade, e as imagens dela saem da caixa como cópia sem som. ' +
  'Remova a máscara para ligar o som.'
const OLD = 'O programa desta caixa é antigo e não envia som. Atualize a caixa.'

/** Why no audio leaves the edge, and the remedy. */
const sentences: Record<SituacaoAudio, string | null> = {
  desligado: null,
  enviando: null,
  aguardando: 'A caixa ainda não confirmou o som. Se isto durar minutos, confira se a câmera está no ar.',
  sem_audio:
    'A câmera não envia som. Ligue o microfone no menu de áudio da câmera ou do gravador, no mesmo fluxo ' +
    'que a caixa lê.',
  formato: 'O formato de som da câmera não serve. Escolha AAC ou G.711 no menu de áudio da câmera ou do gravador.',
  mascara: MASK,
  caixa_antiga: OLD,
}

/** Returns whether the audio of a camera leaves its edge. */
export function viewAudio(row: Heard): AudioCamera {
  const situacao = situationOf(row)
  return { ligado: row.audio === 1, situacao, detalhe: sentences[situacao] }
}

function situationOf(row: Heard): SituacaoAudio {
  if (row.audio === 0) return 'desligado'
  if (isMasked(row)) return 'mascara'
  if (isOld(row)) return 'caixa_antiga'
  const reported = row.relato_audio as AudioRelatado | null
  return reported === null || reported === 'desligado' ? 'aguardando' : reported
}

/** The sentence why the audio of this camera must not be switched on; null: it may. */
export const refusalOf = (row: Heard): string | null => (isMasked(row) ? MASK : isOld(row) ? OLD : null)

const isMasked = (row: Heard): boolean => row.mascaras_json !== '[]'

/** The edge has reported the camera, but not its audio. */
const isOld = (row: Heard): boolean => row.relato_estado !== null && row.relato_audio === null
