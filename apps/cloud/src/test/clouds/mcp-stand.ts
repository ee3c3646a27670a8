import { BlockList } from 'node:net'
import { Writable } from 'node:stream'
import { VigiaError } from '@vigia/contracts/errors'
import type { EscopoOauth } from '@vigia/contracts/oauth'
import { type Papel, papeis } from '@vigia/contracts/usuarios'
import { pino } from 'pino'
import type { RateLimit } from '../../adapters/rate-limits/interface.ts'
import { mcpRoutes } from '../../domains/agentes/mcp/routes.ts'
import type { Catalogue, Extras } from '../../domains/agentes/mcp/server.ts'
import { noEffect } from '../../http/effects.ts'
import { listen } from '../../http/listen.ts'
import { newApp } from '../../http/new-app.ts'
import { createReadiness } from '../../http/readiness.ts'
import type { Route } from '../../http/route.ts'
import { onlyReplica } from '../../replicas/replica.ts'
import { postMcp } from '../clients/agent-client.ts'

/** Only /mcp, over real HTTP, with tools, routes and agents of a test. */
export interface McpStand {
  readonly url: string
  /** Lines of the log so far. */
  log(): Record<string, unknown>[]
  /** One POST of JSON to /mcp. */
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** Ends running answers as the server does at its stop; resolves when no connection is open. */
  stop(): Promise<void>
}

interface StandOptions {
  readonly catalogue?: Partial<Catalogue>
  readonly routes?: readonly Route[]
  readonly limit?: RateLimit
  readonly extras?: Extras
  /** false: does not store log lines, for tests that measure memory. */
  readonly keepLog?: boolean
}

/** Accepts Bearer tokens of the form `<login's role>.<scope>.<authorization>`. */
export const tokenOf = (papel: Papel, escopo: EscopoOauth = 'mcp', autorizacaoId = 1): string =>
  [papel, escopo.replace(':', '-'), autorizacaoId].join('.')

export async function startMcpStand({
  catalogue,
  routes = [],
  limit,
  extras,
  keepLog = true,
}: StandOptions): Promise<McpStand> {
  const server = await listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${server.port}`
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      if (keepLog) lines.push(String(chunk))
      done()
    },
  })
  const log = pino({ level: 'debug' }, sink)
  const stopping = new AbortController()
  const mcp = mcpRoutes({
    counted: (_, run) => run(),
    routes: () => routes,
    catalogue: { tools: [], resources: [], prompts: [], ...catalogue },
    publicBase: async ({ header }) => {
      const host = header('host') ?? ''
      if (/^127\.0\.0\.1:\d+$/.test(host)) return `http://${host}`
      throw new VigiaError('proibido', { detalhe: 'Endereço desconhecido.' })
    },
    authenticateAgent: async (token, _base, from) => agentOf(token, from),
    limit: limit ?? { consume: async () => {} },
    extras,
    log,
    replica: onlyReplica,
    draw: async (jpeg) => jpeg,
    checkAnswers: true,
    basePath: '',
  })
  const http = newApp({
    routes: [...routes, ...mcp],
    authenticate: async () => null,
    authenticateEdge: async () => {
      throw new VigiaError('nao_autenticado', { detalhe: 'Sem credencial.' })
    },
    log,
    trustedProxies: new BlockList(),
    stopping: stopping.signal,
    readiness: createReadiness(),
    fallback: () => null,
    checkAnswers: true,
    basePath: '',
  })
  server.serve(http.fetch)
  return {
    url,
    log: () => lines.map((line) => JSON.parse(line)),
    post: (body, headers) => postMcp({ url }, tokenOf('administrador'), body, headers),
    stop: async () => {
      stopping.abort()
      await server.stop(1_000)
    },
  }
}

function agentOf(token: string, from: { endereco: string; pedido: string }) {
  const [role, escopo, id] = token.split('.')
  const papel = papeis.find((known) => known === role)
  if (!papel) return null
  return {
    caller: {
      usuarioId: 7,
      username: 'ana',
      papel: escopo === 'mcp' ? papel : ('usuario' as const),
      empresaId: 1,
      alcance: 'propria' as const,
      escopo: new Set([1]),
      placasOcultas: escopo !== 'mcp' || papel === 'usuario' ? ('tudo' as const) : new Set<number>(),
      efeitos: noEffect,
      origem: { canal: 'agente' as const, cliente: 'Teste (abc)', ...from },
    },
    papelDoLogin: papel,
    escopo: escopo === 'mcp' ? ('mcp' as const) : ('mcp:leitura' as const),
    clientId: 'abc',
    autorizacaoId: Number(id),
    expiraEm: Date.now() + 3_600_000,
  }
}
