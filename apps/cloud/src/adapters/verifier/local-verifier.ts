import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ia } from '@vigia/contracts/ias'
import { applyReviewBias } from '@vigia/ias/review-bias'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import type { Logger } from '../../http/request-log.ts'
import type { CandidatoVerificacao, ResultadoVerificacao, Verifier } from './interface.ts'
import type { Pedido, Resposta } from './local-protocol.ts'

export interface LocalVerifierOptions {
  readonly log: Logger
  /** Folder of the installer's own models; null: only the models of the product. */
  readonly modelos?: string | null
  /** Time limit for one picture, including the loading of a model, without the start of the process. */
  readonly timeoutMs?: number
  /** Time limit for the start of the process. */
  readonly startMs?: number
  /** The program of the process; tests of the supervision set another one. */
  readonly program?: string
}

const RESTART: BackoffLimits = { minMs: 500, maxMs: 60_000, jitter: [0.5, 1.5] }
const PROGRAM = fileURLToPath(new URL('./local-process.ts', import.meta.url))

/**
 * The embedded verifier: second models in a child process. Starts the process at the first use, and again after it
 * ended, with increasing delays. A picture that makes it hang or crash costs one attempt and does not affect the cloud.
 */
export function createLocalVerifier({
  log,
  modelos = null,
  timeoutMs = 30_000,
  startMs = 60_000,
  program = PROGRAM,
}: LocalVerifierOptions): Verifier {
  let running: Promise<ChildProcess> | null = null
  let current: ChildProcess | null = null
  let failures = 0
  let notBefore = 0
  let nextId = 1
  const stop = new AbortController()
  const children = new Set<ChildProcess>()

  const failed = (why: string) => {
    failures += 1
    const pause = backoffMs(failures, RESTART)
    notBefore = performance.now() + pause
    current?.kill('SIGKILL')
    running = current = null
    log.warn({ motivo: why, proxima_em_ms: pause }, 'verifier process ended')
  }

  const start = (): Promise<ChildProcess> => {
    // The complete environment of the process, without settings of the cloud, because some are secrets.
    const env = { PATH: process.env.PATH ?? '' }
    const child = fork(program, modelos === null ? [] : [modelos], {
      env,
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    children.add(child)
    child.once('exit', () => {
      children.delete(child)
      if (current === child) running = current = null
    })
    // Without a listener, a message to an ended process would crash this one.
    child.on('error', (err) => log.debug({ err }, 'verifier process'))
    current = child
    child.stderr?.on('data', (chunk: Buffer) =>
      log.debug({ saida: chunk.toString('utf8').slice(0, 2000) }, 'verifier process'),
    )
    return answer(child, startMs, (message) => (message.tipo === 'pronto' ? child : null))
  }

  const ask = async (candidato: CandidatoVerificacao): Promise<ResultadoVerificacao> => {
    const id = nextId++
    running ??= start()
    const child = await running
    const pedido: Pedido = {
      id,
      crop: candidato.crop,
      quadro: candidato.quadro,
      caixas: candidato.caixas,
      fonte: candidato.fonte ?? 'sub',
      ia: candidato.ia,
      conf: Number(candidato.calibracao.conf ?? 0.5),
      detalhes: candidato.detalhes,
    }
    child.send(pedido)
    const message = await answer(child, timeoutMs, (m) => (m.tipo !== 'pronto' && m.id === id ? m : null))
    failures = 0
    if (message.tipo === 'falha') return { ok: false, falha: message.falha, detalhe: message.detalhe }
    const { decisao, certeza, confianca, motivo, modelo } = message
    const opinion = { decisao, certeza, confianca, motivo }
    // Only the detector of people and vehicles has a calibrated score.
    const verdict = isScored(candidato) ? applyReviewBias(opinion, candidato.ajuste ?? 0) : opinion
    return { ok: true, ...verdict, fonte: `local:${modelo}` }
  }

  return {
    // The process answers one request after the other on one thread.
    atOnce: 1,
    async verify(candidato) {
      // No second model exists for plates.
      if (ia(candidato.ia).modelo === 'placas')
        return { ok: false, falha: 'sem_suporte', detalhe: `no local verifier for ${candidato.ia}` }
      try {
        // Also delays the queue of the caller, because the verifier is unavailable until the restart.
        await delay(Math.max(0, notBefore - performance.now()), undefined, { signal: stop.signal })
        return await ask(candidato)
      } catch (error) {
        const detalhe = error instanceof Error ? error.message : String(error)
        if (!stop.signal.aborted) failed(detalhe)
        return { ok: false, falha: 'indisponivel', detalhe }
      }
    },
    async stop() {
      stop.abort()
      running = current = null
      await Promise.all([...children].map(kill))
    },
  }
}

const isScored = (candidato: CandidatoVerificacao): boolean => ia(candidato.ia).modelo === 'objetos'

/**
 * The first message for which `pick` returns a value. Rejects when the process ends; after `timeoutMs` it also kills
 * the process.
 */
function answer<T>(child: ChildProcess, timeoutMs: number, pick: (message: Resposta) => T | null): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const settle = (outcome: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      outcome()
    }
    const onMessage = (message: unknown) => {
      const picked = pick(message as Resposta)
      if (picked !== null) settle(() => resolve(picked))
    }
    const onError = (error: Error) => settle(() => reject(error))
    const onExit = (code: number | null, signal: string | null) =>
      settle(() => reject(new Error(`verifier process ended (${signal ?? code})`)))
    const timer = setTimeout(() => {
      // SIGKILL, because a process inside native code does not handle other signals.
      child.kill('SIGKILL')
      settle(() => reject(new Error(`verifier gave no answer in ${timeoutMs} ms`)))
    }, timeoutMs)
    child.on('message', onMessage).on('exit', onExit).on('error', onError)
  })
}

const kill = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
