import { z } from 'zod'
import { janelaSchema } from './agenda.ts'
import { nomesIas } from './ias.ts'
import { idSchema, instanteSchema } from './values.ts'

export const tiposCanal = ['webhook', 'whatsapp', 'email'] as const
export type TipoCanal = (typeof tiposCanal)[number]

/** A URL, an E.164 phone number or an e-mail address; which one it must be depends on `tipo` (see destinationProblem). */
const destinoSchema = z.string().trim().max(2048)

/** One window at the top level; `{}`: always. */
const agendaCanalSchema = z.union([z.strictObject({}), janelaSchema])

const campos = {
  tipo: z.enum(tiposCanal),
  destino: destinoSchema,
  destinatarios: z.array(destinoSchema.min(1)).max(100),
  ativo: z.boolean(),
  camera_id: idSchema.nullable(),
  tipos_evento: z
    .array(z.enum(nomesIas))
    .max(nomesIas.length)
    .refine((ias) => new Set(ias).size === ias.length, { error: 'IA repetida' }),
  agenda: agendaCanalSchema,
}

/** Why `destino` cannot be a destination of that kind of channel, in Portuguese; null when it can. '' is none at all. */
export function destinationProblem(tipo: TipoCanal, destino: string): string | null {
  if (destino === '') return null
  switch (tipo) {
    case 'webhook': {
      const url = URL.parse(destino)
      if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
        return 'Use uma URL http:// ou https://, por exemplo https://exemplo.com.br/vigia'
      return url.username === '' && url.password === '' ? null : 'Não ponha usuário nem senha na URL do webhook'
    }
    case 'whatsapp':
      return /^\+[1-9]\d{7,14}$/.test(destino) ? null : 'Use o número com país e DDD, só dígitos: +5511987654321'
    case 'email':
      return z.email().safeParse(destino).success
        ? null
        : 'Use um endereço de e-mail, por exemplo guarita@exemplo.com.br'
  }
}

interface Destinos {
  readonly tipo: TipoCanal
  readonly destino: string
  readonly destinatarios: readonly string[]
}

/** The first problem of each destination, with its place. */
export function destinationProblems({
  tipo,
  destino,
  destinatarios,
}: Destinos): { path: (string | number)[]; message: string }[] {
  const at = (path: (string | number)[], text: string) => {
    const message = destinationProblem(tipo, text)
    return message === null ? [] : [{ path, message }]
  }
  return [at(['destino'], destino), ...destinatarios.map((text, index) => at(['destinatarios', index], text))].flat()
}

export const canalCreateSchema = z
  .object({
    empresa_id: idSchema,
    tipo: campos.tipo.default('webhook'),
    destino: campos.destino.default(''),
    destinatarios: campos.destinatarios.default([]),
    ativo: campos.ativo.default(true),
    camera_id: campos.camera_id.default(null),
    tipos_evento: campos.tipos_evento.default([]),
    agenda: campos.agenda.default({}),
  })
  .superRefine((canal, ctx) => {
    for (const { path, message } of destinationProblems(canal)) ctx.addIssue({ code: 'custom', path, message })
  })
export type CanalCreate = z.infer<typeof canalCreateSchema>

/** null leaves a field as it is, but for `camera_id`, which it empties. */
export const canalPatchSchema = z.strictObject({
  empresa_id: idSchema.nullish(),
  tipo: campos.tipo.nullish(),
  destino: campos.destino.nullish(),
  destinatarios: campos.destinatarios.nullish(),
  ativo: campos.ativo.nullish(),
  camera_id: campos.camera_id.optional(),
  tipos_evento: campos.tipos_evento.nullish(),
  agenda: campos.agenda.nullish(),
})
export type CanalPatch = z.infer<typeof canalPatchSchema>

export const canalNotificacaoSchema = z.object({
  id: z.int(),
  empresa_id: z.int(),
  ...campos,
  criado_em: instanteSchema,
  atualizado_em: instanteSchema,
})
export type CanalNotificacao = z.infer<typeof canalNotificacaoSchema>

/** `whsec_…` (Standard Webhooks), shown when it is made and never again; null: not a webhook. */
export const canalCriadoSchema = canalNotificacaoSchema.extend({ segredo: z.string().nullable() })
export type CanalCriado = z.infer<typeof canalCriadoSchema>

export const testeCanalSchema = z.object({
  ok: z.boolean(),
  /** Portuguese, one for each destination that failed; holds no credential. */
  erros: z.array(z.string()),
})
export type TesteCanal = z.infer<typeof testeCanalSchema>
