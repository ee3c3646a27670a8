import { invalid, VigiaError } from '@vigia/contracts/errors'
import type { ChamadaOnvif, FalhaPedido } from '@vigia/contracts/pedidos'
import { type AllowedCidrs, judgeHost } from '@vigia/rtsp/address-policy'
import type { RateLimit } from '../../../../adapters/rate-limits/interface.ts'
import { type Caller, callerKey } from '../../../../http/caller.ts'
import type { AskEdge, EdgeFailure } from './ask-edge.ts'

/** Dependencies of every probe of a device. */
export interface Probing {
  readonly askEdge: AskEdge
  readonly limit: RateLimit
  /** Pictures of canais that no camera reads yet. */
  readonly pictureLimit: RateLimit
  /** Networks that VIGIA_SONDAGEM_PERMITIR exempts from the address policy. */
  readonly allowed: AllowedCidrs
}

const HOST_RECUSADO =
  'Este endereço não pode ser testado: ' +
  'informe o IP ou o nome do equipamento na rede do cliente, não o da própria máquina'

/**
 * Refuses an address that must not be probed; call it first. The edge that resolves a host name checks its addresses.
 * @throws VigiaError `validacao` on the host.
 */
export function requireProbeable(host: string, allowed: AllowedCidrs): void {
  if (judgeHost(host, allowed).kind === 'recusado') throw invalid(['body', 'host'], HOST_RECUSADO)
}

/**
 * Counts a probe against the rate limits of the login and of the Empresa (null: probe of the operator).
 * @throws VigiaError `muitas_requisicoes`.
 */
export async function countProbe(limit: RateLimit, caller: Caller, empresaId: number | null): Promise<void> {
  await limit.consume(callerKey(caller))
  if (empresaId !== null) await limit.consume(`empresa:${empresaId}`)
}

/** Portuguese text for each failure of a command. */
export const failureText: Readonly<Record<FalhaPedido, string>> = {
  endereco_recusado: HOST_RECUSADO,
  nome_nao_resolvido: 'A caixa não encontrou este nome na rede. Confira o nome do equipamento ou informe o IP.',
  inalcancavel: 'O equipamento não respondeu à caixa. Confira o IP, a porta e se ele está ligado na mesma rede.',
  senha_recusada: 'Usuário ou senha recusados pelo equipamento',
  sem_onvif:
    'O que atende nesta porta não é o serviço de mídia ONVIF. ' +
    'Confira se o ONVIF está ligado no equipamento e em que porta: as usuais são 80, 8000, 8899 e 2020.',
  ocupado: 'O equipamento está sem conexões livres. Feche outros acessos a ele e tente outra vez em um minuto.',
  camera_desconhecida: 'A caixa ainda não recebeu esta câmera. Tente outra vez em alguns segundos.',
  sem_quadro: 'A caixa não conseguiu uma imagem desta câmera agora. Tente outra vez.',
  varredura_desligada: 'A procura na rede está desligada nesta caixa (VIGIA_VARREDURA=0). Informe o IP do gravador.',
  sem_rede_local:
    'A caixa não tem rede local em que procurar. Confira o cabo de rede dela, ou informe o IP do gravador.',
  clipe_desconhecido: 'A caixa não tem mais este clipe.',
  fluxo_inexistente: 'A câmera não tem este fluxo. Escolha o outro.',
  sem_codificador:
    'A câmera tem máscara, e a caixa não tem codificador de vídeo para a cópia mascarada. Ela mostra só quadros.',
  sem_conexao_livre: 'O gravador está sem conexões livres. Feche outros acessos a ele e tente outra vez.',
  sem_banda: 'O envio desta caixa está no limite. Feche outras câmeras ao vivo e tente outra vez.',
  sem_ptz: 'Esta câmera não se move por ONVIF. Se ela tem motor, confira se o PTZ está ligado no equipamento.',
  ptz_recusado:
    'A câmera recusou o movimento. Para voltar à posição inicial, ela precisa de uma: ' +
    'leve a câmera até lá, e o administrador usa Definir posição inicial.',
  comando_desconhecido: 'A caixa desta rede está com uma versão antiga. Atualize-a e tente outra vez.',
  comando_repetido:
    'A caixa recusou o pedido por parecer repetido. Tente outra vez; se continuar, acerte o relógio deste servidor.',
  disco_indisponivel: 'O disco da caixa não grava, e sem isso ela não atende este pedido. Confira o disco dela.',
  prazo_esgotado: 'O equipamento demorou demais a responder. Tente outra vez.',
  cancelado: 'O pedido à caixa foi interrompido. Tente outra vez.',
  interno: 'A caixa falhou ao atender o pedido. Tente outra vez.',
}

/** Portuguese texts for commands that need only the edge. */
export const edgeFailureText: Readonly<Record<FalhaPedido, string>> = {
  ...failureText,
  ocupado: 'A caixa já está atendendo muitos pedidos. Espere alguns segundos e tente outra vez.',
  prazo_esgotado: 'A caixa demorou demais a responder. Tente outra vez.',
}

const portText = (porta: number): string =>
  `O equipamento respondeu por ONVIF e informa o vídeo na porta ${porta}, que não respondeu à caixa. Confira o RTSP ` +
  'no equipamento. Se um roteador troca as portas entre a caixa e ele, informe a porta do vídeo.'

/** Error for a failed probe: 422 on the field if the host or the password is refused, else 503. */
export function probeError({ falha, porta, onvif }: EdgeFailure): VigiaError {
  if (falha === 'endereco_recusado') return invalid(['body', 'host'], failureText[falha])
  if (falha === 'senha_recusada')
    return invalid(['body', 'senha'], [failureText[falha], ...refusedCall(onvif)].join('. '))
  if (porta !== undefined) return new VigiaError('indisponivel', { detalhe: portText(porta) })
  return new VigiaError('indisponivel', { detalhe: [failureText[falha], ...silentCall(falha, onvif)].join(' ') })
}

const logins: Readonly<Record<ChamadaOnvif['login'], string>> = {
  nenhum: 'sem login',
  resumo_http: 'com login por HTTP Digest',
  resumo_ws: 'com login por WS-Security (resumo da senha)',
  texto_ws: 'com login por WS-Security (senha em texto)',
}

/** At most one sentence without a full stop: the call, the port and the login that was tried. */
export const refusedCall = (onvif: ChamadaOnvif | undefined): string[] =>
  onvif === undefined
    ? []
    : [`Ele recusou a chamada ONVIF ${onvif.chamada}, na porta ${onvif.porta}, ${logins[onvif.login]}`]

const silentCall = (falha: FalhaPedido, onvif: ChamadaOnvif | undefined): string[] => {
  if (onvif === undefined) return []
  const { chamada, porta, login } = onvif
  const what = falha === 'sem_onvif' ? 'Não serviu' : 'Ficou sem resposta'
  return [`${what}: a chamada ONVIF ${chamada}, na porta ${porta}, ${logins[login]}.`]
}
