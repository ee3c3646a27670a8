import { mensagemAlertaSchema } from '@vigia/contracts/alertas'
import { VigiaError } from '@vigia/contracts/errors'
import { idLongoTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { jsonBelow } from '../../../adapters/base-path.ts'
import type { Bus } from '../../../adapters/bus.ts'
import type { DiskSpace } from '../../../adapters/disk-space.ts'
import { type Caller, callerKey, type Login } from '../../../http/caller.ts'
import type { Logger } from '../../../http/request-log.ts'
import { defineRoute, type RequestInfo, type Route } from '../../../http/route.ts'
import { createSlots } from '../../../http/slots.ts'
import { streamBody } from '../../../http/stream-body.ts'
import { openAlertStream, SESSION_CHECK_MS, type StreamDeps } from './alerta-stream.ts'
import { asMessages, asSse } from './encode.ts'
import { createSessionMonitor } from './session-monitor.ts'
import { createSharedLog } from './shared-log.ts'
import { createShown } from './shown.ts'

/** Largest number of simultaneous streams of one login. */
const STREAMS_PER_LOGIN = 32

const query = z.object({
  todos: z
    .enum(['true', 'false', '1', '0'], { error: 'Use true ou false' })
    .optional()
    .describe('Também eventos pendentes e refutados, mudanças de status das câmeras e quedas'),
  incidentes: z
    .enum(['true', 'false', '1', '0'], { error: 'Use true ou false' })
    .optional()
    .describe('Também incidentes, e mudanças de status e de silêncio das câmeras'),
  ultimo_id: idLongoTexto
    .optional()
    .describe('`id` do último evento recebido: o que veio depois dele é enviado primeiro'),
  token: z.string().max(200).optional().describe('Token da sessão, para clientes que não mandam cabeçalhos'),
})
type Query = z.infer<typeof query>

interface AlertasDeps extends Omit<StreamDeps, 'sharedLog' | 'sessions' | 'shown'> {
  readonly disk: Pick<DiskSpace, 'tolerate'>
  readonly bus: Bus
  readonly log: Logger
  /** Path of the public address; empty: none. */
  readonly basePath: string
  /** Records that a person watches, until the returned function is called. */
  readonly watching: (login: Login) => () => void
}

export function alertasRoutes(deps: AlertasDeps): Route[] {
  const streams = {
    ...deps,
    sharedLog: createSharedLog(deps),
    shown: createShown(deps),
    sessions: createSessionMonitor(deps.authenticate, deps.sessionCheckMs ?? SESSION_CHECK_MS),
  }
  const json = jsonBelow(deps.basePath)
  const slots = createSlots(STREAMS_PER_LOGIN, {
    detalhe: 'Este login já tem conexões de alerta demais abertas. Feche as que não usa.',
    tentarEmS: 30,
  })

  /** The caller's stream, which counts towards its limit until `finished` is called. */
  async function openStream(caller: Caller, { todos, incidentes, ultimo_id }: Query, request: RequestInfo) {
    const { token } = request
    if (token === null) throw new VigiaError('nao_autenticado', { detalhe: 'Entre para continuar.' })
    const release = slots.take(callerKey(caller))
    const ended = new AbortController()
    let leave = deps.watching(caller)
    const changed = (login: Login) => {
      leave()
      leave = deps.watching(login)
    }
    const options = { token, todos: isOn(todos), incidentes: isOn(incidentes), ultimoId: ultimo_id ?? null, changed }
    const finished = () => ended.abort()
    ended.signal.addEventListener(
      'abort',
      () => {
        release()
        leave()
      },
      { once: true },
    )
    const items = await openAlertStream(streams, options, AbortSignal.any([request.signal, ended.signal])).catch(
      (error) => {
        finished()
        throw error
      },
    )
    const failed = (err: unknown) => deps.log.error({ err, id: request.id }, 'canal de alertas interrompido')
    return { items, finished, failed }
  }

  return [
    defineRoute({
      method: 'get',
      path: '/api/v1/sse/alertas',
      acesso: 'sessao',
      efeito: null,
      tokenNaQuery: true,
      operacao: 'ouvirAlertasSse',
      resumo: 'Alertas em tempo real (Server-Sent Events)',
      descricao:
        '`event: alerta` para cada evento confirmado, com o `id` e os dados do evento. Numa reconexão, ' +
        '`Last-Event-ID` (ou `ultimo_id`) traz primeiro o que foi perdido, em ordem. Um comentário a ' +
        'cada 15 s mantém a conexão. Com `incidentes=true`, `event: incidente` traz cada incidente que mudou, sem ' +
        '`id`: depois de uma reconexão, leia a fila outra vez.',
      erros: [429],
      query,
      respostas: { 200: { midia: 'text/event-stream' } },
      handler: async ({ caller, query, request }) => {
        const { items, ...holder } = await openStream(caller, resumed(query, request), request)
        return new Response(streamBody(asSse(items, json), { ...holder, disconnect: request.disconnect }), {
          headers: {
            'content-type': 'text/event-stream; charset=utf-8',
            'cache-control': 'no-store',
            // Without this header, reverse proxies (nginx) buffer small chunks.
            'x-accel-buffering': 'no',
          },
        })
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/v1/ws/alertas',
      acesso: 'sessao',
      efeito: null,
      tokenNaQuery: true,
      operacao: 'ouvirAlertasWebSocket',
      resumo: 'Alertas em tempo real (WebSocket)',
      descricao:
        'Os mesmos dados do canal SSE, uma mensagem de texto JSON `{tipo, id, dados}` cada. O cliente não manda nada ' +
        '(1008). 4401: a sessão acabou; 1001: o serviço está parando. Com o cookie, só da mesma origem.',
      erros: [403, 429],
      query,
      respostas: { 101: { mensagens: mensagemAlertaSchema }, 426: z.object({ detail: z.string() }) },
      handler: async ({ caller, query, request }) => {
        const { items, ...holder } = await openStream(caller, query, request)
        return { status: 101, feed: { messages: asMessages(items, json), ...holder } }
      },
    }),
  ]
}

const isOn = (value: Query['todos']): boolean => value === 'true' || value === '1'

/** 0: the position before the first evento. */
const lastId = z.union([z.literal('0').transform(Number), idLongoTexto])

/** On reconnection a browser sends the header, and the address still has the value of the first request. */
function resumed(query: Query, request: RequestInfo): Query {
  const lastEventId = request.header('last-event-id')
  if (lastEventId === undefined) return query
  const { data } = lastId.safeParse(lastEventId)
  return { ...query, ultimo_id: data }
}
