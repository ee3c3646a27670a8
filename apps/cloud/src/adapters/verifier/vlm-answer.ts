import { z } from 'zod'

export const respostasVlm = ['presente', 'ausente', 'nao_da_para_ver'] as const

const answerSchema = z.strictObject({ resposta: z.enum(respostasVlm), motivo: z.string() })

/** Parts of a completion that are read; servers add others. */
const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
})
const usageSchema = z.object({
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }),
})

export type VlmAnswer =
  | { readonly kind: 'answer'; readonly resposta: (typeof respostasVlm)[number]; readonly motivo: string }
  /** The model refused, or wrote something outside the schema. */
  | { readonly kind: 'recusa' | 'resposta' }

const MAX_MOTIVO = 160
/** More tokens than any model takes: a server's number is not trusted. */
const MAX_TOKENS = 10_000_000

/** Reads a completion. Only the enum decides; everything outside the schema is no answer. */
export function readAnswer(completion: unknown): VlmAnswer {
  const { data } = completionSchema.safeParse(completion)
  const [choice] = data?.choices ?? []
  if (choice === undefined) return { kind: 'resposta' }
  const { content, refusal } = choice.message
  if (refusal != null || choice.finish_reason === 'content_filter') return { kind: 'recusa' }
  if (content == null || (choice.finish_reason ?? 'stop') !== 'stop') return { kind: 'resposta' }
  const answer = answerSchema.safeParse(parse(content))
  if (!answer.success) return { kind: 'resposta' }
  return { kind: 'answer', resposta: answer.data.resposta, motivo: cleanSentence(answer.data.motivo) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The model's sentence for a screen or a message; '': not usable. A text in the picture can make the model write
 * anything. So a sentence with a web address, a phone number or mark-up is dropped.
 */
function cleanSentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const isUnsafe =
    /[\p{Cc}\p{Cf}\p{Co}\p{Cs}<>{}[\]`@\\“”]/u.test(line) || /\/\/|www\.|\p{L}\.\p{L}{2}|(\d[ .()-]*){7}/iu.test(line)
  if (isUnsafe || line === '') return ''
  const short = line.length <= MAX_MOTIVO ? line : `${line.slice(0, MAX_MOTIVO - 1).trimEnd()}…`
  return short.replaceAll('"', "'")
}

/** Tokens that the server reports, 0 where it reports none. */
export function readUsage(completion: unknown): { tokensEntrada: number; tokensSaida: number } {
  const { data } = usageSchema.safeParse(completion)
  const { prompt_tokens = 0, completion_tokens = 0 } = data?.usage ?? {}
  return { tokensEntrada: bounded(prompt_tokens), tokensSaida: bounded(completion_tokens) }
}

const bounded = (tokens: number): number => Math.min(MAX_TOKENS, Math.max(0, Math.round(tokens)))
