import { VigiaError } from '@vigia/contracts/errors'
import { z } from 'zod'
import { defineRoute, type Route } from '../../http/route.ts'
import { openAlertStream, type StreamDeps } from './alert-stream.ts'
import { streamBody } from './stream-body.ts'

/** Streams one login may hold open at once: many dashboards, not a flood. */
const STREAMS_PER_LOGIN = 32

const query = z.object({
  todos: z.enum(['true', 'false', '1', '0'], { error: 'Use true ou false' }).optional(),
  token: z.string().max(200).optional(),
})

export function alertasRoutes(deps: StreamDeps): Route[] {
  const open = new Map<number, number>()
  const count = (usuarioId: number, by: 1 | -1) => {
    const streams = (open.get(usuarioId) ?? 0) + by
    if (streams === 0) open.delete(usuarioId)
    else open.set(usuarioId, streams)
  }

  return [
    defineRoute({
      method: 'get',
      path: '/api/v1/sse/alertas',
      acesso: 'sessao',
      tokenNaQuery: true,
      resumo: 'Alertas em tempo real (Server-Sent Events)',
      query,
      respostas: { 200: { midia: 'text/event-stream' } },
      handler: async ({ caller, query: { todos }, request }) => {
        const { token } = request
        if (token === null) throw new VigiaError('nao_autenticado', { detalhe: 'Entre para continuar.' })
        if ((open.get(caller.usuarioId) ?? 0) >= STREAMS_PER_LOGIN)
          throw new VigiaError('muitas_requisicoes', {
            detalhe: 'Este login já tem conexões de alerta demais abertas. Feche as que não usa.',
            tentarEmS: 30,
          })
        const ended = new AbortController()
        const signal = AbortSignal.any([request.signal, ended.signal])
        const lastEventId = request.header('last-event-id') ?? null
        const source = await openAlertStream(
          deps,
          { token, todos: todos === 'true' || todos === '1', lastEventId },
          signal,
        )
        count(caller.usuarioId, 1)
        ended.signal.addEventListener('abort', () => count(caller.usuarioId, -1), { once: true })
        return new Response(streamBody(source, { abort: () => ended.abort() }), {
          headers: {
            'content-type': 'text/event-stream; charset=utf-8',
            'cache-control': 'no-store',
            // Reverse proxies (nginx) would hold small pieces back.
            'x-accel-buffering': 'no',
          },
        })
      },
    }),
  ]
}
