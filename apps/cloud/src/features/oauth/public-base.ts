import { isIP } from 'node:net'
import { VigiaError } from '@vigia/contracts/errors'
import { findEmpresaByHost } from '../../db/empresas.ts'
import type { Database } from '../../db/open.ts'
import { requestHost } from '../../http/client-address.ts'
import type { RequestInfo } from '../../http/route.ts'

/**
 * Origin at which the installation is reached (`https://host[:port]`, no final slash): issuer of the tokens, and base of
 * every address that the metadata names.
 * @throws VigiaError `proibido` for a host name that nobody here knows
 */
export type PublicBase = (request: Pick<RequestInfo, 'header' | 'https'>) => Promise<string>

interface PublicBaseDeps {
  readonly db: Database
  readonly urlPublica: string | null
  readonly dominioNeutro: string | null
}

/**
 * The configured origin, else the host that the request names, where that host is known to be ours. A foreign name that was
 * pointed at this address (DNS rebinding) must not become the issuer of tokens; an IP literal cannot be pointed anywhere.
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

/** The MCP server as a resource of OAuth (RFC 8707): audience of the tokens. */
export const mcpResource = (base: string): string => `${base}/mcp`

/** Whether a client that asks for `asked` means `resource`: written otherwise (capital letters), it is the same URL. */
export const sameResource = (asked: string, resource: string): boolean =>
  URL.parse(asked)?.href === URL.parse(resource)?.href && !asked.includes('#')
