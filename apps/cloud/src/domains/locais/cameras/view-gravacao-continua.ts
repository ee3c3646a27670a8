import { relatoSchema } from '@vigia/contracts/edge-state'
import {
  type GravacaoContinua,
  gravacaoRelatadaSchema,
  type MotivoSemGravacao,
  type SituacaoGravacaoContinua,
} from '@vigia/contracts/gravacao-continua'
import type { CameraRow } from '../../../db/rows.ts'
import type { RecordingEdge } from './store.ts'

type Recorded = Pick<CameraRow, 'gravacao_continua' | 'mascaras_json' | 'relato_gravacao_json'>

const diskReport = relatoSchema.pick({ gravacao_continua: true })

/** Why recording cannot begin, and the remedy. */
const sentences: Record<MotivoSemGravacao, string> = {
  disco_cartao:
    'O disco da caixa é um cartão SD, eMMC ou pendrive, que a gravação contínua gasta em poucos meses. Ligue um SSD ' +
    'ou HD à caixa e guarde nele as gravações.',
  mascara:
    'A câmera tem máscara de privacidade, e a gravação guardaria a imagem inteira. Remova a máscara para gravar.',
  sem_subfluxo: 'A câmera não tem fluxo secundário, e só ele é gravado. Informe o endereço dele na câmera.',
  inativa: 'A câmera está desativada, ou a caixa não lê o endereço dela. Ative a câmera ou salve o endereço outra vez.',
  sem_video: 'O fluxo secundário está sem imagem agora. A gravação continua quando ele voltar.',
  disco_cheio: 'O disco da caixa está cheio. Libere espaço, ou diminua o que a caixa guarda.',
  disco_indisponivel: 'O disco da caixa não aceita gravações agora. Confira o disco em Caixas.',
}
const PENDING = 'A caixa ainda não confirmou a gravação. Se isto durar minutos, confira se a caixa está ligada.'
const OLD = 'O programa desta caixa é antigo e não grava. Atualize a caixa.'

/** Returns whether a camera is recorded on its edge, and what is held. `edge`: null: the camera has none. */
export function viewGravacaoContinua(row: Recorded, edge: RecordingEdge | null): GravacaoContinua {
  const none = { de: null, ate: null, mb: null, detalhe: null }
  if (row.gravacao_continua === 0) return { ...none, ligada: false, situacao: 'desligada' }
  if (isOld(edge)) return { ...none, ligada: true, situacao: 'caixa_antiga', detalhe: OLD }
  const relato = row.relato_gravacao_json
  const report = relato === null ? null : (gravacaoRelatadaSchema.safeParse(JSON.parse(relato)).data ?? null)
  if (report === null) return { ...none, ligada: true, situacao: 'aguardando', detalhe: PENDING }
  const { motivo, de, ate, mb } = report
  const situacao: SituacaoGravacaoContinua = motivo === null ? 'gravando' : 'parada'
  const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  const detalhe = motivo === null ? null : sentences[motivo]
  return { ligada: true, situacao, detalhe, de: instant(de), ate: instant(ate), mb }
}

/** The sentence why this camera must not be recorded; null: it may. */
export function refusalOf(row: Recorded, edge: RecordingEdge | null): string | null {
  if (row.mascaras_json !== '[]') return sentences.mascara
  if (isOld(edge)) return OLD
  return diskOf(edge)?.tipo === 'cartao' ? sentences.disco_cartao : null
}

function diskOf(edge: RecordingEdge | null) {
  if (!edge?.relato_json) return null
  return diskReport.safeParse(JSON.parse(edge.relato_json)).data?.gravacao_continua ?? null
}

/** The edge has reported, but cannot record. */
const isOld = (edge: RecordingEdge | null): boolean => edge?.relato_json != null && diskOf(edge) === null
