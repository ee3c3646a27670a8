import type { Causa } from '@vigia/contracts/causa'
import type { ChamadaOnvif } from '@vigia/contracts/chamada-onvif'
import { type FalhaPedido, type Pedido, PRAZO_MAXIMO_MS, pedidoSchema } from '@vigia/contracts/pedidos'
import { encodeAnswer, idSchema } from './answer.ts'
import { type LinkLog, withoutMessage } from './log.ts'
import { decodeMessage } from './messages.ts'

export type CommandAnswer =
  | { readonly ok: true; readonly resultado: object; readonly corpo?: Buffer }
  /** `mais_novo`: contracts, respostaSchema. */
  | {
      readonly ok: false
      readonly falha: FalhaPedido
      readonly mais_novo?: number
      readonly porta?: number
      readonly onvif?: ChamadaOnvif
      readonly causa?: Causa
    }

export interface CommandContext {
  /** Id of the message. The sealed command contains an id too, which must be the same. */
  readonly id: string
  /** Aborts at the command's deadline and on cancellation. */
  readonly signal: AbortSignal
  /** Time limit from arrival. */
  readonly prazoMs: number
}

/**
 * Runs a command (sealed compact JWE). After `signal` aborts, it has GRACE_MS for a partial result; otherwise the
 * answer is `prazo_esgotado` or `cancelado`. An exception becomes the answer `interno`.
 */
export type CommandHandler = (comando: string, context: CommandContext) => Promise<CommandAnswer>

export interface ResponderDeps {
  /** Rejects when sending fails. */
  send(answer: Buffer): Promise<void>
  readonly log: LinkLog
  /** Monotonic, in ms. */
  now(): number
}

/** Runs each command once and answers every arrival of it. */
export interface Responder {
  handle(handler: CommandHandler): void
  /** Handles a command or a cancellation; false when the message has no readable id. */
  receive(payload: Buffer): boolean
  /** Cancels the running commands. */
  stop(): void
}

type Command = Extract<Pedido, { tipo: 'comando' }>

interface Known {
  readonly arrivedAt: number
  /** Exactly one of the two is null: a command is running or answered. */
  cancel: (() => void) | null
  answer: Buffer | null
}

const MAX_RUNNING = 32
/** Above it, new commands are refused, because a command whose id is forgotten early could run twice. */
const MAX_KNOWN = 4_096
/** Above it, failures replace the oldest answers, whose ids stay. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024
/** Time for a cancelled handler to give a partial result. */
const GRACE_MS = 500
const NO_BODY = Buffer.alloc(0)

export function createResponder({ send, log, now }: ResponderDeps): Responder {
  let handler: CommandHandler = async () => ({ ok: false, falha: 'comando_desconhecido' })
  const known = createKnownCommands(now)
  let running = 0

  function encode(id: string, answer: CommandAnswer): Buffer {
    if (!answer.ok) return failure(id, answer.falha, answer)
    const { resultado, corpo = NO_BODY } = answer
    const encoded = encodeAnswer({ resposta: { v: 1, id, ok: true, resultado }, corpo })
    if (encoded === null) log.error({ pedido_id: id, bytes: corpo.length }, 'answer too large for the link')
    return encoded ?? failure(id, 'interno')
  }

  function publish(id: string, answer: Buffer): void {
    send(answer).catch((err: unknown) =>
      log.debug({ err, pedido_id: id }, 'answer not sent; the cloud has given up by now'),
    )
  }

  async function run({ id, prazo_ms, comando }: Command): Promise<void> {
    const control = new AbortController()
    const { signal } = control
    const ended = Promise.withResolvers<Buffer>()
    let falha: FalhaPedido = 'interno'
    const end = (cause: FalhaPedido) => {
      if (signal.aborted) return
      falha = cause
      control.abort()
      setTimeout(() => ended.resolve(failure(id, falha)), GRACE_MS).unref()
    }
    const work = async (): Promise<Buffer> => {
      running += 1
      try {
        return encode(id, await handler(comando, { id, signal, prazoMs: prazo_ms }))
      } catch (error) {
        if (!signal.aborted) log.error({ pedido_id: id, ...withoutMessage(error) }, 'command failed')
        return failure(id, falha)
      } finally {
        running -= 1
      }
    }
    const one: Known = { arrivedAt: now(), cancel: () => end('cancelado'), answer: null }
    known.add(id, one)
    const deadline = setTimeout(() => end('prazo_esgotado'), prazo_ms)
    const answer = await Promise.race([work(), ended.promise])
    clearTimeout(deadline)
    known.keep(one, answer)
    publish(id, answer)
  }

  function take(command: Command): void {
    const { id } = command
    const before = known.of(id)
    if (before !== undefined) {
      if (before.answer !== null) publish(id, before.answer)
      return
    }
    known.forgetOld()
    if (running >= MAX_RUNNING || known.size() >= MAX_KNOWN) {
      log.warn({ pedido_id: id, running, conhecidos: known.size() }, 'too many commands: refused')
      publish(id, failure(id, 'ocupado'))
      return
    }
    run(command).catch((error: unknown) =>
      log.error({ pedido_id: id, ...withoutMessage(error) }, 'command not answered'),
    )
  }

  /** Answers a command of an unknown version at once, so that the requester does not wait for the deadline. */
  function refuse(payload: Buffer): boolean {
    const id = decodeMessage(idSchema, payload)?.id
    if (id !== undefined) publish(id, failure(id, 'comando_desconhecido'))
    return id !== undefined
  }

  return {
    handle: (next) => {
      handler = next
    },
    receive: (payload) => {
      const pedido = decodeMessage(pedidoSchema, payload)
      if (pedido?.tipo === 'comando') take(pedido)
      else if (pedido?.tipo === 'cancelamento') known.of(pedido.id)?.cancel?.()
      else return refuse(payload)
      return true
    },
    stop: () => {
      for (const one of known.all()) one.cancel?.()
    },
  }
}

/** An answer that the command failed. */
function failure(
  id: string,
  falha: FalhaPedido,
  { mais_novo, porta, onvif, causa }: Omit<Extract<CommandAnswer, { ok: false }>, 'ok' | 'falha'> = {},
): Buffer {
  const resposta = { v: 1, id, ok: false, falha, mais_novo, porta, onvif, causa } as const
  const encoded = encodeAnswer({ resposta, corpo: NO_BODY })
  if (encoded === null) throw new Error('a failure always fits')
  return encoded
}

/** The commands that arrived a short time ago, and their answers. */
function createKnownCommands(now: () => number) {
  /** Sorted in the order of arrival. */
  const known = new Map<string, Known>()
  let keptBytes = 0
  return {
    of: (id: string) => known.get(id),
    size: () => known.size,
    all: () => known.values(),
    add: (id: string, one: Known) => known.set(id, one),
    forgetOld(): void {
      for (const [id, { arrivedAt, answer }] of known) {
        if (answer === null) continue
        if (now() - arrivedAt < PRAZO_MAXIMO_MS) break
        known.delete(id)
        keptBytes -= answer.length
      }
    },
    /** Stores the answer of a command. */
    keep(one: Known, answer: Buffer): void {
      one.cancel = null
      one.answer = answer
      keptBytes += answer.length
      for (const [oldId, old] of known) {
        if (keptBytes <= MAX_KEPT_BYTES) return
        if (old.answer === null || old === one) continue
        keptBytes -= old.answer.length
        old.answer = failure(oldId, 'interno')
        keptBytes += old.answer.length
      }
    },
  }
}
