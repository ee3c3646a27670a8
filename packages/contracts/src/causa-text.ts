import { type CameraFailure, cameraFailureText } from './camera-failures.ts'
import type { Causa } from './causa.ts'

/** Reasons whose sentence for a camera also holds for one request. */
const SAME: ReadonlySet<CameraFailure> = new Set([
  'nao_encontrado',
  'redirecionado',
  'nome_nao_resolvido',
  'sem_video',
  'transporte_recusado',
  'video_danificado',
  'dados_invalidos',
  'codec_nao_suportado',
  'sem_pacote_video',
])

/**
 * Reasons whose sentence for a camera speaks of the next attempt, which a request does not have, or whose address a
 * person has just typed.
 */
const other: Partial<Record<CameraFailure, string>> = {
  sem_rota:
    'Nada respondeu neste endereço. Confira o IP e o cabo, se o equipamento está ligado e na mesma rede da caixa, e ' +
    'se um firewall bloqueia a porta.',
  conexao_recusada:
    'Há um equipamento neste endereço, mas a porta está fechada: nada atende nela. Confira o número da porta na rede ' +
    'do equipamento.',
  nao_e_rtsp:
    'A porta atende, mas o que respondeu não é RTSP. Confira o número da porta RTSP no equipamento: a usual é 554.',
  sem_resposta:
    'A porta aceita a conexão, mas o equipamento não responde nela. Confira se a porta é a certa, ou reinicie o ' +
    'equipamento.',
  equipamento_ocupado:
    'O equipamento não atendeu: está ocupado, ou não há câmera neste canal. Feche outros acessos a ele, ou ' +
    'reinicie-o, e tente outra vez.',
  fluxo_encerrado: 'O equipamento encerrou o vídeo. Feche outros acessos a ele e tente outra vez.',
  video_parado: 'O vídeo parou de chegar. Confira a rede do equipamento e tente outra vez.',
}

/** Sentence for a failed request; null: the failure of the request has a better one. */
export function causaText({ motivo, complemento }: Causa): string | null {
  if (SAME.has(motivo)) return cameraFailureText(motivo, complemento)
  const text = other[motivo]
  return text === undefined ? null : complemento ? `${text} (${complemento})` : text
}

/** Every sentence of `causaText`, without its addition. */
export const causaTexts: readonly string[] = [
  ...[...SAME].map((code) => cameraFailureText(code)),
  ...Object.values(other),
]
