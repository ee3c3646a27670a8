import { isIP } from 'node:net'
import { VigiaError } from '@vigia/contracts/errors'
import { findEmpresaByHost } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import { requestHost } from '../../../http/client-address.ts'
import type { RequestInfo } from '../../../http/route.ts'

/**
 * Public origin of the installation (`https://host[:port]`, no final slash): issuer of the tokens, and base of all
 * addresses in the metadata.
 * @throws VigiaError `proibido` for an unknown host name
 */
export type PublicBase = (request: Pick<RequestInfo, 'header' | 'https'>) => Promise<string>

interface PublicBaseDeps {
  readonly db: Database
  readonly urlPublica: string | null
  readonly dominioNeutro: string | null
}

/**
 * Returns the configured origin, else the host of the request if it is known. A foreign name that resolves to this
 * server (DNS rebinding) must not become an issuer. IP literals are safe, because they are not resolved.
 */
export const createPublicBase =
  ({ db, urlPublica, dominioNeutro }: PublicBaseDeps): PublicBase =>
  async ({ header, https }) => {
    if (urlPublica !== null) return urlPublica
    const name = requestHost(header)
    const known =
      name === 'localhost' ||
      name.endsWith('.localhost') ||
      isIP(name.replace(/^\[|\]$/g, '')) !== 0 ||
      (name !== '' && (name === dominioNeutro || (await findEmpresaByHost(db, name)) !== undefined))
    const port = /:\d+$/.exec((header('host') ?? '').trim())?.[0] ?? ''
    const origin = known ? URL.parse(`${https ? 'https' : 'http'}://${name}${port}`)?.origin : undefined
    if (origin === undefined)
      throw new VigiaError('proibido', {
        detalhe: 'Este endereço não é conhecido desta instalação. Ponha-o em VIGIA_URL_PUBLICA e reinicie o Vigia.',
      })
    return origin
  }

/** The MCP server as an OAuth resource (RFC 8707): audience of the tokens. */
export const mcpResource = (base: string): string => `${base}/mcp`

/** Whether `asked` is the same URL as `resource`, also in another notation: upper case, default port, final slash. */
export const sameResource = (asked: string, resource: string): boolean =>
  plainUrl(asked) === plainUrl(resource) && !asked.includes('#')

const plainUrl = (url: string): string | undefined => URL.parse(url)?.href.replace(/\/$/, '')
