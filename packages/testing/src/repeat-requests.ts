import { setTimeout as delay } from 'node:timers/promises'

/**
 * Repeats a request, with a pause in ms, until the function that it returns is called. That function answers the status
 * of each request, or the error of one without an answer.
 */
export function repeatRequests(request: (n: number) => Promise<Response>, pauseMs: number): () => Promise<string[]> {
  const results: string[] = []
  let isOver = false
  const loop = (async () => {
    for (let n = 1; !isOver; n += 1) {
      const answer = await request(n).catch((error: Error) => error)
      results.push(answer instanceof Response ? String(answer.status) : String(answer.cause ?? answer))
      if (answer instanceof Response) await answer.arrayBuffer()
      await delay(pauseMs)
    }
  })()
  return async () => {
    isOver = true
    await loop
    return results
  }
}
