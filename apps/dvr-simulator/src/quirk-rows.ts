import { type CameraFailure, cameraFailureText, keyframeWaitText } from '@vigia/contracts/camera-failures'
import { fewConnectionsText, flappingText } from '@vigia/contracts/camera-remarks'
import { LONGEST_GROUP_MS } from '@vigia/contracts/keyframes'
import { portText, refusedByOnvif } from '@vigia/contracts/pedido-failures'
import { type RtspFailure, statusEnd, unsupportedCodec } from '@vigia/rtsp/client/outcome'
import type { QuirkName } from './quirks.ts'

/** A test file, from the root, and the title of a test in it. */
type TestName = readonly [file: string, title: string]

/** An odd device. The page `docs/devices.md` has these rows. */
export interface QuirkRow {
  /** As a person would call it. */
  readonly device: string
  /** Quirks of the simulator; empty: `setting`. */
  readonly quirks: readonly QuirkName[]
  /** Setting of the simulator without a quirk. */
  readonly setting?: string
  /** Texts that a person sees, in order: `online`, `discovered`, or a sentence of the product. */
  readonly sees: readonly string[]
  readonly ends: string
  readonly test: TestName
}

const ONLINE = 'online'
const DISCOVERED = 'discovered'
const failed = (failure: CameraFailure) => cameraFailureText(failure)
const ended = ({ failure, detail }: RtspFailure) => cameraFailureText(failure, detail)
/** The sentence for an answer of the device. */
const answered = (status: number, method: string) => ended(statusEnd(method, status))

const FAULTS = 'apps/dvr-simulator/src/own-client-faults.test.ts'
const UDP = 'apps/dvr-simulator/src/own-client-udp.test.ts'
const CLIENT = 'apps/dvr-simulator/src/own-client.test.ts'
const PROBE = 'apps/dvr-simulator/src/probe.test.ts'
const ONVIF = 'apps/dvr-simulator/src/onvif/onvif.test.ts'
const SESSION = 'apps/edge/src/capture/camera-session.test.ts'
const BAD_INPUT = 'apps/lab/e2e/bad-input.test.ts'
const REASON: TestName = [FAULTS, 'reports the reason for a failed session: %s']
const WHOLE: TestName = [FAULTS, 'receives every picture whole: %s']
const SHOWN: TestName = [BAD_INPUT, 'each failure shows its reason, and the healthy camera stays online']
const RETRIES = 'offline, one attempt at least every 30 s'
const RARE_RETRIES = 'offline, one attempt at least every 2 minutes'

const logins: readonly QuirkRow[] = [
  {
    device: 'Offers only SHA-256 for the login',
    quirks: [],
    setting: '--autenticacao sha256',
    sees: [DISCOVERED, ONLINE],
    ends: 'the own client signs',
    test: [CLIENT, 'signs with %s, also after the nonce has expired: %j'],
  },
  {
    device: 'Reports the nonce as expired',
    quirks: ['nonce_vencido'],
    sees: [DISCOVERED, ONLINE],
    ends: 'one more signature with the new nonce',
    test: [CLIENT, 'signs with %s, also after the nonce has expired: %j'],
  },
  {
    device: 'Refuses all credentials',
    quirks: ['recusa_senha'],
    sees: [failed('senha_recusada')],
    ends: 'offline, no other client, at most four logins an hour at its address',
    test: [SESSION, "never tries FFmpeg's client after a refused login"],
  },
  {
    device: 'Refuses some logins with 401 because it is busy',
    quirks: ['ocupado_401'],
    sees: [failed('senha_recusada'), ONLINE],
    ends: 'online after the next attempt',
    test: [PROBE, 'gets a retry after a temporary %s that follows a success, and no report of a wrong password'],
  },
  {
    device: 'Refuses some logins with 403 because it is busy',
    quirks: ['ocupado_403'],
    sees: [answered(403, 'DESCRIBE'), ONLINE],
    ends: 'online after the next attempt',
    test: [PROBE, 'gets a retry after %s on the first channel'],
  },
]

