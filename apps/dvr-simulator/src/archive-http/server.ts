import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { createOnvifLogin, type LoginOptions } from '../onvif/login.ts'
import type { ArchiveSettings } from '../rtsp/archive.ts'
import { createDahuaCgi } from './dahua-cgi.ts'
import { searchHikvision } from './hikvision-isapi.ts'
import { type ListSettings, listSchema } from './settings.ts'

export interface ListServerOptions {
  readonly host: string
  readonly archive: ArchiveSettings
  readonly settings: ListSettings
  readonly canais: number
  readonly credentials: LoginOptions['credentials']
}

/** Counters for the tests of clients. */
export interface ListCounts {
  readonly lista_logins_recusados: number
  readonly lista_pedidos: number
  /** Finders that no client destroyed. */
  readonly lista_buscas_abertas: number
}

const DAHUA = '/cgi-bin/mediaFileFind.cgi'
const HIKVISION = '/ISAPI/ContentMgmt/search'
const EMPTY = { children: [], name: '', text: '', attributes: new Map<string, string>() }

/** The HTTP interface of a recorder, as far as it lists recordings: Dahua's CGI and Hikvision's ISAPI. */
export function createListServer({ host, archive, settings, canais, credentials }: ListServerOptions) {
  const list = listSchema.parse(settings)
  const { trechos, fusoMin = 0, relogioS = 0, z = 'utc' } = archive
  const wallMs = relogioS * 1000 + fusoMin * 60_000
  const listed = { trechos, wallMs, zoneMin: fusoMin, zMs: z === 'local' ? wallMs : relogioS * 1000, canais }
  const login = createOnvifLogin({ credentials, login: 'digest', now: Date.now })
  const dahua = createDahuaCgi(listed, list)
  let [refused, asked] = [0, 0]

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://recorder')
    const isSearch = pathname === HIKVISION && request.method === 'POST'
    if (!isSearch && !(pathname === DAHUA && request.method === 'GET')) return void response.writeHead(404).end()
    const verdict = login.judge(request, EMPTY)
    if (verdict === 'wrong') refused++
    if (verdict !== 'ok') {
      response.writeHead(401, { 'WWW-Authenticate': login.challenge ?? '' }).end()
      return
    }
    asked++
    if (list.semPermissao) return void response.writeHead(403).end()
    const answer = isSearch ? searchHikvision(body, listed, list) : dahua.answer(searchParams)
    response.writeHead(answer.status).end(list.corpo ?? answer.body)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  return {
    /** Resolves with the port when the server listens; rejects with the system's error. */
    start: () =>
      new Promise<number>((resolve, reject) => {
        server.once('error', reject)
        server.listen(list.porta, host, () => {
          server.off('error', reject)
          const address = server.address()
          resolve(typeof address === 'object' && address ? address.port : list.porta)
        })
      }),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    get counts(): ListCounts {
      return { lista_logins_recusados: refused, lista_pedidos: asked, lista_buscas_abertas: dahua.open }
    },
  }
}
