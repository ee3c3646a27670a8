import type { Autorizacao } from '@vigia/contracts/autorizacoes'
import type { EscopoOauth } from '@vigia/contracts/oauth'
import { unpackAlcance } from '../../../db/alcance.ts'
import { efeitosOf } from '../../../db/autorizacoes.ts'
import { isLoopback } from '../../../http/loopback-host.ts'
import type { AuthorizationRow } from './store.ts'

export const viewAutorizacao = (row: AuthorizationRow): Autorizacao => ({
  id: row.id,
  cliente_nome: row.nome,
  client_id: row.client_id,
  redirect_hosts: [...new Set((JSON.parse(row.redirect_uris_json) as string[]).map(placeOf))],
  usuario_id: row.usuario_id,
  username: row.username,
  escopo: row.escopo as EscopoOauth,
  alcance: unpackAlcance(row.alcance ?? row.alcance_login, row.papel),
  efeitos: [...efeitosOf(row)],
  criada_em: new Date(row.criada_em).toISOString(),
  usada_em: row.usada_em === null ? null : new Date(row.usada_em).toISOString(),
  expira_em: new Date(row.expira_em).toISOString(),
})

/** Host of a redirect URI; `localhost` for every loopback name; the scheme for a private scheme (`cursor:`). */
function placeOf(uri: string): string {
  const { protocol, host, hostname } = new URL(uri)
  if (protocol !== 'https:' && protocol !== 'http:') return protocol
  return isLoopback(hostname) ? 'localhost' : host
}
