import { createHeartbeat } from '@vigia/runtime/heartbeat'
import { createLogDestination, surviveStdioErrors } from '@vigia/runtime/log-destination'
import { pino } from 'pino'
import type { ResultadoVerificacao, Verifier } from '../adapters/verifier/interface.ts'
import { createApp } from '../app.ts'
import { loadConfig } from '../config.ts'

/**
 * The unchanged cloud program with a verifier that never answers, or confirms at once (VIGIA_TEST_CONFIRMA). For runs
 * that count delivered eventos and whose pictures are empty. Shortens the reconnection delay.
 */
surviveStdioErrors()
const ended = Promise.withResolvers<ResultadoVerificacao>()
const confirmed: ResultadoVerificacao = {
  ok: true,
  decisao: 'confirmado',
  certeza: 'alta',
  confianca: 0.9,
  motivo: 'Confirmado pelo teste.',
  fonte: 'teste',
}
const confirms = process.env.VIGIA_TEST_CONFIRMA === '1'
const verifier: Verifier = {
  atOnce: confirms ? 8 : 1,
  verify: async () => (confirms ? confirmed : ended.promise),
  stop: async () => ended.resolve({ ok: false, falha: 'indisponivel', detalhe: 'stopped' }),
}
// Must be set before the first use of the thread pool, as in main.ts.
process.env.UV_THREADPOOL_SIZE ??= '32'
const heartbeat = createHeartbeat({ onProblem: () => {} })
const app = createApp({
  config: loadConfig(process.env),
  log: pino({ level: process.env.VIGIA_LOG_LEVEL ?? 'info', base: { servico: 'cloud' } }, createLogDestination()),
  announce: () => {},
  step: heartbeat.step,
  verifier,
  link: { backoff: { minMs: 100, maxMs: 500 }, keepaliveS: 5 },
})
const stop = () => void app.stop().then(() => process.exit(0))
process.on('SIGTERM', stop)
process.on('disconnect', stop)
const { port } = await app.start()
await heartbeat.ready({ porta: port, check: app.alive })
