import { VigiaError } from '@vigia/contracts/errors'
import { z } from 'zod'
import type { Logger } from '../../../http/request-log.ts'
import { parseInput } from '../../../http/validation-items.ts'
import { refusalOf } from './refusal.ts'
import type { Tool, ToolContext, ToolResult } from './tool.ts'
import { AVISO, dataText, PREAMBLE, plainName } from './untrusted.ts'

/** Schema of an answer: `saida` with `aviso`. */
const outputOf = (tool: Pick<Tool, 'saida'>): z.ZodObject =>
  tool.saida.extend({ aviso: z.string().describe('Como ler os textos destes dados') })

/** Identity of the call, for the log. */
export interface CallNames {
  readonly pedido: string
  readonly usuarioId: number | null
  readonly cliente: string
}

/**
 * Calls `tool` and returns a result of the protocol. An expected error is a result too, so that the model can read and
 * correct it. Logs the tool and the outcome, without arguments, which may contain the password of a gravador.
 */
export async function callTool(tool: Tool, entrada: unknown, ctx: ToolContext, log: Logger, names: CallNames) {
  const startedAt = performance.now()
  const fields = (resultado: string) => ({
    id: names.pedido,
    ferramenta: tool.nome,
    resultado,
    ms: Math.round(performance.now() - startedAt),
    usuario_id: names.usuarioId,
    cliente: names.cliente,
  })
  try {
    const result = await tool.run(parseInput(tool.entrada, entrada ?? {}, 'body') as z.output<z.ZodObject>, ctx)
    const dados = outputOf(tool).parse({ ...result.dados, aviso: AVISO })
    log.info(fields('ok'), 'ferramenta de agente')
    return success(dados, result)
  } catch (error) {
    if (ctx.signal.aborted) {
      log.info(fields('cancelada'), 'ferramenta de agente')
      return failure('A chamada foi cancelada. O que já tinha sido gravado continua gravado.')
    }
    const { motivo, texto } = refusalOf(error, names.pedido)
    if (!(error instanceof VigiaError) || motivo === 'interno')
      log.error({ ...fields(motivo), err: error }, 'ferramenta de agente falhou')
    else log.info(fields(motivo), 'ferramenta de agente')
    return failure(texto)
  }
}

const text = (text: string) => ({ type: 'text' as const, text })

const failure = (texto: string) => ({ content: [text(texto)], isError: true })

const success = (dados: Record<string, unknown>, { imagens = [], vinculos = [] }: ToolResult<unknown>) => ({
  content: [
    text(PREAMBLE),
    text(dataText(dados)),
    ...imagens.map(({ tipo, bytes }) => ({
      type: 'image' as const,
      mimeType: tipo,
      data: Buffer.from(bytes).toString('base64'),
    })),
    ...vinculos.map(({ uri, nome }) => ({ type: 'resource_link' as const, uri, name: plainName(nome) })),
  ],
  structuredContent: dados,
})
