import type { ChamadaOnvif } from './chamada-onvif.ts'
import type { FalhaPedido } from './pedidos.ts'

const HOST_RECUSADO =
  'Este endereço não pode ser testado: ' +
  'informe o IP ou o nome do equipamento na rede do cliente, não o da própria máquina'

/** Portuguese text for each failure of a command. */
export const failureText: Readonly<Record<FalhaPedido, string>> = {
  endereco_recusado: HOST_RECUSADO,
  nome_nao_resolvido: 'A caixa não encontrou este nome na rede. Confira o nome do equipamento ou informe o IP.',
  inalcancavel: 'O equipamento não respondeu à caixa. Confira o IP, a porta e se ele está ligado na mesma rede.',
  senha_recusada:
    'Usuário ou senha recusados pelo equipamento. Confira-os na tela dele antes de tentar de novo: depois de poucas ' +
    'falhas ele se bloqueia.',
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
  sem_sincronizacao: 'O equipamento não atende pedidos de quadro-chave (quadro inteiro) por ONVIF.',
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

/** Sentence for an ONVIF device whose reported RTSP port does not answer. */
export const portText = (porta: number): string =>
  `O equipamento respondeu por ONVIF e informa o vídeo na porta ${porta}, que não respondeu à caixa. Confira o RTSP ` +
  'no equipamento. Se um roteador troca as portas entre a caixa e ele, informe a porta do vídeo.'

const logins: Readonly<Record<ChamadaOnvif['login'], string>> = {
  nenhum: 'sem login',
  resumo_http: 'com login por HTTP Digest',
  resumo_ws: 'com login por WS-Security (resumo da senha)',
  texto_ws: 'com login por WS-Security (senha em texto)',
}

/** At most one sentence: the refused call, its port and the login that was tried. */
export const refusedCall = (onvif: ChamadaOnvif | undefined): string[] =>
  onvif === undefined
    ? []
    : [`Ele recusou a chamada ONVIF ${onvif.chamada}, na porta ${onvif.porta}, ${logins[onvif.login]}.`]

/** At most one sentence: the call without a useful answer, its port and the login that was tried. */
export function silentCall(falha: FalhaPedido, onvif: ChamadaOnvif | undefined): string[] {
  if (onvif === undefined) return []
  const { chamada, porta, login } = onvif
  const what = falha === 'sem_onvif' ? 'Não serviu' : 'Ficou sem resposta'
  return [`${what}: a chamada ONVIF ${chamada}, na porta ${porta}, ${logins[login]}.`]
}

const MAYBE_PLAIN =
  'Se a senha está certa, este equipamento pode aceitar só a senha em texto: marque isso, se a rede é de confiança.'

/** Sentence for a login that an ONVIF device refused without the password itself. */
export const refusedByOnvif = (onvif: ChamadaOnvif | undefined): string =>
  [failureText.senha_recusada, ...refusedCall(onvif), MAYBE_PLAIN].join(' ')
