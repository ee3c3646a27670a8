/**
 * Recorder makers sold in Brazil and the URL forms of their streams. `{base}` is `rtsp://{user}:{pass}@{host}:{port}`;
 * `{channel}` counts from 1, `{channel:02}` pads it to two digits. Confidence A: the maker or several independent
 * sources; B: one validated source; C: listed only, shown as "não verificado".
 */
export interface Fabricante {
  readonly titulo: string
  readonly principal: string
  readonly sub: string
  readonly porta: number
  readonly confianca: 'A' | 'B' | 'C'
}

const realmonitor = {
  principal: '{base}/cam/realmonitor?channel={channel}&subtype=0',
  sub: '{base}/cam/realmonitor?channel={channel}&subtype=1',
  porta: 554,
} as const
const streaming = {
  principal: '{base}/Streaming/Channels/{channel}01',
  sub: '{base}/Streaming/Channels/{channel}02',
  porta: 554,
} as const

export const fabricantes = {
  intelbras: { titulo: 'Intelbras (MHDX, iMHDX, NVD, VIP, Mibo)', ...realmonitor, confianca: 'A' },
  dahua: { titulo: 'Dahua, Imou', ...realmonitor, confianca: 'A' },
  hikvision: { titulo: 'Hikvision, HiLook, HiWatch, Tecvoz T1/THK', ...streaming, confianca: 'A' },
  hikvision_antigo: {
    titulo: 'Hikvision antigo',
    principal: '{base}/h264/ch{channel}/main/av_stream',
    sub: '{base}/h264/ch{channel}/sub/av_stream',
    porta: 554,
    confianca: 'A',
  },
  jfl: { titulo: 'JFL', ...streaming, confianca: 'B' },
  giga: {
    titulo: 'Giga Security e família XM (TWG, Luxvision, Citrox, Greatek, HDL, Clear, Alive)',
    principal: 'rtsp://{host}:{port}/user={user}&password={pass}&channel={channel}&stream=0.sdp?real_stream',
    sub: 'rtsp://{host}:{port}/user={user}&password={pass}&channel={channel}&stream=1.sdp?real_stream',
    porta: 554,
    confianca: 'B',
  },
  xm: {
    titulo: 'XM (forma com sublinhado)',
    principal: 'rtsp://{host}:{port}/user={user}_password={pass}_channel={channel}_stream=0.sdp',
    sub: 'rtsp://{host}:{port}/user={user}_password={pass}_channel={channel}_stream=1.sdp',
    porta: 554,
    confianca: 'A',
  },
  tecvoz_tw: {
    titulo: 'Tecvoz TW, TVT',
    principal: '{base}/chID={channel}&streamType=main&linkType=tcp',
    sub: '{base}/chID={channel}&streamType=sub&linkType=tcp',
    porta: 554,
    confianca: 'B',
  },
  multilaser: {
    titulo: 'Multilaser / Multi',
    principal: '{base}/H264?ch={channel}&subtype=0',
    sub: '{base}/H264?ch={channel}&subtype=1',
    porta: 554,
    confianca: 'C',
  },
  positivo: {
    titulo: 'Positivo',
    principal: '{base}/Streaming/Channels/101',
    sub: '{base}/Streaming/Channels/102',
    porta: 8554,
    confianca: 'C',
  },
  uniview: {
    titulo: 'Uniview',
    principal: '{base}/unicast/c{channel}/s0/live',
    sub: '{base}/unicast/c{channel}/s1/live',
    porta: 554,
    confianca: 'A',
  },
  tplink: {
    titulo: 'TP-Link VIGI, Tapo',
    principal: '{base}/stream1',
    sub: '{base}/stream2',
    porta: 554,
    confianca: 'A',
  },
  reolink: {
    titulo: 'Reolink',
    principal: '{base}/h264Preview_{channel:02}_main',
    sub: '{base}/h264Preview_{channel:02}_sub',
    porta: 554,
    confianca: 'A',
  },
} as const satisfies Record<string, Fabricante>

export type NomeFabricante = keyof typeof fabricantes
export const nomesFabricantes = Object.keys(fabricantes) as [NomeFabricante, ...NomeFabricante[]]

/** Any device with an ONVIF service: it reports its own URLs, and `porta` is the port of the service. */
export const ONVIF = 'onvif'
/** Default port of the ONVIF service; other usual ports are 8000, 8899 (XM family) and 2020 (TP-Link). */
export const PORTA_ONVIF = 80
/** Any other device: the caller provides the URL forms. */
export const GENERICO = 'generico'
export const valoresFabricante = [...nomesFabricantes, ONVIF, GENERICO] as const
export type ValorFabricante = (typeof valoresFabricante)[number]
