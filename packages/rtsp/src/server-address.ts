import { canonicalHost } from './address-policy.ts'

/** Default ports (RFC 7826 section 4.2; RFC 9110 section 4.2; service names of IANA for MQTT). */
const defaultPorts: Readonly<Record<string, string>> = {
  'rtsp:': '554',
  'rtsps:': '322',
  'http:': '80',
  'https:': '443',
  'mqtt:': '1883',
  'mqtts:': '8883',
}

/** Host and port of a server, the same for each spelling of its URL. */
export interface ServerAddress {
  /** Normalized by `canonicalHost`. */
  readonly host: string
  /** '': the scheme has no default port, and the URL names none. */
  readonly port: string
  readonly usesDefaultPort: boolean
}

export function serverAddress({
  protocol,
  hostname,
  port,
}: Pick<URL, 'protocol' | 'hostname' | 'port'>): ServerAddress {
  const defaultPort = defaultPorts[protocol] ?? ''
  const asked = port === '' ? defaultPort : port
  return { host: canonicalHost(hostname), port: asked, usesDefaultPort: asked === defaultPort }
}
