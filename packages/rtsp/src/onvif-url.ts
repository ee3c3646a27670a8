import { type FluxoOnvif, MAX_CAMINHO_ONVIF } from '@vigia/contracts/pedidos'
import { type StreamAddress, streamUrl } from './maker-urls.ts'

/** Where a device is and how one logs in to it. */
export type DeviceAddress = Pick<StreamAddress, 'host' | 'usuario' | 'senha'>

/** RTSP URL of a stream that the device named, at the host that the caller knows it by. Throws `validacao` for an unusable host. */
export const onvifUrl = ({ porta, caminho }: FluxoOnvif, device: DeviceAddress): string =>
  streamUrl('{base}', { ...device, porta, canal: 1 }) + caminho

/** Longest URL that is looked at. */
const MAX_URL = 2048
/** Port, and path with query. */
const parts = /^rtsp:\/\/(?:[^/?#@]*@)?(?:\[[^\]/?#@]*\]|[^:/?#@]*)(?::(\d{1,5}))?(?:([/?][^#]*)?)(?:#.*)?$/is

/**
 * What is the device's own in a URL that it named: it often stands behind a NAT, or was given another address since, and names
 * a host that is none. null: no address of RTSP, or one that could not be stored.
 */
export function fluxoOf(url: string): FluxoOnvif | null {
  const match = url.length > MAX_URL ? null : parts.exec(url.trim())
  if (!match) return null
  const [, port = '554', rest = ''] = match
  const porta = Number(port)
  // In a path an @ means the same in both spellings (RFC 3986 3.3), and what reads URLs leniently takes it for the end of a password.
  const caminho = (rest.startsWith('/') ? rest : `/${rest}`).replaceAll('@', '%40')
  return porta >= 1 && porta <= 65_535 && caminho.length <= MAX_CAMINHO_ONVIF && /^[!-~]+$/.test(caminho)
    ? { porta, caminho }
    : null
}

/** The same stream when the device has another host or other credentials: port and path stay. Takes what `onvifUrl` made. */
export function movedUrl(url: string, device: DeviceAddress): string {
  const fluxo = fluxoOf(url)
  if (!fluxo) throw new RangeError('not a URL that was made of what an ONVIF device named')
  return onvifUrl(fluxo, device)
}
