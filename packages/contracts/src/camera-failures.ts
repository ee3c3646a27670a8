import { LONGEST_GROUP_MS } from './keyframes.ts'

/** Where the makers keep the setting that lengthens the groups of pictures. */
const SHORTEN_GROUPS =
  'Desligue o modo inteligente no equipamento (Hikvision: H.264+ ou H.265+; Dahua e Intelbras: Smart Codec ou Codec ' +
  'inteligente) e ajuste o intervalo de quadro-chave (I-frame) para 1 a 2 s.'

/**
 * Reasons for a camera without picture: stable codes from the edge to the cloud, each with the Portuguese sentence of
 * `status_detalhe`. Each sentence states the failure and the remedy.
 */
const sentences = {
  conectando: 'Conectando ao equipamento.',
  senha_recusada:
    'Usuário ou senha recusados pelo equipamento. Confira as credenciais da câmera. Para não bloquear o equipamento, ' +
    'a caixa tenta no máximo 4 vezes por hora; para tentar já, use Reiniciar câmera.',
  nao_encontrado: 'O equipamento não conhece este endereço de vídeo. Confira o canal e o caminho da URL.',
  redirecionado:
    'O equipamento manda buscar o vídeo em outro endereço, e a caixa não segue sozinha para outro equipamento. ' +
    'Cadastre o endereço que está entre parênteses.',
  conexao_recusada: 'O equipamento recusou a conexão. Confira o endereço e a porta, e se ele está ligado.',
  sem_rota: 'O endereço do equipamento não é alcançável desta rede. Confira o endereço, o cabo e a rede.',
  nome_nao_resolvido: 'O nome do equipamento não foi encontrado. Confira o endereço ou use o número IP.',
  sem_resposta: 'O equipamento aceita a conexão, mas não responde. Reinicie-o ou confira se a porta é a do RTSP.',
  nao_e_rtsp: 'O que responde neste endereço não é um servidor RTSP. Confira a porta.',
  sem_video: 'O equipamento respondeu, mas não oferece vídeo neste canal. Confira se há câmera ligada a ele.',
  equipamento_ocupado: 'O equipamento não atende agora: está ocupado, ou não há câmera neste canal. Tentando de novo.',
  transporte_recusado:
    'O equipamento não aceita este transporte do vídeo. Escolha “Automático” no transporte da câmera, ou ligue RTSP ' +
    'por TCP no equipamento.',
  sem_quadros: 'A conexão funciona, mas nenhum quadro de vídeo chega. Confira o canal no equipamento.',
  dados_invalidos: 'O equipamento envia dados que não são vídeo válido. Reinicie-o ou troque o codec para H.264.',
  video_danificado:
    'O vídeo chega com pacotes fora de ordem ou faltando, e nenhum quadro-chave (quadro inteiro) chega completo. ' +
    'Confira o cabo, o Wi-Fi e o switch até o equipamento, e tente o outro transporte (TCP ou UDP) em Prova e saúde ' +
    'da câmera.',
  aguardando_quadro_chave:
    'A câmera manda vídeo, mas sem quadro-chave (quadro inteiro), e sem ele não há imagem. A caixa espera por ele ' +
    `até ${LONGEST_GROUP_MS / 1000} s. ${SHORTEN_GROUPS}`,
  sem_quadro_chave:
    `A câmera mandou vídeo por ${LONGEST_GROUP_MS / 1000} s sem nenhum quadro-chave (quadro inteiro), e sem ele não ` +
    `há imagem. ${SHORTEN_GROUPS}`,
  codec_nao_suportado: 'Codec de vídeo não suportado. Configure a câmera para H.264 ou H.265.',
  video_grande_demais:
    'O vídeo desta câmera exige mais memória do que a caixa reserva por câmera. Use o fluxo secundário, ou reduza ' +
    'a resolução ou os quadros de referência no equipamento.',
  fluxo_encerrado:
    'O equipamento encerrou o vídeo. A caixa conecta de novo sozinha. Se isto se repetir, feche outros acessos a ele.',
  video_parado: 'O vídeo parou de chegar. Tentando reconectar.',
  sem_pacote_video:
    'Falta na caixa o pacote de vídeo (node-av), e sem ele ela não lê câmeras. Instale-o na caixa: ela o procura ' +
    'sozinha e começa sem reiniciar.',
  captura_reiniciada:
    'O programa que lê esta câmera falhou, e a caixa o começa de novo. Se isto se repetir, mande o diagnóstico dela ' +
    'ao suporte.',
  url_ilegivel: 'A caixa não conseguiu ler o endereço desta câmera. Grave a URL da câmera outra vez.',
  erro_desconhecido:
    'A caixa não leu o vídeo, por um motivo que ela não conhece, e tenta de novo sozinha. Se continuar, mande esta ' +
    'frase ao suporte.',
  edge_offline: 'A caixa desta câmera está sem contato com a central. Confira a energia e a internet do local.',
  aguardando_edge: 'Aguardando a caixa receber a configuração desta câmera.',
  sem_edge: 'Nenhuma caixa atende esta câmera. Cadastre e ative uma caixa para a Empresa.',
} as const

export type CameraFailure = keyof typeof sentences
export const cameraFailures = Object.keys(sentences) as [CameraFailure, ...CameraFailure[]]

/** Returns the sentence for `code`, followed by `detail` (e.g. the codec's name) in parentheses. */
export const cameraFailureText = (code: CameraFailure, detail?: string | null): string =>
  detail ? `${sentences[code]} (${detail})` : sentences[code]

/** Addition to `aguardando_quadro_chave`. */
export const keyframeWaitText = (waitedMs: number): string => `há ${Math.round(waitedMs / 1000)} s sem quadro-chave`

/** Addition to `equipamento_ocupado` of a camera that waits for a connection to its recorder. */
export const FULL_TEXT = 'limite de conexões do gravador em uso'
