import { requireRole } from './access.ts'
import type { Caller } from './caller.ts'
import { checkAnswer, checkRows } from './check-answer.ts'
import { requireDeclaredEffect } from './effects.ts'
import type { RawAnswer, RequestInfo, Route } from './route.ts'
import { collectRows } from './row-stream.ts'
import { parseInput } from './validation-items.ts'

/** Values as in the URL (texts) and in the JSON body. */
export interface RouteValues {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly json?: unknown
}

/**
 * Calls `route` for a caller of another interface than HTTP, with the same access rule, validation and handler.
 * @throws VigiaError as the route itself: `proibido` (role, effect), `validacao`, errors of its use case
 */
export async function callRoute(
  route: Route,
  caller: Caller,
  values: RouteValues,
  request: RequestInfo,
  checkAnswers: boolean,
): Promise<Exclude<RawAnswer, { rows: unknown }>> {
  requireRole(route.acesso, caller)
  requireDeclaredEffect(route, caller)
  const answer = await route.handler({
    caller,
    credential: null,
    params: route.params && parseInput(route.params, values.params ?? {}, 'path'),
    query: route.query && parseInput(route.query, values.query ?? {}, 'query'),
    json: route.json && parseInput(route.json, values.json, 'body'),
    form: undefined,
    request,
  })
  if (checkAnswers) checkAnswer(route, answer)
  if (!('rows' in answer)) return answer
  const rows = checkAnswers ? checkRows(route, answer.rows) : answer.rows
  return { status: answer.status, body: await collectRows(rows) }
}
