import type { Papel } from '@vigia/contracts/usuarios'
import { type Route, roleMayCall } from '../../../http/route.ts'

export interface RouteIndex {
  /** @throws Error for an unknown name, which is a defect of a tool */
  find(operacao: string): Route
  /** Whether the role may call all of these routes. */
  mayCall(operacoes: readonly string[], papel: Papel): boolean
}

/** @param routes evaluated at the first use, because the list includes the routes of /mcp */
export function createRouteIndex(routes: () => readonly Route[]): RouteIndex {
  let index: ReadonlyMap<string, Route> | undefined
  const find = (operacao: string): Route => {
    index ??= new Map(routes().map((route) => [route.operacao, route]))
    const route = index.get(operacao)
    if (!route) throw new Error(`no route has operacao ${operacao}`)
    return route
  }
  return {
    find,
    mayCall: (operacoes, papel) => operacoes.every((operacao) => roleMayCall(find(operacao).acesso, papel)),
  }
}
