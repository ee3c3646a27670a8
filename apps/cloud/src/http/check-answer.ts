import { isDeepStrictEqual } from 'node:util'
import { VigiaError } from '@vigia/contracts/errors'
import { z } from 'zod'
import { declaredErrors } from './declared-errors.ts'
import { asRefusal, errorAnswer } from './errors.ts'
import type { RawAnswer, Route } from './route.ts'
import type { RowStream } from './row-stream.ts'

const nameOf = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`

/**
 * Compares an answer with its declaration, so that the API reference matches the code.
 * @throws Error for an undeclared status, another media type, a body that its schema rejects, or fields unknown to the
 * schema
 */
export function checkAnswer(route: Route, answer: RawAnswer): void {
  const declared = route.respostas[answer.status]
  const wrong = (what: string) => new Error(`${nameOf(route)} answers ${answer.status} ${what}`)
  if (declared === undefined) throw wrong('which `respostas` does not have')
  if (answer instanceof Response) {
    const type = answer.headers.get('content-type')?.split(';')[0] ?? null
    const expected = declared !== null && 'midia' in declared ? declared.midia : null
    if (type !== expected && expected !== '*/*') throw wrong(`as ${type}, not as the declared ${expected}`)
    return
  }
  if ('feed' in answer) {
    if (declared === null || !('mensagens' in declared)) throw wrong('by a feed, which is not declared')
    return
  }
  if ('intake' in answer) {
    if (declared === null || !('recebe' in declared)) throw wrong('by an intake, which is not declared')
    return
  }
  // Its chunks are checked as they are read: checkRows.
  if ('rows' in answer) return
  if (!(declared instanceof z.ZodType)) {
    if (declared !== null || answer.body !== undefined) throw wrong('with a body of another kind than the declared')
    return
  }
  const sent: unknown = JSON.parse(JSON.stringify(answer.body ?? null))
  if (!isDeepStrictEqual(declared.parse(sent), sent)) throw wrong('with fields that its schema does not know')
}

/** The same list; each chunk is compared with the declaration as an answer of its own. */
export function checkRows(route: Route, { chunks, finished }: RowStream<unknown>): RowStream<unknown> {
  async function* checked() {
    for await (const chunk of chunks) {
      checkAnswer(route, { status: 200, body: chunk })
      yield chunk
    }
  }
  return { chunks: checked(), finished }
}

/** Throws `error` again. @throws Error in its place when the route does not declare its status. */
export function checkRefusal(route: Route, error: unknown): never {
  if (asRefusal(error) instanceof VigiaError) {
    const { status } = errorAnswer(error, '')
    if (status !== 500 && !declaredErrors(route).includes(status))
      throw new Error(`${nameOf(route)} refuses with ${status}, which \`erros\` does not have`, { cause: error })
  }
  throw error
}
