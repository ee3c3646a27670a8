import { MAX_CANAIS, rtspUrlSchema } from '@vigia/contracts/cameras'
import { MAX_CAMINHO_ONVIF } from '@vigia/contracts/canais-sondados'
import type { Fontes } from '@vigia/contracts/edge-state'
import { invalid } from '@vigia/contracts/errors'
import { ONVIF, type ValorFabricante } from '@vigia/contracts/fabricantes'
import type { GravadorCreate } from '@vigia/contracts/gravadores'
import { canonicalHost, isOwnNetwork } from '@vigia/rtsp/address-policy'
import { streamUrl, templatesOf, type UrlTemplates } from '@vigia/rtsp/maker-urls'
import { hasPassword, maskPassword } from '@vigia/rtsp/mask'
import { movedUrl } from '@vigia/rtsp/onvif-url'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { secretPurposes } from '../../../adapters/secret-purposes.ts'
import type { GravadorRow } from '../../../db/rows.ts'
import type { Caller } from '../../../http/caller.ts'
import { requireEffect } from '../../../http/effects.ts'

/** Fields of a gravador for its stream addresses, with the password in plain text. */
export interface GravadorAccess {
  readonly fabricante: ValorFabricante
  readonly url_template: string | null
  readonly sub_url_template: string | null
  /** Normalized by `canonicalHost`. */
  readonly host: string
  readonly porta: number
  readonly usuario: string
  readonly senha: string
  /** Only of `onvif`: port of RTSP in place of the reported one. */
  readonly porta_rtsp: number | null
  /** Only of `onvif`: a login contains the password itself. */
  readonly senha_em_texto: 0 | 1
}

/** Placeholder for a hidden password; in a request it means the stored password. */
export const SENHA_OCULTA = '****'

export const sealPassword = (box: SecretBox, gravadorId: number, senha: string): string =>
  box.seal(senha, secretPurposes.gravadorSenha(gravadorId))

/** @throws Error if the password was sealed with another key. */
export const openGravador = (box: SecretBox, row: GravadorRow): GravadorAccess => ({
  fabricante: row.fabricante as ValorFabricante,
  url_template: row.url_template,
  sub_url_template: row.sub_url_template,
  host: row.host,
  porta: row.porta,
  porta_rtsp: row.porta_rtsp,
  senha_em_texto: row.senha_em_texto,
  usuario: row.usuario,
  senha: box.open(row.senha_cifrada, secretPurposes.gravadorSenha(row.id)),
})

/**
 * Addresses of one canal from the maker's template, including passwords. null: no template, because the device reports
 * them (`onvif`).
 * @throws VigiaError `validacao` for an unusable host.
 */
export function gravadorSources(gravador: GravadorAccess, canal: number): Fontes | null {
  const templates = templatesOf(gravador.fabricante, gravador)
  if (!templates) return null
  const { principal, sub } = templates
  const address = { ...gravador, canal }
  return { rtsp_url: streamUrl(principal, address), sub_rtsp_url: sub === null ? null : streamUrl(sub, address) }
}

/** Fields of a command for an ONVIF device beside its address and credentials. */
export const onvifFields = ({ porta_rtsp, senha_em_texto }: Pick<GravadorAccess, 'porta_rtsp' | 'senha_em_texto'>) => ({
  ...(porta_rtsp !== null && { porta_rtsp }),
  ...(senha_em_texto === 1 && { senha_em_texto: true as const }),
})

/** Rewrites addresses that an ONVIF device reported to its current host and credentials. */
export const movedSources = ({ rtsp_url, sub_rtsp_url }: Fontes, gravador: GravadorAccess): Fontes => ({
  rtsp_url: movedUrl(rtsp_url, gravador),
  sub_rtsp_url: sub_rtsp_url === null ? null : movedUrl(sub_rtsp_url, gravador),
})

/** Template as long as the longest address that an ONVIF device may report. */
const longestOnvif: UrlTemplates = { principal: `{base}${'/'.repeat(MAX_CAMINHO_ONVIF)}`, sub: null }