const dialogues: readonly QuirkRow[] = [
  {
    device: 'Accepts the connection and never answers, or answers no request after DESCRIBE',
    quirks: ['mudo', 'mudo_apos_describe', 'cabecalho_sem_fim'],
    sees: [failed('sem_resposta')],
    ends: RETRIES,
    test: REASON,
  },
  {
    device: 'Has wrong or no CSeq in its answers, or refuses OPTIONS',
    quirks: ['cseq_zero', 'sem_cseq', 'options_404', 'options_405'],
    sees: [DISCOVERED, ONLINE],
    ends: 'the only pending request has the answer; the status of OPTIONS is ignored',
    test: [PROBE, 'describes the channels of a recorder with the oddity %s'],
  },
  {
    device: 'Has no free session: 453',
    quirks: ['ocupado_453'],
    sees: [answered(453, 'DESCRIBE'), ONLINE],
    ends: 'online after the next attempt',
    test: REASON,
  },
  {
    device: 'Is busy: 503',
    quirks: ['ocupado_503'],
    sees: [answered(503, 'DESCRIBE'), ONLINE],
    ends: 'online after the next attempt',
    test: REASON,
  },
  {
    device: 'Cuts the connection of surplus clients',
    quirks: ['corta'],
    sees: [failed('fluxo_encerrado'), ONLINE],
    ends: 'online after the next attempt',
    test: REASON,
  },
  {
    device: 'Has no camera at this channel: 404',
    quirks: ['vazio_404'],
    sees: [answered(404, 'DESCRIBE')],
    ends: RARE_RETRIES,
    test: SHOWN,
  },
  {
    device: 'Has no camera at this channel: 454',
    quirks: ['vazio_454'],
    sees: [answered(454, 'DESCRIBE')],
    ends: RARE_RETRIES,
    test: [PROBE, 'continues after channels that answer %s, and reports them as empty'],
  },
  {
    device: 'Has no camera at this channel: 503',
    quirks: ['vazio_503'],
    sees: [answered(503, 'DESCRIBE')],
    ends: RETRIES,
    test: [PROBE, 'continues after channels that answer %s, and reports them as empty'],
  },
  {
    device: 'Has no camera at this channel: a description without video',
    quirks: ['sem_video'],
    sees: [failed('sem_video')],
    ends: RARE_RETRIES,
    test: REASON,
  },
  {
    device: 'Redirects to another device',
    quirks: ['redireciona'],
    sees: [cameraFailureText('redirecionado', 'respondeu 302 a DESCRIBE: rtsp://10.9.8.7:8554')],
    ends: 'offline: the address policy has not checked the target',
    test: [PROBE, 'does not follow a redirection to another address, and names it'],
  },
  {
    device: 'Redirects to another path of its own',
    quirks: ['redireciona_caminho'],
    sees: [DISCOVERED, ONLINE],
    ends: 'one redirection to the same address is followed',
    test: [PROBE, 'follows a redirection to the same address'],
  },
  {
    device: 'Refuses its audio track',
    quirks: ['recusa_audio'],
    sees: [ONLINE],
    ends: 'the video without the audio',
    test: [SESSION, 'reads the video of a recorder that refuses its audio'],
  },
]

const transports: readonly QuirkRow[] = [
  {
    device: 'Offers only UDP',
    quirks: ['udp_so'],
    sees: [ONLINE],
    ends: 'UDP in the same session after 461; *Agora: UDP*',
    test: [UDP, 'plays a camera that offers only UDP, without a setting'],
  },
  {
    device: 'Accepts TCP and sends nothing over it',
    quirks: ['tcp_sem_pacotes'],
    sees: [failed('sem_quadros'), ONLINE],
    ends: 'UDP after 10 s without a packet, and from then on; *Agora: UDP*',
    test: [SESSION, 'reads a camera that is of use over UDP only: %s'],
  },
  {
    device: 'Offers only TCP',
    quirks: ['tcp_so'],
    sees: [ONLINE],
    ends: `only a camera with the transport UDP is offline: *${failed('transporte_recusado')}*`,
    test: [UDP, 'ends with a reason: %s at a camera with %s'],
  },
  {
    device: 'Sends packets out of order and twice',
    quirks: ['fora_de_ordem'],
    sees: [cameraFailureText('video_danificado', '5 quadros-chave seguidos com pacotes fora de ordem'), ONLINE],
    ends: 'UDP after five damaged keyframes, and from then on: packets are put in order over UDP',
    test: [SESSION, 'reads a camera that is of use over UDP only: %s'],
  },
  {
    device: 'Loses packets',
    quirks: ['perde_pacotes'],
    sees: [ONLINE],
    ends: 'continues at the next keyframe',
    test: [FAULTS, 'resumes at a keyframe after a lost packet, and marks that keyframe as a discontinuity'],
  },
]

const sessions: readonly QuirkRow[] = [
  {
    device: 'Keeps a session only by OPTIONS, or only by GET_PARAMETER',
    quirks: ['sessao_options', 'sessao_get_parameter'],
    sees: [ONLINE],
    ends: 'the listed keep-alive',
    test: [FAULTS, 'keeps a session alive: %s'],
  },
  {
    device: 'Keeps a session only by GET_PARAMETER, and does not list it',
    quirks: ['get_parameter_oculto'],
    sees: [failed('fluxo_encerrado'), ONLINE],
    ends: `two interruptions, then both keep-alives. Without them: *${flappingText(60)}*`,
    test: [FAULTS, 'learns to send GET_PARAMETER to a server that needs it and lists it not: %s'],
  },
  {
    device: 'Ends its first session for a second one',
    quirks: ['uma_sessao_derruba'],
    sees: [failed('fluxo_encerrado'), fewConnectionsText(1) ?? ''],
    ends: 'online, without a second session',
    test: [
      'apps/edge/src/supervisor/learned-connections.native.test.ts',
      'opens no second session at a device that ends the first one for it, after two losses',
    ],
  },
  {
    device: 'Sends its first session worse while there is a second one',
    quirks: ['segunda_sessao_piora'],
    sees: [ONLINE, fewConnectionsText(1) ?? ''],
    ends: 'online, without a second session',
    test: [
      'apps/edge/src/supervisor/learned-connections.native.test.ts',
      'ends a second session that makes the first one worse again, and opens no more',
    ],
  },
  {
    device: 'Ends the video again and again',
    quirks: ['encerra'],
    sees: [failed('fluxo_encerrado')],
    ends: 'connects again; a regular end is named with its period',
    test: REASON,
  },
  {
    device: 'Stops sending',
    quirks: ['trava'],
    sees: [failed('video_parado')],
    ends: 'connects again',
    test: REASON,
  },
]

