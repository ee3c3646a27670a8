import type { ErrorAnswer } from './errors.ts'

/** Error codes of an OAuth endpoint for invalid input. */
export interface OauthErrors {
  readonly invalid: string
  /** Codes for single fields. */
  readonly fields?: Readonly<Record<string, string>>
}

interface OauthErrorAnswer {
  readonly status: ErrorAnswer['status'] | 400
  readonly body: ErrorAnswer['body'] & { readonly error: string; readonly error_description: string }
  readonly headers: Readonly<Record<string, string>>
}

/** Problems of a field that are answered with 422; all others with 400 (RFC 6749 section 5.2). */
const unprocessable = new Set(['missing', 'string_too_long', 'too_long'])

/** An error in the form of RFC 6749, next to the fields of every other endpoint. */
export function oauthErrorAnswer({ status, body, headers }: ErrorAnswer, codes: OauthErrors): OauthErrorAnswer {
  const { detail } = body
  if (typeof detail === 'string') return { status, headers, body: { ...body, ...oauthError(codeOf(status), detail) } }
  const problem = detail.find(({ type }) => unprocessable.has(type)) ?? detail[0]
  const field = problem?.loc.slice(1).join('.') ?? ''
  const error = codes.fields?.[String(problem?.loc[1])] ?? codes.invalid
  return {
    status: unprocessable.has(problem?.type ?? '') ? 422 : 400,
    headers,
    body: { ...oauthError(error, `${field && `${field}: `}${problem?.msg}.`), detail },
  }
}

const codeOf = (status: ErrorAnswer['status']): string => {
  if (status === 500) return 'server_error'
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status === 401 || status === 403 ? 'access_denied' : 'invalid_request'
}

/** `error_description` may hold only printable ASCII without quotes and backslashes (RFC 6749 section 5.2). */
export const oauthError = (error: string, sentence: string) => ({
  error,
  error_description: sentence.normalize('NFD').replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ''),
})
