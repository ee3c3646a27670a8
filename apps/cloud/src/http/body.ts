import { invalid, VigiaError } from '@vigia/contracts/errors'
import { deeperThan } from './json-depth.ts'

/** Bytes that a body may have unless its route says otherwise. */
export const BODY_LIMIT = 1024 * 1024
/** Arrays and objects inside each other. The deepest body of ours has five; a deep one could exhaust the stack. */
const DEPTH_LIMIT = 32

/** @throws VigiaError `corpo_grande` as soon as more than `limit` bytes are announced or have come. */
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
    // A client that hangs up in the middle is no fault of ours; nobody reads this answer, but the log says what it was.
    if (error instanceof VigiaError || !request.signal.aborted) throw error
    throw invalid(['body'], 'O envio foi interrompido', 'body_incomplete')
  }
  return Buffer.concat(chunks)
}

const mediaType = (request: Request): string =>
  (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/**
 * The JSON value in the body; undefined when there is no body. The last of a repeated key counts.
 * @throws VigiaError `validacao` on `["body"]`: not JSON by its content type, nested too deep, or unreadable.
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
 * The fields of a form (URL-encoded or multipart; the last of a repeated name counts, unless `once`: then it is refused);
 * undefined without a body. An uploaded file stays a `File`, which no schema of ours takes for text.
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
