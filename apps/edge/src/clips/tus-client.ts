import { setTimeout as delay } from 'node:timers/promises'

/** A file to send by tus 1.0.0 (https://tus.io/protocols/resumable-upload). */
export interface TusUpload {
  /** Address of the creation. */
  readonly endpoint: string
  readonly token: string
  readonly bytes: number
  readonly metadata: Readonly<Record<string, string>>
  /** Address of the upload, from an earlier attempt; null: not created yet. */
  readonly location: string | null
  /** Called with the address, so that another process can resume. */
  onLocation(location: string): void
  /** Resolves with the bytes from `offset` on, at most `bytes`. */
  read(offset: number, bytes: number): Promise<Buffer>
}

export type TusOutcome =
  | 'sent'
  /** The server will never accept it: the token is invalid, or the file does not match. */
  | { readonly refused: number }
  | 'aborted'

export interface TusOptions {
  readonly signal: AbortSignal
  /** Settles when the next chunk may be sent; returns its largest size. */
  turn(signal: AbortSignal): Promise<number>
  /** Called after each chunk. `ms`: null if it failed. */
  onChunk(bytes: number, ms: number | null): void
  /** Pause before attempt `failures` + 1, in ms. */
  pauseMs(failures: number): number
}

const VERSION = { 'Tus-Resumable': '1.0.0' }
/** 256 kB at 20 kbit/s. */
const REQUEST_MS = 120_000
/** Later attempts may succeed: time-out, locked by an earlier connection, rate limit, failure of the server. */
const isTemporary = (status: number) => [408, 423, 425, 429].includes(status) || status >= 500
/** The server has forgotten the upload. */
const isUnknown = (status: number) => status === 404 || status === 410
/** The offset differs, because an answer was lost, or because the server dropped bytes that do not match their hash. */
const CONFLICT = 409
/** A file that does not match its hash never will. */
const MOST_RESTARTS = 3

/** Sends a file in chunks, and continues at the server's offset after a failure. */
export async function sendByTus(upload: TusUpload, options: TusOptions): Promise<TusOutcome> {
  const { signal } = options
  let { location } = upload
  let offset: number | null = null
  let failures = 0
  let restarts = 0
  while (!signal.aborted) {
    const step: Step | { readonly failed: unknown } = await next(upload, location, offset, options).catch(
      (error: unknown) => ({ failed: error }),
    )
    if (step === 'sent' || 'refused' in step) return step
    if ('restart' in step) {
      if (++restarts > MOST_RESTARTS) return { refused: step.restart }
      location = isUnknown(step.restart) ? null : location
      offset = null
      continue
    }
    if ('failed' in step) {
      offset = null
      failures++
      // Rejects only when `signal` aborts.
      await delay(options.pauseMs(failures), undefined, { signal }).catch(() => {})
    } else {
      if (step.location !== location && step.location !== null) upload.onLocation(step.location)
      if (step.offset !== null && step.offset !== offset) failures = 0
      ;({ location, offset } = step)
    }
  }
  return 'aborted'
}

type Step =
  | 'sent'
  | { readonly refused: number }
  /** Status of an answer after which the offset is read again, or the upload is created again. */
  | { readonly restart: number }
  | { readonly location: string | null; readonly offset: number | null }

async function next(
  upload: TusUpload,
  location: string | null,
  offset: number | null,
  options: TusOptions,
): Promise<Step> {
  if (location === null) return await create(upload, options.signal)
  if (offset === null) return await findOffset(upload, location, options.signal)
  return await sendChunk(upload, location, offset, options)
}

async function request(
  upload: TusUpload,
  url: string,
  method: 'POST' | 'HEAD' | 'PATCH',
  signal: AbortSignal,
  headers: Readonly<Record<string, string>>,
  body?: Buffer,
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { ...VERSION, authorization: `Bearer ${upload.token}`, ...headers },
    // A view of `body` without its shared memory.
    ...(body && { body: new Uint8Array(body) }),
    // The token must not be sent to the target of a redirect.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
  })
  await response.body?.cancel()
  if (isTemporary(response.status)) throw new Error(`HTTP ${response.status}`)
  return response
}

async function create(upload: TusUpload, signal: AbortSignal): Promise<Step> {
  const pairs = Object.entries(upload.metadata).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
  const response = await request(upload, upload.endpoint, 'POST', signal, {
    'Upload-Length': String(upload.bytes),
    'Upload-Metadata': pairs.join(','),
  })
  const found = response.headers.get('location')
  const location = found === null ? null : URL.parse(found, upload.endpoint)
  // The token must not be sent to another host.
  if (!response.ok || location?.host !== new URL(upload.endpoint).host) return { refused: response.status }
  return { location: `${new URL(upload.endpoint).origin}${location.pathname}${location.search}`, offset: null }
}

async function findOffset(upload: TusUpload, location: string, signal: AbortSignal): Promise<Step> {
  const response = await request(upload, location, 'HEAD', signal, {})
  if (isUnknown(response.status)) return { restart: response.status }
  const offset = Number(response.headers.get('upload-offset') ?? Number.NaN)
  if (!response.ok || !Number.isInteger(offset) || offset < 0 || offset > upload.bytes)
    return { refused: response.status }
  return offset === upload.bytes ? 'sent' : { location, offset }
}

async function sendChunk(upload: TusUpload, location: string, offset: number, options: TusOptions): Promise<Step> {
  const size = Math.min(await options.turn(options.signal), upload.bytes - offset)
  const chunk = await upload.read(offset, size)
  const begun = performance.now()
  const headers = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(offset) }
  try {
    const response = await request(upload, location, 'PATCH', options.signal, headers, chunk)
    options.onChunk(chunk.length, performance.now() - begun)
    if (response.status === CONFLICT || isUnknown(response.status)) return { restart: response.status }
    const reached = Number(response.headers.get('upload-offset') ?? offset + chunk.length)
    if (!response.ok || reached !== offset + chunk.length) return { refused: response.status }
    return reached === upload.bytes ? 'sent' : { location, offset: reached }
  } catch (error) {
    options.onChunk(chunk.length, null)
    throw error
  }
}