const streams: readonly QuirkRow[] = [
  {
    device: 'Packs its pictures in unusual packets',
    quirks: [
      ...(['pacotes_pequenos', 'pacotes_grandes', 'sem_marca', 'marca_em_tudo', 'sem_sequencia', 'macro'] as const),
      ...(['rtcp_intercalado', 'dados_antes_do_play', 'sem_parametros'] as const),
    ],
    sees: [ONLINE],
    ends: 'every picture is read',
    test: WHOLE,
  },
  {
    device: 'Accepts PLAY and sends no video packet',
    quirks: ['sem_pacotes', 'lixo_bruto'],
    sees: [failed('sem_quadros')],
    ends: 'each client and transport once, then offline',
    test: REASON,
  },
  {
    device: 'Sends packets without video in them',
    quirks: ['lixo'],
    sees: [failed('dados_invalidos')],
    ends: RETRIES,
    test: SHOWN,
  },
  {
    device: 'Sends a codec that is neither H.264 nor H.265',
    quirks: ['codec_desconhecido'],
    sees: [ended(unsupportedCodec('FOO'))],
    ends: RARE_RETRIES,
    test: REASON,
  },
  {
    device: 'Changes the size of its picture',
    quirks: ['parametros_mudam'],
    sees: [ONLINE],
    ends: 'continues with the new parameter sets',
    test: [FAULTS, 'reports new parameter sets before the picture that uses them: %s, then %s'],
  },
  {
    device: 'Sets its clock while it plays',
    quirks: ['salto_de_tempo'],
    sees: [ONLINE],
    ends: 'the stream time continues by the elapsed real time',
    test: [FAULTS, 'continues the stream time by the elapsed real time after a jump of RTP time'],
  },
  {
    device: 'Changes its RTP source',
    quirks: ['troca_fonte'],
    sees: [ONLINE],
    ends: 'continues at the next keyframe',
    test: [FAULTS, 'starts again at a keyframe when the RTP source changes'],
  },
  {
    device: 'Sends a keyframe each minute or more rarely ("smart" codec)',
    quirks: ['grupo_longo'],
    sees: [cameraFailureText('aguardando_quadro_chave', keyframeWaitText(87_000)), ONLINE],
    ends: `one connection waits for up to ${LONGEST_GROUP_MS / 1000} s`,
    test: [CLIENT, 'begins in the middle of a long group, and waits for its next keyframe'],
  },
  {
    device: 'Sends a keyframe each minute or more rarely in its main stream only (ONVIF)',
    quirks: ['grupo_longo_principal'],
    sees: [ONLINE],
    ends: 'live video of the main stream after a keyframe on request',
    test: [
      'apps/cloud/src/domains/video/transmissoes/keyframe-request.test.ts',
      'shows pictures before the next keyframe of the group, which the device sends on request',
    ],
  },
]

const onvif: readonly QuirkRow[] = [
  {
    device: 'Has only Media 2, or no encoder in its profiles (ONVIF)',
    quirks: [],
    setting: '--onvif-media 2',
    sees: [DISCOVERED],
    ends: 'GetServices, and the size from the SDP',
    test: [ONVIF, 'with the media service %s reports the same streams'],
  },
  {
    device: 'Has local time as its clock, or reports it (ONVIF)',
    quirks: [],
    setting: '--onvif-relogio -10800',
    sees: [DISCOVERED],
    ends: 'the right time is tried after the reported one',
    test: [ONVIF, 'accepts the password of a device that %s'],
  },
  {
    device: 'Accepts only the password itself (ONVIF)',
    quirks: [],
    setting: '--onvif-login texto',
    sees: [refusedByOnvif({ chamada: 'GetProfiles', porta: 80, login: 'resumo_ws' }), DISCOVERED],
    ends: '`senha_em_texto`, after a person agreed',
    test: [ONVIF, 'receives the password itself only if that was chosen, and only from a private network'],
  },
  {
    device: 'Is behind a router that maps the port of RTSP (ONVIF)',
    quirks: [],
    setting: '--onvif-rtsp 554',
    sees: [portText(554), DISCOVERED],
    ends: '`porta_rtsp`, as a person types it',
    test: [ONVIF, 'names the reported port of RTSP when it does not answer, and uses a typed one in its place'],
  },
]

/** Every quirk of the simulator stands in one row. */
export const quirkRows: readonly QuirkRow[] = [
  ...logins,
  ...dialogues,
  ...transports,
  ...sessions,
  ...streams,
  ...onvif,
]
