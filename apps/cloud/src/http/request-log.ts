import { VigiaError } from '@vigia/contracts/errors'
import type { Context } from 'hono'
import type { HttpEnv } from './http-env.ts'

/** Subset of pino: fields first, then the message. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Path parameter that gives access without a session: a picture, or the live stream of one camera. */
const SIGNED = '{assinatura}'

/** One line per answered request. Omits signed paths and the query, which may hold a token, headers and bodies. */
export function logRequest(log: Logger, c: Context<HttpEnv>, ms: number): void {
  const status = c.get('upgraded') ? 101 : c.res.status
  const failure = c.get('failure')
  const fields = {
    id: c.get('requestId'),
    metodo: c.req.raw.method,
    caminho: c.get('route')?.includes(SIGNED) ? c.get('route') : c.req.path,
    rota: c.get('route'),
    status,
    ms: Math.round(ms),
    usuario_id: c.get('caller')?.usuarioId ?? null,
    chave_id: c.get('caller')?.chave?.id ?? null,
    quiosque_id: c.get('caller')?.quiosque?.id ?? null,
    endereco: c.get('address').remoteAddress,
  }
  // An unreachable edge or gravador is no fault of the server: a warning with its sentence.
  const outside = failure instanceof VigiaError && failure.code === 'indisponivel' && failure.cause === undefined
  const faulty = failure && (!(failure instanceof VigiaError) || status >= 500)
  if (outside) log.warn({ ...fields, motivo: failure.detalhe }, 'requisição não atendida')
  else if (faulty) log.error({ ...fields, err: failure }, 'requisição falhou')
  else if (fields.rota === '/healthz' || fields.rota === '/readyz') log.debug(fields, 'requisição')
  else log.info(fields, 'requisição')
}
