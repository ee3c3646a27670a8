import { type FluxoOnvif, MAX_CAMINHO_ONVIF } from '@vigia/contracts/canais-sondados'
import { type StreamAddress, streamUrl } from './maker-urls.ts'

/** Host and credentials of a device. */
export interface DeviceAddress extends Pick<StreamAddress, 'host' | 'usuario' | 'senha'> {
  /** Port of RTSP in place of the one that the device reports. */
  readonly porta_rtsp?: number | null | undefined
}

/**
 * RTSP URL of a stream reported by the device, at the host given by the caller. Throws `validacao` for an unusable
 * host.
 */
export const onvifUrl = ({ porta, caminho }: FluxoOnvif, device: DeviceAddress): string =>
  streamUrl('{base}', { ...device, porta: device.porta_rtsp ?? porta, canal: 1 }) + caminho

/** Longest accepted URL, in characters. */
const MAX_URL = 2048
/** Port, and path with query. */
const parts = /^rtsp:\/\/(?:[^/?#@]*@)?(?:\[[^\]/?#@]*\]|[^:/?#@]*)(?::(\d{1,5}))?(?:([/?][^#]*)?)(?:#.*)?$/is

/**
 * Returns port and path of a URL reported by a device. The host is dropped: behind a NAT or after a change of address
 * it is wrong. Null: no RTSP URL, or one that cannot be stored.
 */
export function fluxoOf(url: string): FluxoOnvif | null {
  const match = url.length > MAX_URL ? null : parts.exec(url.trim())
  if (!match) return null
  const [, port = '554', rest = ''] = match
  const porta = Number(port)
  // In a path both spellings of @ are equivalent (RFC 3986 3.3), and lenient URL readers take a raw @ for the end of a
  // password.
  const caminho = (rest.startsWith('/') ? rest : `/${rest}`).replaceAll('@', '%40')
  return porta >= 1 && porta <= 65_535 && caminho.length <= MAX_CAMINHO_ONVIF && /^[!-~]+$/.test(caminho)
    ? { porta, caminho }
    : null
}

/**
 * Returns the URL of the same stream for another host, other credentials or `porta_rtsp`: the path stays. `url` is a
 * result of `onvifUrl`.
 */
export function movedUrl(url: string, device: DeviceAddress): string {
  const fluxo = fluxoOf(url)
  if (!fluxo) throw new RangeError('not a URL built by onvifUrl')
  return onvifUrl(fluxo, device)
}
