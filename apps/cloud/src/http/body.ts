import { invalid, VigiaError } from '@vigia/contracts/errors'
import { deeperThan } from './json-depth.ts'

/** Largest body in bytes, unless its route sets `limiteBytes`. */
export const BODY_LIMIT = 1024 * 1024
/**
 * Nesting levels of arrays and objects. The deepest schema of the interface has five; a deeper body could exhaust the
 * stack.
 */
export const DEPTH_LIMIT = 32

/** @throws VigiaError `corpo_grande` as soon as more than `limit` bytes are announced or received. */
async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new VigiaError('corpo_grande', { detalhe: `O conteúdo enviado passa do limite de ${limit} bytes.` })
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge()
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.length
      if (length > limit) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    // A client that disconnects during its upload is not a server fault. Only the log shows this error.
    if (error instanceof VigiaError || !request.signal.aborted) throw error
    throw invalid(['body'], 'O envio foi interrompido', 'body_incomplete')
  }
  return Buffer.concat(chunks)
}

const mediaType = (request: Request): string =>
  (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/**
 * The JSON value of the body; undefined: no body. The last value of a repeated key counts.
 * @throws VigiaError `validacao` on `["body"]`: another content type than JSON, nested too deep, or invalid JSON.
 */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  const bytes = await readBytes(request, limit)
  if (bytes.length === 0) return undefined
  if (!/^application\/(json|[a-z0-9.-]+\+json)$/.test(mediaType(request)))
    throw invalid(['body'], 'Envie o conteúdo como application/json', 'content_type')
  if (deeperThan(bytes, DEPTH_LIMIT))
    throw invalid(['body'], `O JSON tem mais de ${DEPTH_LIMIT} níveis de listas e objetos`, 'json_too_deep')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalid(['body'], 'JSON inválido', 'json_invalid')
  }
}

/**
 * The fields of a form, URL-encoded or multipart; `{}`: no body. The last value of a repeated name counts; with `once`
 * a repeated name is rejected. An uploaded file stays a `File`, which no field schema accepts.
 */
export async function readForm(request: Request, limit: number, once = false): Promise<unknown> {
  const bytes = await readBytes(request, limit)
  const type = mediaType(request)
  if (bytes.length === 0) return {}
  if (type === 'application/x-www-form-urlencoded')
    return fieldsOf([...new URLSearchParams(Buffer.from(bytes).toString('utf8'))], once)
  if (type !== 'multipart/form-data')
    throw invalid(['body'], 'Envie um formulário (application/x-www-form-urlencoded)', 'content_type')
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  const data = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers }).formData().catch(() => {
    throw invalid(['body'], 'Formulário inválido', 'form_invalid')
  })
  return fieldsOf([...data], once)
}

function fieldsOf(pairs: readonly (readonly [string, unknown])[], once: boolean): Record<string, unknown> {
  const fields = Object.fromEntries(pairs)
  if (once && Object.keys(fields).length < pairs.length)
    throw invalid(['body'], 'O formulário traz o mesmo campo duas vezes', 'form_repeated')
  return fields
}
