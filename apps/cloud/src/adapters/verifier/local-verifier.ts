import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ia } from '@vigia/contracts/ias'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import type { Logger } from '../../http/request-log.ts'
import type { CandidatoVerificacao, ResultadoVerificacao, Verifier } from './interface.ts'
import type { Pedido, Resposta } from './local-protocol.ts'

export interface LocalVerifierOptions {
  readonly log: Logger
  /** Folder of the installer's own models; null: only those that come with the product. */
  readonly modelos?: string | null
  /** Longest time for one picture, ms, the loading of a model included, the start of the process not. */
  readonly timeoutMs?: number
  /** Longest time for the process to start, ms. */
  readonly startMs?: number
  /** The program to run; another one in tests of the supervision. */
  readonly program?: string
}

const RESTART: BackoffLimits = { minMs: 500, maxMs: 60_000, jitter: [0.5, 1.5] }
const PROGRAM = fileURLToPath(new URL('./local-process.ts', import.meta.url))

/**
 * The embedded verifier: second models in a child process, started when it is first needed and again, with growing
 * pauses, after it died. A picture on which it hangs or crashes costs that attempt, never the cloud.
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
    // Its whole environment: none of the cloud's settings, some of which are secrets.
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
    // Without a listener, a message to a process that has just died would end this one.
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
      ia: candidato.ia,
      conf: Number(candidato.calibracao.conf ?? 0.5),
      detalhes: candidato.detalhes,
    }
    child.send(pedido)
    const message = await answer(child, timeoutMs, (m) => (m.tipo !== 'pronto' && m.id === id ? m : null))
    failures = 0
    if (message.tipo === 'falha') return { ok: false, falha: message.falha, detalhe: message.detalhe }
    const { decisao, confianca, motivo, modelo } = message
    return { ok: true, decisao, confianca, motivo, fonte: `local:${modelo}` }
  }

  return {
    // The process answers one request after the other, on one thread.
    atOnce: 1,
    async verify(candidato) {
      // Plates are read, not seen: there is no second model for them.
      if (ia(candidato.ia).modelo === 'placas')
        return { ok: false, falha: 'sem_suporte', detalhe: `no local verifier for ${candidato.ia}` }
      try {
        // The caller's queue waits here too: no sense in walking through it while there is nobody to ask.
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

/** The first message for which `pick` gives something. Rejects, and kills the process, when it ends or takes too long. */
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
      // SIGKILL: a process that stands inside native code does not come to handle anything milder.
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
