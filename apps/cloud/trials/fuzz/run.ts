import { openBackstage } from '../../src/test/clouds/backstage.ts'
import type { Account } from '../../src/test/clouds/test-app.ts'
import { ownRecords } from '../../src/test/records/own-records.ts'
import { type Endpoint, endpointsOf, fetchDocument } from '../../src/test/walks/api-document.ts'
import type { GeneratedRequest } from '../../src/test/walks/request-arbitrary.ts'
import { type CallerName, createCallers } from './callers.ts'
import { type Asked, faultOf } from './judge.ts'
import { type Chunk, endsSession, planChunks, requestsOf } from './plan.ts'
import { spreadClients } from './spread-clients.ts'
import type { FuzzTarget } from './target.ts'

export interface FuzzOptions {
  /** Requests to send; more if the minimum for each route and caller requires it. */
  readonly requests: number
  readonly seed: number
  /** Smallest number of requests of each caller to each route. */
  readonly least: number
  /** Longest response time of a route without external waits. */
  readonly answerMs: number
}

interface Fault extends Asked {
  readonly fault: string
  readonly request: GeneratedRequest
}

export interface FuzzRun {
  readonly answers: readonly Asked[]
  readonly faults: readonly Fault[]
}

/** Largest number of simultaneous chunks. */
const AT_ONCE = 4
const STOP_AFTER_FAULTS = 20
const CHUNKS_PER_PAIR = 25

/**
 * Calls every route of the target as every kind of caller, with valid, boundary and faulty requests. Checks status,
 * media type and time of the answers against the declarations. A target with checked answers turns a schema violation
 * into a 500.
 */
export async function runFuzz(
  target: FuzzTarget,
  { requests, seed, least, answerMs }: FuzzOptions,
  onProgress: (sent: number, total: number) => void,
): Promise<FuzzRun> {
  using _spread = spreadClients()
  const backstage = await openBackstage(target)
  try {
    const document = await fetchDocument(target)
    const routes = endpointsOf(document).filter(({ path }) => !path.includes('/docs/{'))
    const chunks = planChunks(document, routes, { total: requests, seed, least })
    const total = chunks.reduce((sum, { count }) => sum + count, 0)
    const answers: Asked[] = []
    const faults: Fault[] = []

    /** Two Empresas with separate logins, records and callers, so that the run does not exhaust the limits of one. */
    async function newEmpresas() {
      const conta = await target.account('Loja')
      const outra = await target.account('Farmácia')
      const records = (account: Account) => ({ account, records: ownRecords(backstage, account) })
      return { own: records(conta), others: records(outra), callers: createCallers(target, conta, outra) }
    }

    /** Keeps the length of lists constant: memory would otherwise grow with the data. */
    const leave = ({ own, others, callers }: Awaited<ReturnType<typeof newEmpresas>>) =>
      callers.leave().then(() => backstage.forget([own.account.empresaId, others.account.empresaId]))

    async function runChunk(chunk: Chunk, { own, others, callers }: Awaited<ReturnType<typeof newEmpresas>>) {
      const { route, caller } = chunk
      // Half of the requests of the other Empresa refer to its records; the other half must get a 404.
      const { account, records } = caller === 'outra empresa' && chunk.seed % 2 === 0 ? others : own
      const newEmpresa = async () =>
        (await account.admin.expect<{ id: number }>(201, 'POST', '/api/v1/empresas', { nome: 'Filial' })).id
      const generated = await requestsOf(chunk, { document, records, newEmpresa })
      const held = await callers.credential(caller)
      for (const request of generated) {
        const token = endsSession(route) ? await callers.freshSession(caller) : held
        const asked = await ask(target.url, route, caller, request, token)
        answers.push(asked)
        const fault = faultOf(document, asked, answerMs)
        if (fault !== null) faults.push({ ...asked, fault, request })
      }
      onProgress(answers.length, total)
    }

    const queue = [...chunks]
    const worker = async () => {
      let empresas = await newEmpresas()
      let used = 0
      for (let chunk = queue.pop(); chunk && faults.length < STOP_AFTER_FAULTS; chunk = queue.pop()) {
        await runChunk(chunk, empresas)
        used += 1
        if (used % CHUNKS_PER_PAIR === 0) {
          await leave(empresas)
          empresas = await newEmpresas()
        }
      }
      await leave(empresas)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    return { answers, faults }
  } finally {
    await backstage.close()
  }
}

async function ask(
  base: string,
  route: Endpoint,
  caller: CallerName,
  { path, body, contentType, lastEventId }: GeneratedRequest,
  token: string | null,
): Promise<Asked> {
  const url = `${base}${path}`
  if (new URL(url).hostname !== '127.0.0.1') throw new Error('a request would leave this machine')
  const begun = performance.now()
  const response = await fetch(url, {
    method: route.method.toUpperCase(),
    redirect: 'manual',
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...(lastEventId !== '' && { 'last-event-id': lastEventId }),
    },
    ...(body !== undefined && { body }),
  })
  const { status } = response
  const mediaType = response.headers.get('content-type')?.split(';')[0] ?? ''
  const ms = performance.now() - begun
  // A stream never ends. The app has already checked the body of a successful answer.
  if (status < 400) await response.body?.cancel()
  const text = status < 400 ? '' : await response.text()
  return { route, caller, path, status, mediaType, ms, text }
}
