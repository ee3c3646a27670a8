import type { Papel } from '@vigia/contracts/usuarios'
import type { Route } from '../../http/route.ts'

export interface RouteIndex {
  /** @throws Error for a name that no route has: a mistake in a tool, not of a caller. */
  find(operacao: string): Route
  /** Whether who has this role may call all of them. */
  mayCall(operacoes: readonly string[], papel: Papel): boolean
}

/** @param routes asked at the first use: the list holds the routes of /mcp itself. */
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
    mayCall: (operacoes, papel) =>
      operacoes.every((operacao) => find(operacao).acesso !== 'escrita' || papel === 'administrador'),
  }
}
