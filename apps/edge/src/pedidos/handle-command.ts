import { type Acao, type Comando, comandoSchema, type FalhaPedido, type Resultado } from '@vigia/contracts/pedidos'
import type { CommandAnswer, CommandContext, CommandHandler } from '@vigia/link/responder'
import { type SealPrivateJwk, unseal } from '@vigia/link/sealed'
import type { Logger } from 'pino'

type Outcome<A extends Acao> =
  | { readonly ok: true; readonly resultado: Resultado<A>; readonly corpo?: Buffer }
  | { readonly ok: false; readonly falha: FalhaPedido }

/** Who does what: one entry for each command. */
export type Handlers = {
  readonly [A in Acao]: (comando: Extract<Comando, { acao: A }>, context: CommandContext) => Promise<Outcome<A>>
}

/** Opens a command with the key of this edge, and has it done. Neither its content nor that of its answer is logged. */
export function createCommandHandler({
  key,
  handlers,
  log,
}: {
  readonly key: SealPrivateJwk
  readonly handlers: Handlers
  readonly log: Logger
}): CommandHandler {
  return async (sealed, context) => {
    const comando = await open(key, sealed)
    if (!comando) {
      log.warn('command that can not be read with the key of this edge, or is not known')
      return { ok: false, falha: 'comando_desconhecido' }
    }
    const { acao } = comando
    const begun = performance.now()
    // Each entry takes the command under whose name it stands, which the compiler can not follow through a union.
    const handle = handlers[acao] as (comando: Comando, context: CommandContext) => Promise<CommandAnswer>
    const answer = await handle(comando, context)
    const ms = Math.round(performance.now() - begun)
    log.info({ acao, ms, falha: answer.ok ? null : answer.falha }, 'command done')
    return answer
  }
}

async function open(key: SealPrivateJwk, sealed: string): Promise<Comando | null> {
  // The reasons are dropped on purpose: they may quote what was sealed.
  const opened = await unseal(key, sealed).catch(() => null)
  return comandoSchema.safeParse(opened).data ?? null
}
