import { invalid } from '@vigia/contracts/errors'
import {
  fabricantes,
  GENERICO,
  type NomeFabricante,
  nomesFabricantes,
  ONVIF,
  type ValorFabricante,
} from '@vigia/contracts/fabricantes'
import { percentDecode, percentEncode } from './percent.ts'

export type Stream = 'principal' | 'sub'

export interface StreamAddress {
  readonly host: string
  readonly porta: number
  readonly usuario: string
  readonly senha: string
  /** Counted from 1; ignored for templates with a single channel. */
  readonly canal: number
}

export interface StreamPath {
  readonly canal: number
  readonly stream: Stream
  /** The first maker of the catalogue with this form, because several makers share a form. */
  readonly fabricante: NomeFabricante
  /** Only for forms with the credentials in the path (XM family). */
  readonly usuario?: string
  readonly senha?: string
}

/** Longest accepted request target; bounds the processing time of a hostile path. */
const MAX_PATH = 2048

/** URL forms of the two streams of a recorder. */
export interface UrlTemplates {
  readonly principal: string
  /** Null: unknown. */
  readonly sub: string | null
}

/**
 * Returns the maker's own forms; for `generico` the forms stored with the recorder. Null for `onvif`: these devices
 * report the URL of each stream. Throws `validacao` for a `generico` without a form.
 */
export function templatesOf(
  fabricante: ValorFabricante,
  own: { readonly url_template: string | null; readonly sub_url_template: string | null },
): UrlTemplates | null {
  if (fabricante === ONVIF) return null
  if (fabricante !== GENERICO) return fabricantes[fabricante]
  if (own.url_template === null)
    throw invalid(['body', 'url_template'], 'Informe o modelo de URL do gravador genérico', 'missing')
  return { principal: own.url_template, sub: own.sub_url_template }
}

/** Whether the form has a channel placeholder; without it the device has only channel 1. */
export const hasChannels = (template: string): boolean => /\{channel(:02)?\}/.test(template)

/**
 * Position of the credentials in a form: `userinfo` for the server's challenge, `path` within each request (XM family).
 */
export function credentialPositions(template: string): { readonly userinfo: boolean; readonly path: boolean } {
  const authority = /^(\{base\}|rtsps?:\/\/[^/?]*)/.exec(template)?.[0] ?? ''
  return {
    userinfo: /\{base\}|@/.test(authority),
    path: template.slice(authority.length).includes('{pass}'),
  }
}

/**
 * Builds the RTSP URL of one stream of a recorder from its form (placeholders: contracts/fabricantes.ts). Credentials
 * are percent-encoded; an IPv6 host is in brackets. Without a user name the URL has no credentials if the form allows
 * it. Throws `validacao` for a host that would change the URL's meaning.
 */
export function streamUrl(template: string, address: StreamAddress): string {
  const host = urlHost(address.host)
  const separator = template.includes('_password=') ? '_' : '&'
  const encode = (value: string) => encodeInPath(value, separator)
  const values: ReadonlyMap<string, string> = new Map([
    ['base', `rtsp://${userinfo(address)}${host}:${address.porta}`],
    // Replaced as a whole, so that the delimiters disappear without a user.
    ['{user}:{pass}@', userinfo(address)],
    ['{user}@', userinfo({ ...address, senha: '' })],
    ['host', host],
    ['port', String(address.porta)],
    ['user', encode(address.usuario)],
    ['pass', encode(address.senha)],
    ['channel', String(address.canal)],
    ['channel:02', String(address.canal).padStart(2, '0')],
  ])
  return template.replace(
    /\{user\}(?::\{pass\})?@|\{([a-z0-9:]+)\}/g,
    (whole, name: string | undefined) => values.get(name ?? whole) ?? whole,
  )
}

/** In the underscore form `_` ends a value, so it is encoded too. */
export const encodeInPath = (value: string, separator: '_' | '&'): string =>
  separator === '_' ? percentEncode(value).replaceAll('_', '%5F') : percentEncode(value)

const userinfo = ({ usuario, senha }: StreamAddress): string => {
  if (usuario === '') return ''
  return senha === '' ? `${percentEncode(usuario)}@` : `${percentEncode(usuario)}:${percentEncode(senha)}@`
}

function urlHost(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  if (/^[0-9a-f:.]*:[0-9a-f:.]*(%[\w.-]+)?$/i.test(bare)) return `[${bare}]`
  if (/^[\p{L}\p{N}_.-]+$/u.test(bare)) return bare
  throw invalid(['body', 'host'], 'Endereço inválido: informe só o IP ou o nome do equipamento, sem porta nem barras.')
}

interface Form {
  readonly fabricante: NomeFabricante
  readonly stream: Stream
  readonly pattern: RegExp
}

const placeholders: Record<string, string> = {
  '{channel}': '(?<canal>\\d{1,3})',
  '{channel:02}': '(?<canal>\\d{2,3})',
  '{user}': '(?<usuario>.*?)',
  '{pass}': '(?<senha>.*)',
}

const forms: readonly Form[] = nomesFabricantes.flatMap((fabricante) =>
  (['principal', 'sub'] as const).map((stream) => ({
    fabricante,
    stream,
    pattern: patternOf(fabricantes[fabricante][stream]),
  })),
)

/**
 * The inverse of `streamUrl` for a request's path and query (`/cam/realmonitor?channel=1&subtype=0`). Returns channel,
 * stream and, for the XM forms, the credentials. Other query parameters are ignored. Null for an unknown form.
 */
export function matchStreamPath(path: string): StreamPath | null {
  if (path.length > MAX_PATH) return null
  for (const { fabricante, stream, pattern } of forms) {
    const match = pattern.exec(path)
    if (!match) continue
    const { canal = '1', usuario, senha } = match.groups ?? {}
    if (Number(canal) < 1) return null
    const found = { canal: Number(canal), stream, fabricante }
    if (usuario === undefined || senha === undefined) return found
    return { ...found, usuario: percentDecode(usuario), senha: percentDecode(senha) }
  }
  return null
}

/** Built from the template that `streamUrl` fills, so that both stay consistent. */
function patternOf(template: string): RegExp {
  const path = template
    .replace(/^(\{base\}|rtsp:\/\/\{host\}:\{port\})/, '')
    // Many XM clients omit this part.
    .replace(/\?real_stream$/, '')
  const source = path
    .split(/(\{[a-z0-9:]+\})/)
    .map((part) => placeholders[part] ?? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('')
    // Some TVT firmwares expect `/?chID=…`.
    .replace(/^\/chID/, '/\\??chID')
  return new RegExp(`^${source}(?:[&?].*|/)?$`, 'is')
}
