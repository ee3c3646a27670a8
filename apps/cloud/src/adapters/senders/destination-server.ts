import type { TipoCanal } from '@vigia/contracts/destinos'
import { serverAddress } from '@vigia/rtsp/server-address'

/**
 * Lane of a delivery: its server, which gets one message at a time. All e-mail shares one server, and so does WhatsApp.
 */
export function serverOf(tipo: TipoCanal, destino: string): string {
  if (tipo !== 'webhook' && tipo !== 'mqtt') return tipo
  const url = URL.parse(destino)
  if (url === null) return `${tipo}:${destino}`
  const { host, port } = serverAddress(url)
  return `${tipo}:${host}:${port}`
}

const DEFAULT_PREFIX = 'vigia'

/** Prefix of the topics that an MQTT destination names. */
export const prefixOf = ({ pathname }: Pick<URL, 'pathname'>): string =>
  pathname.replace(/^\/|\/$/g, '') || DEFAULT_PREFIX

/** Where the messages of an MQTT destination stay: its server and prefix, the same for each spelling. */
export function brokerTreeOf(destino: string): string {
  const url = URL.parse(destino)
  return url === null ? destino : `${serverOf('mqtt', destino)}/${prefixOf(url)}`
}
