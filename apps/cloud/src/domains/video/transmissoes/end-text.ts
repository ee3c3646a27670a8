import type { MotivoFimAoVivo } from '@vigia/contracts/ao-vivo'
import type { Causa } from '@vigia/contracts/causa'
import { causaText } from '@vigia/contracts/causa-text'
import type { VigiaError } from '@vigia/contracts/errors'
import { edgeFailureText } from '@vigia/contracts/pedido-failures'
import type { StreamEnd } from './stream-state.ts'
import type { FeedEnd } from './viewer-feed.ts'

interface EndText {
  readonly motivo: MotivoFimAoVivo
  readonly detail: string
}

/** Portuguese sentences for the end of a live view. */
export const endTexts = {
  fim: 'A caixa encerrou este vídeo. Abra a câmera outra vez.',
  lento: 'Sua conexão não acompanha este vídeo. Escolha o fluxo secundário ou uma rede mais rápida.',
  sem_banda: 'O envio desta caixa está no limite. Feche outras câmeras ao vivo e tente outra vez.',
  sem_conexao_livre: 'O gravador está sem conexões livres. Feche outros acessos a ele e tente outra vez.',
  offline: 'A caixa não manda o vídeo desta câmera agora. Confira a câmera e a internet da caixa.',
  nao_suportado: 'A caixa está com uma versão antiga, que mostra só quadros. Atualize-a para ver o vídeo.',
  sem_memoria:
    'O servidor está sem memória para mais vídeo ao vivo desta Empresa. Feche outras câmeras e tente outra vez.',
  fluxo_inexistente:
    'A câmera não tem este fluxo, ou ele não é H.264 nem H.265 (MJPEG, por exemplo): não há vídeo nem HLS dele, e a ' +
    'página mostra quadros. Escolha o outro fluxo, ou mude o codec na câmera.',
  sessao: 'Sua sessão ou seu acesso a esta câmera acabou. Entre outra vez.',
  outra_replica: 'Outro servidor desta instalação já mostra esta câmera. Tente outra vez em alguns segundos.',
} as const

const motivos: Partial<Record<StreamEnd, keyof typeof endTexts & MotivoFimAoVivo>> = {
  comando_desconhecido: 'nao_suportado',
  fluxo_inexistente: 'nao_suportado',
  sem_codificador: 'nao_suportado',
  sem_banda: 'sem_banda',
  sem_conexao_livre: 'sem_conexao_livre',
  sem_memoria: 'sem_memoria',
}

/** Reason and sentence for a viewer whose stream has ended. */
export function streamEndText(end: StreamEnd | null, causa: Causa | null): EndText {
  if (end === 'outra_replica') return { motivo: 'offline', detail: endTexts.outra_replica }
  const motivo = end === null ? 'fim' : (motivos[end] ?? 'offline')
  // A codec that no browser plays is a fact of this view, not of the camera.
  if (end === 'fluxo_inexistente' && causa !== null && causa.motivo !== 'codec_nao_suportado')
    return { motivo, detail: causaText(causa) ?? endTexts.fluxo_inexistente }
  if (end === 'fluxo_inexistente') return { motivo, detail: endTexts.fluxo_inexistente }
  if (end === 'sem_codificador') return { motivo, detail: edgeFailureText[end] }
  if (motivo !== 'offline' || end === null || end === 'sem_dados' || end === 'sem_memoria')
    return { motivo, detail: endTexts[motivo] }
  return { motivo, detail: edgeFailureText[end] }
}

/** The end of a view whose camera is no longer there: the viewer stays signed in. */
export const cameraEnd: EndText = {
  motivo: 'offline',
  detail: 'Esta câmera foi desligada, removida ou passada a outra caixa. Abra a página dela para conferir.',
}

/** The end of a view that was refused: a page cannot read the answer to a refused handshake. */
export const refusalEnd = ({ code, detalhe }: VigiaError): EndText => ({
  motivo: code === 'muitas_requisicoes' ? 'vistas_demais' : 'offline',
  detail: detalhe,
})

export const feedEndText = (end: Exclude<FeedEnd, 'saiu'> | 'sessao'): EndText => ({
  motivo: end,
  detail: endTexts[end],
})
