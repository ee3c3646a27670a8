import type { PortaTestada } from '@vigia/contracts/cameras'
import { causaText } from '@vigia/contracts/causa-text'
import { causeOf } from './cause.ts'
import type { NoSlot } from './contact.ts'
import { type Described, isBusyStatus } from './describe.ts'

/** Returns the connection test's result for one port, with a sentence that advises the user. */
export function describePort(porta: number, described: Described | NoSlot): PortaTestada {
  const tcp = !isUnasked(described) && described.kind !== 'unreachable'
  return { porta, tcp, rtsp: tcp && speaksRtsp(described), detalhe: sentence(described) }
}

const isUnasked = ({ kind }: Described | NoSlot): boolean => kind === 'aborted' || kind === 'full'

function speaksRtsp(described: Described | NoSlot): boolean {
  if ('isRtsp' in described) return described.isRtsp
  return described.kind === 'answer' || described.kind === 'unauthorized' || described.kind === 'withheld'
}

function sentence(described: Described | NoSlot): string {
  switch (described.kind) {
    case 'unreachable':
      // Another port of the device may answer.
      if (described.why === 'timeout') return PORT_SILENT
      return described.why === 'no_tls' ? 'A porta atende, mas não com TLS.' : causeText(described)
    case 'aborted':
      return 'O tempo do teste acabou antes desta porta. Teste menos portas de cada vez.'
    case 'full':
      return 'O gravador já tem o máximo de conexões cadastrado para ele. Feche um vídeo aberto e teste outra vez.'
    case 'answer':
      return answerSentence(described)
    case 'unauthorized':
      return described.tried
        ? 'RTSP respondeu e recusou o usuário ou a senha. Confira-os antes de tentar de novo: ' +
            'após poucas falhas o equipamento pode se bloquear.'
        : 'RTSP respondeu e pede usuário e senha.'
    case 'withheld':
      return 'RTSP respondeu e pede usuário e senha; não foram tentados aqui, pois outra porta não os aceitou.'
    case 'silent':
      return described.isRtsp
        ? 'RTSP começou a responder e parou. Reinicie o equipamento se isso se repetir.'
        : 'A porta aceita conexões, mas não respondeu ao RTSP.'
    case 'cut':
      return described.isRtsp
        ? 'RTSP respondeu e desligou no meio. O equipamento pode estar sem conexões livres: tente de novo em instantes.'
        : 'A porta aceita conexões, mas desligou sem responder ao RTSP.'
    case 'overlong':
      return described.isRtsp ? 'RTSP respondeu com dados sem fim.' : causeText(described)
    case 'not_rtsp':
      return causeText(described)
  }
}

/** The sentence that the discovery of channels has for the same answer. */
function causeText(described: Described): string {
  const causa = causeOf(described)
  return (causa && causaText(causa)) ?? PORT_SILENT
}

const PORT_SILENT =
  'A porta não respondeu. Confira o IP, se o equipamento está ligado e se um firewall bloqueia a porta.'

function answerSentence({ status, loggedIn, elsewhere }: Extract<Described, { kind: 'answer' }>): string {
  if (elsewhere !== undefined)
    return (
      `RTSP respondeu ${status}: o equipamento manda buscar o vídeo em ${elsewhere}. A caixa não segue para outro ` +
      'equipamento: teste e cadastre esse endereço.'
    )
  if (isBusyStatus(status))
    return `RTSP respondeu, mas não atende agora (${status}): o equipamento pode estar sem conexões livres.`
  return loggedIn ? 'RTSP respondeu; usuário e senha aceitos.' : 'RTSP respondeu sem pedir senha.'
}
