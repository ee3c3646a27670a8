import { z } from 'zod'
import { Secret } from '../secret.ts'

/** A bucket of an S3-compatible store. */
export interface S3Settings {
  readonly bucket: string
  /** Begin of each key: empty, or with a final slash. */
  readonly prefix: string
  /** null: the address of AWS for the region. */
  readonly endpoint: string | null
  readonly regiao: string
  /** null: the credentials of the machine (provider chain of the SDK: variables, profile, role). */
  readonly chave: { readonly id: string; readonly secreta: Secret } | null
}

/** `s3://bucket`, or with a prefix of path segments. No segment begins with a dot. */
const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)\/?$/

/** Fields of the cloud's environment schema. */
export const mediaEnv = {
  VIGIA_MIDIA: z
    .string()
    .regex(S3_URL, { error: 'use s3://bucket ou s3://bucket/pasta (vazio: pasta de dados)' })
    .optional(),
  VIGIA_S3_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'use uma URL https://servidor:porta' })
    .refine((url) => !/[?#@]/.test(url), { error: 'use uma URL sem usuário, senha nem parâmetros' })
    .optional(),
  VIGIA_S3_REGIAO: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/i, { error: 'use o nome de uma região, como us-east-1' })
    .default('us-east-1'),
  VIGIA_S3_CHAVE_ID: z.string().trim().min(1).max(200).optional(),
  VIGIA_S3_CHAVE_SECRETA: z
    .string()
    .transform((value) => new Secret(value))
    .optional(),
}
type MediaEnv = z.output<z.ZodObject<typeof mediaEnv>>

/** A problem of settings that are valid one by one; null: none. */
export function mediaProblem(e: MediaEnv): string | null {
  if (e.VIGIA_S3_CHAVE_ID !== undefined && e.VIGIA_S3_CHAVE_SECRETA === undefined)
    return 'VIGIA_S3_CHAVE_SECRETA: falta a senha da chave de VIGIA_S3_CHAVE_ID'
  if (e.VIGIA_S3_CHAVE_ID === undefined && e.VIGIA_S3_CHAVE_SECRETA !== undefined)
    return 'VIGIA_S3_CHAVE_ID: falta o nome da chave de VIGIA_S3_CHAVE_SECRETA'
  return null
}

/** The object store that the environment gives; null: media are files of the data folder. */
export function mediaValues(e: MediaEnv): S3Settings | null {
  const [, bucket, folder = ''] = S3_URL.exec(e.VIGIA_MIDIA ?? '') ?? []
  if (bucket === undefined) return null
  const { VIGIA_S3_CHAVE_ID: id, VIGIA_S3_CHAVE_SECRETA: secreta } = e
  return Object.freeze({
    bucket,
    prefix: folder === '' ? '' : `${folder.slice(1)}/`,
    endpoint: e.VIGIA_S3_ENDPOINT ?? null,
    regiao: e.VIGIA_S3_REGIAO,
    chave: id === undefined || secreta === undefined ? null : Object.freeze({ id, secreta }),
  })
}