/** Placeholder for the password in a URL; it occurs in no host or template. */
const PROBE = 'f3b1c07a'

/**
 * Refuses hosts and templates that form invalid addresses. Templates whose password could not be masked are refused
 * too.
 * @throws VigiaError `validacao` on the host, the template, the password or the port of RTSP.
 */
export function requireUsable(gravador: GravadorAccess): void {
  if (gravador.porta_rtsp !== null && gravador.fabricante !== ONVIF)
    throw invalid(['body', 'porta_rtsp'], 'Só um gravador ONVIF tem uma porta de vídeo à parte')
  if (gravador.senha_em_texto === 1 && !(gravador.fabricante === ONVIF && isOwnNetwork(gravador.host)))
    throw invalid(['body', 'senha_em_texto'], 'A senha só vai em texto por ONVIF, a um endereço de rede privada')
  const plain = { ...gravador, usuario: 'u', senha: 's', canal: 1 }
  const problemOf = (template: string, address = plain) =>
    rtspUrlSchema.safeParse(streamUrl(template, address)).error?.issues[0]
  if (problemOf('{base}/'))
    throw invalid(['body', 'host'], 'Endereço inválido: informe só o IP ou o nome do equipamento')
  for (const field of ['url_template', 'sub_url_template'] as const) {
    const problem = gravador[field] === null ? undefined : problemOf(gravador[field])
    if (problem) throw invalid(['body', field], `O modelo não forma uma URL válida. ${problem.message}`)
    const urlWith = (senha: string) =>
      gravador[field] === null ? '' : streamUrl(gravador[field], { ...gravador, senha, canal: 1 })
    // The template is stored and shown unmasked to every login.
    if (hasPassword(urlWith('')))
      throw invalid(['body', field], 'Não escreva a senha no modelo: ponha {pass} no lugar dela e mande-a em senha')
    if (maskPassword(urlWith(PROBE)).includes(PROBE))
      throw invalid(
        ['body', field],
        'Ponha a senha onde ela possa ser ocultada: em {base}, em {user}:{pass}@ ou num parâmetro password={pass}',
      )
  }
  // A percent-encoded character takes up to twelve bytes, so that the length remains to be checked.
  const { principal, sub } = templatesOf(gravador.fabricante, gravador) ?? longestOnvif
  if ([principal, sub].some((template) => template !== null && problemOf(template, { ...gravador, canal: MAX_CANAIS })))
    throw invalid(['body', 'senha'], 'Usuário e senha são longos demais para o endereço de vídeo')
}

/**
 * A person decides whether a password goes in plain text through the network, or to another host.
 * @throws VigiaError `proibido`: a key, or an agent that no person allowed it
 */
export function requirePlainRight(caller: Caller, after: GravadorAccess, before?: GravadorAccess): void {
  if (after.senha_em_texto !== 1 || (before?.senha_em_texto === 1 && before.host === after.host)) return
  requireEffect(caller, 'grants', 'Mandar a senha em texto a um gravador')
}

/**
 * Reads the access fields of a gravador from a request body.
 * @throws VigiaError `validacao`: a masked password (none is stored), or no usable address; `proibido`:
 * `requirePlainRight`
 */
export function accessOf(
  caller: Caller,
  input: Pick<GravadorCreate, 'fabricante' | 'host' | 'porta' | 'usuario' | 'senha'> &
    Partial<Pick<GravadorCreate, 'url_template' | 'sub_url_template' | 'porta_rtsp' | 'senha_em_texto'>>,
): GravadorAccess {
  if (input.senha === SENHA_OCULTA) throw invalid(['body', 'senha'], 'Escreva a senha no lugar de ****')
  const access = {
    fabricante: input.fabricante,
    url_template: input.url_template ?? null,
    sub_url_template: input.sub_url_template ?? null,
    host: canonicalHost(input.host),
    porta: input.porta,
    porta_rtsp: input.porta_rtsp ?? null,
    senha_em_texto: input.senha_em_texto === true ? (1 as const) : (0 as const),
    usuario: input.usuario,
    senha: input.senha,
  }
  requireUsable(access)
  requirePlainRight(caller, access)
  return access
}
