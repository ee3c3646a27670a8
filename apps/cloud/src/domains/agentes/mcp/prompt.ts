import type { z } from 'zod'
import type { ToolContext } from './tool.ts'

/** `texto`: text of the program. `dados`: recorded values, which the server marks as data. */
type PromptMessage = { readonly texto: string } | { readonly dados: Readonly<Record<string, unknown>> }

interface PromptSpec<A extends z.ZodObject> {
  /** `relatorio_do_turno` */
  readonly nome: string
  readonly titulo: string
  /** Portuguese. */
  readonly descricao: string
  /** At least one argument. Arguments are texts: every field parses a string (like `idTexto`) and has `.describe()`. */
  readonly argumentos: A
  /**
   * Names of the routes that it calls or whose tools it mentions. A caller with access to all of them sees the prompt.
   */
  readonly operacoes: readonly string[]
  /** At least one message; all have the role `user`. @throws VigiaError */
  messages(argumentos: z.output<A>, ctx: ToolContext): Promise<readonly PromptMessage[]>
}

/** A prompt without its type parameters. */
export type Prompt = PromptSpec<z.ZodObject>

/** Declares a prompt. The compiler checks the arguments of `messages` against the schema. */
export function definePrompt<A extends z.ZodObject>(prompt: PromptSpec<A>): Prompt {
  // The cast is safe, because the server parses with `argumentos` before it calls `messages`.
  return prompt as unknown as Prompt
}
