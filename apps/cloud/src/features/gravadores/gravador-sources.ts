import { MAX_CANAIS, rtspUrlSchema } from '@vigia/contracts/cameras'
import type { Fontes } from '@vigia/contracts/edge-state'
import { invalid } from '@vigia/contracts/errors'
import type { ValorFabricante } from '@vigia/contracts/fabricantes'
import type { GravadorCreate } from '@vigia/contracts/gravadores'
import { MAX_CAMINHO_ONVIF } from '@vigia/contracts/pedidos'
import { canonicalHost } from '@vigia/rtsp/address-policy'
import { streamUrl, templatesOf, type UrlTemplates } from '@vigia/rtsp/maker-urls'
import { hasPassword, maskPassword } from '@vigia/rtsp/mask'
import { movedUrl } from '@vigia/rtsp/onvif-url'
import type { SecretBox } from '../../adapters/secret-box.ts'
import { secretPurposes } from '../../adapters/secret-purposes.ts'
import type { GravadorRow } from '../../db/rows.ts'

/** What the stream addresses of a recorder are made of, the password in the clear. */
export interface GravadorAccess {
  readonly fabricante: ValorFabricante
  readonly url_template: string | null
  readonly sub_url_template: string | null
  /** In the spelling of `canonicalHost`. */
  readonly host: string
  readonly porta: number
  readonly usuario: string
  readonly senha: string
}

/** What stands in for a password that is not shown, and means "the stored one" where it comes back. */
export const SENHA_OCULTA = '****'

export const sealPassword = (box: SecretBox, gravadorId: number, senha: string): string =>
  box.seal(senha, secretPurposes.gravadorSenha(gravadorId))

/** @throws Error when the password was sealed with another key. */
export const openGravador = (box: SecretBox, row: GravadorRow): GravadorAccess => ({
  fabricante: row.fabricante as ValorFabricante,
  url_template: row.url_template,
  sub_url_template: row.sub_url_template,
  host: row.host,
  porta: row.porta,
  usuario: row.usuario,
  senha: box.open(row.senha_cifrada, secretPurposes.gravadorSenha(row.id)),
})

/**
 * Addresses of one channel by the maker's template, passwords and all. null: there is no template, as the device alone says what
 * they are (`onvif`).
 * @throws VigiaError `validacao` for an unusable host.
 */
export function gravadorSources(gravador: GravadorAccess, canal: number): Fontes | null {
  const templates = templatesOf(gravador.fabricante, gravador)
  if (!templates) return null
  const { principal, sub } = templates
  const address = { ...gravador, canal }
  return { rtsp_url: streamUrl(principal, address), sub_rtsp_url: sub === null ? null : streamUrl(sub, address) }
}

/** Addresses that an ONVIF device once named, for where it is and how one logs in to it now. */
export const movedSources = ({ rtsp_url, sub_rtsp_url }: Fontes, gravador: GravadorAccess): Fontes => ({
  rtsp_url: movedUrl(rtsp_url, gravador),
  sub_rtsp_url: sub_rtsp_url === null ? null : movedUrl(sub_rtsp_url, gravador),
})

/** Stands for what an ONVIF device may name. */
const longestOnvif: UrlTemplates = { principal: `{base}${'/'.repeat(MAX_CAMINHO_ONVIF)}`, sub: null }

/** Stands in a URL where the password will: nothing of a host or a template. */
const PROBE = 'f3b1c07a'

/**
 * Refuses what would make addresses that no edge reads, or that show their password: a host that is none, or a template that
 * is well formed itself and still does, or that puts the password where nobody would know it for one.
 * @throws VigiaError `validacao` on the host, the template or the password.
 */
export function requireUsable(gravador: GravadorAccess): void {
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
    // The template itself is stored and shown as it is, to every login.
    if (hasPassword(urlWith('')))
      throw invalid(['body', field], 'Não escreva a senha no modelo: ponha {pass} no lugar dela e mande-a em senha')
    if (maskPassword(urlWith(PROBE)).includes(PROBE))
      throw invalid(
        ['body', field],
        'Ponha a senha onde ela possa ser ocultada: em {base}, em {user}:{pass}@ ou num parâmetro password={pass}',
      )
  }
  // Percent-encoded, a character takes up to twelve: what remains that may go wrong is the length.
  const { principal, sub } = templatesOf(gravador.fabricante, gravador) ?? longestOnvif
  if ([principal, sub].some((template) => template !== null && problemOf(template, { ...gravador, canal: MAX_CANAIS })))
    throw invalid(['body', 'senha'], 'Usuário e senha são longos demais para o endereço de vídeo')
}

/**
 * What a body says of a recorder's addresses.
 * @throws VigiaError `validacao`: a masked password (there is none to keep), or what makes no usable address.
 */
export function accessOf(
  input: Pick<GravadorCreate, 'fabricante' | 'host' | 'porta' | 'usuario' | 'senha'> &
    Partial<Pick<GravadorCreate, 'url_template' | 'sub_url_template'>>,
): GravadorAccess {
  if (input.senha === SENHA_OCULTA) throw invalid(['body', 'senha'], 'Escreva a senha no lugar de ****')
  const access = {
    fabricante: input.fabricante,
    url_template: input.url_template ?? null,
    sub_url_template: input.sub_url_template ?? null,
    host: canonicalHost(input.host),
    porta: input.porta,
    usuario: input.usuario,
    senha: input.senha,
  }
  requireUsable(access)
  return access
}
