import { VigiaError } from '@vigia/contracts/errors'
import type { S3Settings } from './settings.ts'

const RETRY_S = 30

/** Names of errors by which a server reports a missing object: `NotFound` answers HEAD, which has no body. */
const MISSING = new Set(['NoSuchKey', 'NotFound'])

const CREDENTIALS = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidToken',
  'ExpiredToken',
  'TokenRefreshRequired',
])

const OTHER_REGION = new Set([
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
])

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '')

/** Null for a missing object; any other failure is thrown as `asUnavailable`. */
export function nullIfMissing(error: unknown): null {
  if (MISSING.has(nameOf(error))) return null
  throw asUnavailable(error)
}

/** A failed request to the object store, as the caller of the API receives it. The cause is for the log. */
export const asUnavailable = (cause: unknown): VigiaError =>
  new VigiaError('indisponivel', {
    detalhe:
      'O armazenamento de imagens e clipes não atendeu. Tente de novo e, se continuar, avise quem opera o servidor.',
    tentarEmS: RETRY_S,
    cause,
  })

/** Rejects with `asUnavailable` if a request to the object store fails. */
export async function answered<Answer>(request: Promise<Answer>): Promise<Answer> {
  try {
    return await request
  } catch (error) {
    throw asUnavailable(error)
  }
}

/** Portuguese sentence with the setting to correct, for the operator at the start. @param step a verb: `listar` */
export function explainFailure(error: unknown, step: string, { bucket, prefix, endpoint }: S3Settings): string {
  const where = endpoint ?? 'AWS'
  const name = nameOf(error)
  if (name === 'NoSuchBucket')
    return `O bucket ${bucket} não existe em ${where}. Crie-o, ou corrija VIGIA_MIDIA ou VIGIA_S3_ENDPOINT.`
  if (name === 'CredentialsProviderError')
    return (
      `Faltam as credenciais de s3://${bucket}. ` +
      'Defina VIGIA_S3_CHAVE_ID e VIGIA_S3_CHAVE_SECRETA, ou dê um papel (role) a esta máquina.'
    )
  if (CREDENTIALS.has(name))
    return `O servidor S3 (${where}) recusou as credenciais. Confira VIGIA_S3_CHAVE_ID e VIGIA_S3_CHAVE_SECRETA.`
  if (OTHER_REGION.has(name)) return `O bucket ${bucket} é de outra região. Corrija VIGIA_S3_REGIAO.`
  if (name === 'RequestTimeTooSkewed')
    return 'O relógio desta máquina difere do relógio do servidor S3. Acerte o relógio e inicie de novo.'
  const status = statusOf(error)
  if (status === 403)
    return `As credenciais não têm permissão para ${step} em s3://${bucket}/${prefix}. Dê essa permissão à chave.`
  if (status === null)
    return `O servidor S3 (${where}) não responde (${codeOf(error)}). Confira VIGIA_S3_ENDPOINT e a rede.`
  return `O servidor S3 (${where}) não deixou ${step} em s3://${bucket}/${prefix} (${status} ${name}).`
}

/** HTTP status of an answer with an error; null: there was no answer. */
function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('$metadata' in error)) return null
  return (error.$metadata as { readonly httpStatusCode?: number }).httpStatusCode ?? null
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : nameOf(error) || String(error)
