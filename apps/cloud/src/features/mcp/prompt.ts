import type { z } from 'zod'
import type { ToolContext } from './tool.ts'

/** `texto`: our own words. `dados`: what comes from records, which the server marks as data. */
type PromptMessage = { readonly texto: string } | { readonly dados: Readonly<Record<string, unknown>> }

interface PromptSpec<A extends z.ZodObject> {
  /** `relatorio_do_turno` */
  readonly nome: string
  readonly titulo: string
  /** Portuguese. */
  readonly descricao: string
  /** Arguments of a prompt are texts: there is at least one, and every field takes a string (`idTexto` and the like), with `.describe()`. */
  readonly argumentos: A
  /** Names of the routes that it calls, or whose tools it asks for: who may call all of them sees the prompt. */
  readonly operacoes: readonly string[]
  /** All messages are the person's; at least one. @throws VigiaError */
  messages(argumentos: z.output<A>, ctx: ToolContext): Promise<readonly PromptMessage[]>
}

/** A prompt with its types closed over. */
export type Prompt = PromptSpec<z.ZodObject>

/** Declares a prompt; the compiler checks what `messages` takes against the schema. */
export function definePrompt<A extends z.ZodObject>(prompt: PromptSpec<A>): Prompt {
  // As in defineTool: the server parses with `argumentos` before it calls `messages`.
  return prompt as unknown as Prompt
}
