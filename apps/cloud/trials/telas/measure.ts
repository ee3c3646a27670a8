import type { Api } from '@vigia/testing/api'

/** A path for GET, or one with the body of a POST. */
export type Request = string | { readonly path: string; readonly body: object }

const asPost = (request: Request): { readonly path: string; readonly body?: string } =>
  typeof request === 'string' ? { path: request } : { path: request.path, body: JSON.stringify(request.body) }

/** Sends each request once to warm up and then `rounds` times, one after the other. */
export async function timeRequests(
  api: Api,
  paths: readonly Request[],
  rounds: number,
): Promise<{ readonly durations: readonly number[]; readonly slowest: string }> {
  const durations: number[] = []
  let slowest = ''
  for (let round = 0; round <= rounds; round += 1)
    for (const { path, body } of paths.map(asPost)) {
      const init = body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } }
      const start = performance.now()
      const response = await api.fetch(path, init)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`)
      if (round === 0) continue
      const duration = performance.now() - start
      if (duration > Math.max(0, ...durations)) slowest = path
      durations.push(duration)
    }
  return { durations, slowest }
}
