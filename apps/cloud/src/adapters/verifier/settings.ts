import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { Secret } from '../secret.ts'

/** Verifiers by their names in VIGIA_VERIFICADORES, in the order in which a chain asks them. */
const verifierNames = ['local', 'vlm'] as const
export type VerifierName = (typeof verifierNames)[number]

/** An OpenAI-compatible endpoint with a vision-language model. */
export interface VlmSettings {
  /** Base URL, for example `https://host/v1`. */
  readonly url: string
  readonly modelo: string
  /** null: the endpoint needs none. */
  readonly chave: Secret | null
  /** Price per million tokens; null: unknown. */
  readonly precoEntrada: number | null
  readonly precoSaida: number | null
  readonly moeda: string
  /** Calls per Empresa and month, where the operator set no other number. */
  readonly chamadasMes: number
  readonly timeoutMs: number
  readonly atOnce: number
}

export interface VerifierValues {
  /** Sorted in the order of the requests. */
  readonly chain: readonly VerifierName[]
  /** null: no endpoint, or it is not in the chain. */
  readonly vlm: VlmSettings | null
}

const integer = (standard: number, least: number, most: number) =>
  z.coerce.number({ error: 'use um número' }).int().min(least).max(most).default(standard)
const preco = z.coerce
  .number({ error: 'use um preço por milhão de tokens, como 0.15' })
  .min(0)
  .max(1_000_000)
  .optional()
const text = z.string().trim().min(1).max(200)

/** Fields of the cloud's environment schema. */
export const verifierEnv = {
  VIGIA_VERIFICADORES: z
    .string()
    .transform((list) => list.split(',').map((name) => name.trim()))
    .pipe(
      z
        .array(z.enum(verifierNames, { error: 'use local, vlm ou local,vlm' }))
        // An external verifier before the local one would get every picture, also those that need no second question.
        .refine((names) => names.join() === verifierNames.filter((name) => names.includes(name)).join(), {
          error: 'use local, vlm ou local,vlm',
        }),
    )
    .optional(),
  VIGIA_VLM_URL: z
    .string()
    .refine(isEndpoint, {
      error: 'use https://servidor/v1, sem usuário nem senha (http:// só para esta máquina ou a própria rede)',
    })
    .optional(),
  VIGIA_VLM_MODELO: text.optional(),
  VIGIA_VLM_CHAVE: z
    .string()
    .transform((value) => new Secret(value))
    .optional(),
  VIGIA_VLM_CHAVE_ARQUIVO: z
    .string()
    .transform((path, ctx) => {
      try {
        const value = readFileSync(path, 'utf8').trim()
        if (value !== '') return new Secret(value)
      } catch {
        // The error below names the variable; the message of the file system adds nothing.
      }
      ctx.addIssue({ code: 'custom', message: 'use o caminho de um arquivo que a central pode ler, com a chave' })
      return z.NEVER
    })
    .optional(),
  VIGIA_VLM_PRECO_ENTRADA: preco,
  VIGIA_VLM_PRECO_SAIDA: preco,
  VIGIA_VLM_MOEDA: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: 'use três letras, como USD ou BRL' })
    .default('USD'),
  VIGIA_VLM_CHAMADAS_MES: integer(1_000, 0, 10_000_000),
  VIGIA_VLM_TEMPO_S: integer(20, 1, 300),
  VIGIA_VLM_SIMULTANEAS: integer(8, 1, 64),
}
type VerifierEnv = z.output<z.ZodObject<typeof verifierEnv>>

/** A problem of settings that are valid one by one; null: none. */
export function verifierProblem(e: VerifierEnv): string | null {
  if (e.VIGIA_VLM_URL !== undefined && e.VIGIA_VLM_MODELO === undefined)
    return 'VIGIA_VLM_MODELO: diga o nome do modelo que VIGIA_VLM_URL oferece'
  if (e.VIGIA_VLM_CHAVE && e.VIGIA_VLM_CHAVE_ARQUIVO)
    return 'VIGIA_VLM_CHAVE_ARQUIVO: use a variável ou o arquivo, não os dois'
  if (e.VIGIA_VERIFICADORES?.includes('vlm') && e.VIGIA_VLM_URL === undefined)
    return 'VIGIA_VERIFICADORES: vlm precisa de VIGIA_VLM_URL'
  return null
}

export function verifierValues(e: VerifierEnv): VerifierValues {
  const { VIGIA_VLM_URL: url, VIGIA_VLM_MODELO: modelo } = e
  const standard: readonly VerifierName[] = url === undefined ? ['local'] : ['local', 'vlm']
  const chain = Object.freeze(e.VIGIA_VERIFICADORES ?? standard)
  if (url === undefined || modelo === undefined || !chain.includes('vlm')) return Object.freeze({ chain, vlm: null })
  const vlm: VlmSettings = Object.freeze({
    url,
    modelo,
    chave: e.VIGIA_VLM_CHAVE ?? e.VIGIA_VLM_CHAVE_ARQUIVO ?? null,
    precoEntrada: e.VIGIA_VLM_PRECO_ENTRADA ?? null,
    precoSaida: e.VIGIA_VLM_PRECO_SAIDA ?? null,
    moeda: e.VIGIA_VLM_MOEDA,
    chamadasMes: e.VIGIA_VLM_CHAMADAS_MES,
    timeoutMs: e.VIGIA_VLM_TEMPO_S * 1000,
    atOnce: e.VIGIA_VLM_SIMULTANEAS,
  })
  return Object.freeze({ chain, vlm })
}

/** Host and port of an endpoint, as people see and accept it. */
export const serverOf = ({ url }: Pick<VlmSettings, 'url'>): string => new URL(url).host

/** The key and pictures of people are sent there, so http is allowed only for this machine and its own network. */
function isEndpoint(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#]/.test(text)) return false
  if (url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || isOwnNetwork(url.hostname.replace(/^\[|\]$/g, ''))
}

/** RFC 6762 (`.local`), RFC 8375 (`.home.arpa`), and names that public DNS does not have. */
function isOwnNetwork(host: string): boolean {
  if (ipaddr.isValid(host)) return ['loopback', 'private', 'uniqueLocal'].includes(ipaddr.process(host).range())
  return !host.includes('.') || /\.(local|lan|internal|home\.arpa)$/i.test(host)
}
