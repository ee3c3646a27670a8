import { z } from 'zod'
import { idSchema, instanteSchema, textoCurto } from './values.ts'

export const statusEdge = ['aguardando', 'online', 'offline'] as const

export const edgeCreateSchema = z.object({ nome: textoCurto(200), empresa_id: idSchema.nullish() })
export const edgePatchSchema = z.strictObject({ nome: textoCurto(200).nullish() })

/** Answer to creation and to `…/codigo`: the one-time activation code is shown here and nowhere else. */
export const codigoSchema = z.object({ edge_id: z.int(), codigo: z.string(), expira_em: instanteSchema })

export const edgeSchema = z.object({
  id: z.int(),
  nome: z.string(),
  /** null: the local edge of an all-in-one installation, which serves every Empresa without an edge of its own. */
  empresa_id: z.int().nullable(),
  status: z.enum(statusEdge),
  versao: z.string().nullable(),
  visto_em: instanteSchema.nullable(),
  cameras: z.int(),
  /** Events waiting on the box. */
  fila: z.int().nullable(),
  /** Bytes of the disk that holds the outbox. */
  disco: z.object({ total: z.number(), livre: z.number() }).nullable(),
  /** Load, 0–1 of all cores. */
  cpu: z.number().nullable(),
  /** °C. */
  temperatura: z.number().nullable(),
})
export type Edge = z.infer<typeof edgeSchema>

/** Public activation: what a box with a fresh key pair sends, once, with the code it was given. */
export const ativarSchema = z.object({
  codigo: z.string().trim().min(1).max(100),
  /** PKCS#10 certificate request, PEM: proof that the box holds the TLS key. */
  csr: z.string().min(1).max(8192),
  /** Public JWK (EC P-256, use "enc") to which recorder passwords are encrypted. */
  chave_cifra: z.object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string().max(100),
    y: z.string().max(100),
  }),
})
export type Ativar = z.infer<typeof ativarSchema>

export const ativadoSchema = z.object({
  edge_id: z.int(),
  /** Client certificate and the installation's CA, PEM. */
  certificado: z.string(),
  ca: z.string(),
  mqtt: z.object({ url: z.string() }),
})
export type Ativado = z.infer<typeof ativadoSchema>
