import type { EstadoClipe } from '@vigia/contracts/eventos'
import type { MotivoSemClipe } from '@vigia/contracts/extras'
import type { ClipeOfEvento } from '../../../db/clipes.ts'
import type { EventoRow } from '../../../db/rows.ts'

/** Portuguese sentence for each reason. */
export const clipeAbsent: Readonly<Record<MotivoSemClipe | 'prazo' | 'espaco' | 'camera_removida', string>> = {
  sem_quadros: 'Sem clipe: a câmera não enviou imagens na hora do evento.',
  caixa_reiniciada: 'Sem clipe: a caixa reiniciou na hora do evento.',
  captura_reiniciada: 'Sem clipe: a leitura desta câmera recomeçou na hora do evento.',
  recorte_falhou: 'Sem clipe: a caixa não conseguiu cortá-lo a tempo.',
  disco_indisponivel: 'Sem clipe: o disco da caixa não grava. Confira o disco da caixa.',
  arquivo_perdido: 'O clipe se perdeu com o disco da caixa.',
  disco_cheio: 'Sem clipe: o disco da caixa estava cheio. Libere espaço na caixa.',
  codec_desconhecido: 'Sem clipe: a câmera usa um codec que a caixa não grava. Mude a câmera para H.264 ou H.265.',
  sem_codificador:
    'Sem clipe: o programa da caixa não tem codificador de vídeo. Câmeras com máscara precisam dele, e também as que ' +
    'mandam quadro-chave raramente: desligue nelas o codec inteligente (H.264+, H.265+, Smart Codec).',
  expirado: 'O clipe não está mais na caixa: passou do tempo em que ela o guarda.',
  camera_removida: 'O clipe foi apagado da caixa quando a câmera foi removida.',
  prazo: 'O clipe foi apagado pelo prazo de guarda da Empresa.',
  espaco: 'O clipe foi apagado para liberar espaço: a conta chegou ao seu limite.',
  desligado: 'Sem clipe: os clipes estão desligados nesta caixa.',
}

/** How far the clip of an event is on its way into the cloud. */
export function clipeState(
  { clipe_em, passagem_id }: Pick<EventoRow, 'clipe_em' | 'passagem_id'>,
  found: ClipeOfEvento | undefined,
): EstadoClipe {
  if (clipe_em !== null) return 'guardado'
  // The edge cuts no clip for a passage.
  if (passagem_id !== null) return 'nunca'
  if (!found) return 'sem_noticia'
  if (!found.clipe || found.clipe.estado === 'perdido') return 'nunca'
  return found.clipe.estado === 'pedido' || found.clipe.desejado > 0 ? 'a_caminho' : 'na_caixa'
}

/**
 * Why an event has no clip yet, or ever, as a Portuguese sentence; null: it has one.
 * @param receivedBytes of a running upload
 * @param announces whether the edge may announce the clip yet
 */
export function clipeText(
  { clipe_em, passagem_id, veredito_decisao }: Pick<EventoRow, 'clipe_em' | 'passagem_id' | 'veredito_decisao'>,
  found: ClipeOfEvento | undefined,
  { receivedBytes = 0, announces = true }: { readonly receivedBytes?: number; readonly announces?: boolean } = {},
): string | null {
  if (clipe_em !== null) return null
  if (passagem_id !== null) return 'Eventos de placa não têm clipe. O vídeo da hora está no gravador.'
  if (!found)
    return announces
      ? 'A caixa ainda não montou o clipe deste evento.'
      : 'A caixa não montou clipe nenhum até agora. Caixas de versões anteriores não montam clipes.'
  const { clipe, motivo } = found
  if (!clipe) return clipeAbsent[motivo ?? 'sem_quadros']
  if (clipe.estado === 'perdido') return clipeAbsent[clipe.motivo ?? 'expirado']
  if (receivedBytes > 0) {
    const percent = Math.min(99, Math.floor((100 * receivedBytes) / clipe.tamanho))
    return `O clipe está sendo enviado pela caixa: ${percent} %.`
  }
  if (clipe.estado === 'pedido') return 'O clipe está sendo enviado pela caixa.'
  if (clipe.desejado > 0) return 'O clipe está na caixa e espera a vez de ser enviado.'
  return veredito_decisao === 'refutado'
    ? 'Evento descartado: o clipe fica só na caixa, por até 48 horas.'
    : 'O clipe está na caixa e é enviado depois do veredito.'
}
