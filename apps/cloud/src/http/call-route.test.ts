import { expect, it } from 'vitest'
import { z } from 'zod'
import { operatorCaller } from '../test/clients/operator-caller.ts'
import { callRoute } from './call-route.ts'
import type { Caller } from './caller.ts'
import { defineRoute, type RequestInfo } from './route.ts'

const request: RequestInfo = {
  id: 'teste',
  method: 'POST',
  raw: new Request('http://127.0.0.1/mcp'),
  header: () => undefined,
  signal: AbortSignal.timeout(60_000),
  remoteAddress: '127.0.0.1',
  https: false,
  token: null,
  disconnect: () => {},
}
const leitor: Caller = { ...operatorCaller, papel: 'usuario' }

/** A route whose handler does not check the caller: only callRoute can refuse a reader. */
function careless(acesso: 'sessao' | 'trabalho' | 'escrita') {
  const handled: string[] = []
  const route = defineRoute({
    method: 'post',
    path: '/api/v1/placas/{id}',
    operacao: 'mudarPlaca',
    acesso,
    efeito: null,
    resumo: 'x',
    params: z.object({ id: z.coerce.number() }),
    json: z.strictObject({ nome: z.string() }),
    respostas: { 200: z.object({ nome: z.string() }) },
    handler: ({ json }) => {
      handled.push(json.nome)
      return { status: 200, body: { nome: json.nome, ...(json.nome === 'tudo' && { senha: 'x' }) } }
    },
  })
  const call = (caller: Caller, json: unknown = { nome: 'a' }) =>
    callRoute(route, caller, { params: { id: '1' }, json }, request, true)
  return { call, handled }
}

it('refuses a read-only caller for a route that writes', async () => {
  const { call, handled } = careless('escrita')
  await expect(call(leitor)).rejects.toMatchObject({ code: 'proibido' })
  expect(handled).toEqual([])
  expect(await call(operatorCaller)).toMatchObject({ status: 200 })
  expect(await careless('sessao').call(leitor)).toMatchObject({ status: 200 })
})

it('allows work on alarms to a vigilante and to an administrador', async () => {
  const vigilante: Caller = { ...operatorCaller, papel: 'vigilante' }
  const { call } = careless('trabalho')
  for (const caller of [vigilante, operatorCaller]) expect(await call(caller)).toMatchObject({ status: 200 })
  await expect(call(leitor)).rejects.toMatchObject({ code: 'proibido', detalhe: expect.stringContaining('leitura') })
  const refused = careless('escrita').call(vigilante)
  await expect(refused).rejects.toMatchObject({ code: 'proibido', detalhe: expect.stringContaining('vigilante') })
})

it('validates input and answer as HTTP does', async () => {
  const { call, handled } = careless('escrita')
  for (const json of [null, [], { nome: 1 }, { nome: 'a', outro: 1 }])
    await expect(call(operatorCaller, json)).rejects.toMatchObject({ code: 'validacao' })
  expect(handled).toEqual([])
  await expect(call(operatorCaller, { nome: 'tudo' })).rejects.toThrow('its schema does not know')
})
