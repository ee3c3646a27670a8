import {
  type Acao,
  type Comando,
  comandoLacradoSchema,
  type FalhaPedido,
  type Resultado,
} from '@vigia/contracts/pedidos'
import type { CommandAnswer, CommandContext, CommandHandler } from '@vigia/link/responder'
import { type SealPrivateJwk, unseal } from '@vigia/link/sealed'
import { runActivity } from '@vigia/runtime/activity'
import type { Logger } from 'pino'
import type { CommandStore } from './command-store.ts'

type Outcome<A extends Acao> =
  | { readonly ok: true; readonly resultado: Resultado<A>; readonly corpo?: Buffer }
  | Extract<CommandAnswer, { ok: false }>

/** The handler of each command. */
export type Handlers = {
  readonly [A in Acao]: (comando: Extract<Comando, { acao: A }>, context: CommandContext) => Promise<Outcome<A>>
}

/**
 * Commands that run although their id cannot be stored. They change nothing, access no equipment, and are needed for
 * the repair of a defective edge. The others log in at recorders, which lock an address out after some wrong passwords,
 * or interrupt a camera.
 */
const HARMLESS: ReadonlySet<Acao> = new Set([
  'capturar_quadro',
  'iniciar_ao_vivo',
  'parar_ao_vivo',
  'enviar_miniaturas',
  'transmitir',
  'parar_transmissao',
  'diagnosticar',
])

/**
 * Opens a command with the key of this edge and runs it once, only under the id sealed in it. Neither its content nor
 * its answer is logged.
 */
export function createCommandHandler({
  key,
  commands,
  handlers,
  log,
}: {
  readonly key: SealPrivateJwk
  readonly commands: CommandStore
  readonly handlers: Handlers
  readonly log: Logger
}): CommandHandler {
  return (sealed, context) => runActivity({ fields: { pedido_id: context.id } }, () => handle(sealed, context))

  async function handle(sealed: string, context: CommandContext): Promise<CommandAnswer> {
    const opened = await open(key, sealed)
    if (!opened || opened.id !== context.id) {
      log.warn('command is not readable with the key of this edge, is unknown, or has another id')
      return { ok: false, falha: 'comando_desconhecido' }
    }
    const { comando } = opened
    const { acao } = comando
    const refusal = refuse(commands.admit(opened.id, opened.pedido_em), acao)
    if (refusal) {
      log.warn({ acao, falha: refusal }, 'command refused')
      return { ok: false, falha: refusal, ...(refusal === 'comando_repetido' && { mais_novo: commands.newest }) }
    }
    const begun = performance.now()
    // Each handler accepts the command of its key, which the compiler cannot follow through a union.
    const run = handlers[acao] as (comando: Comando, context: CommandContext) => Promise<CommandAnswer>
    const answer = await run(comando, context)
    const ms = Math.round(performance.now() - begun)
    log.info({ acao, ms, falha: answer.ok ? null : answer.falha }, 'command done')
    return answer
  }
}

function refuse(admission: ReturnType<CommandStore['admit']>, acao: Acao): FalhaPedido | null {
  if (admission === 'repetido') return 'comando_repetido'
  return admission === 'nao_guardado' && !HARMLESS.has(acao) ? 'disco_indisponivel' : null
}

async function open(key: SealPrivateJwk, sealed: string) {
  // The errors are dropped on purpose: they may quote the sealed content.
  const opened = await unseal(key, sealed).catch(() => null)
  return comandoLacradoSchema.safeParse(opened).data ?? null
}
