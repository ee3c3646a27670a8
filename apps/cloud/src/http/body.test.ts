import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from '../test/client.ts'
import { startTestApp, type TestApp } from '../test/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const post = (body: string | Uint8Array<ArrayBuffer>) =>
  send<{ detail: unknown; fuso_horario?: string }>(`${app.url}/api/v1/empresas`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.operator.token}`, 'content-type': 'application/json' },
    body,
  })
const nested = (depth: number) => `{"nome":"Loja","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

describe('a JSON body', () => {
  it('may be 32 levels deep, and no deeper', async () => {
    expect((await post(nested(32))).status).toBe(201)
    const refused = await post(nested(33))
    expect([refused.status, refused.body]).toEqual([
      422,
      { detail: [{ loc: ['body'], msg: expect.stringContaining('32'), type: 'json_too_deep' }] },
    ])
    expect((await post('['.repeat(500_000))).status).toBe(422)
    expect((await post('{"a":'.repeat(100_000))).status).toBe(422)
  })

  it('may hold many keys and items, as many as its size lets it', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 1]))
    expect((await post(JSON.stringify({ nome: 'Loja', ...many }))).status).toBe(201)
  })

  it('counts its brackets outside strings alone', async () => {
    expect((await post(JSON.stringify({ nome: '['.repeat(100), x: '\\"[[[' }))).status).toBe(201)
  })

  it('does no harm with the names of what objects inherit', async () => {
    const odd = '{"nome":"Loja","__proto__":{"fuso_horario":"America/Manaus"},"constructor":{"prototype":{"x":1}}}'
    const made = await post(odd)
    expect([made.status, made.body.fuso_horario]).toEqual([201, 'America/Sao_Paulo'])
    const [only] = await Promise.all(['{"__proto__":{"nome":"Loja"}}'].map(post))
    expect(only?.body).toEqual({ detail: [{ loc: ['body', 'nome'], msg: 'Campo obrigatório', type: 'missing' }] })
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  it('has its last value for a repeated key', async () => {
    const made = await post('{"nome":"A","fuso_horario":"America/Manaus","fuso_horario":"America/Bahia"}')
    expect(made.body.fuso_horario).toBe('America/Bahia')
  })

  it('is refused when it is not UTF-8', async () => {
    const answer = await post(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]))
    expect(answer.body).toEqual({ detail: [expect.objectContaining({ type: 'json_invalid' })] })
  })
})
