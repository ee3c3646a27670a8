import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { send } from '../test/clients/client.ts'
import { startTestApp } from '../test/clouds/test-app.ts'

const app = fixture(startTestApp)

const post = (body: string | Uint8Array<ArrayBuffer>) =>
  send<{ detail: unknown; fuso_horario?: string }>(`${app.url}/api/v1/empresas`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.operator.token}`, 'content-type': 'application/json' },
    body,
  })
/** Problems of a rejected body, as `loc: type`. */
async function problemsOf(body: string): Promise<unknown> {
  const { status, body: answer } = await post(body)
  expect(status).toBe(422)
  return answer.detail
}
const unknown = (field: string) => ({ loc: ['body', field], msg: 'Campo não permitido', type: 'extra_forbidden' })
const nested = (depth: number) => `{"nome":"Loja","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

describe('a JSON body', () => {
  it('may be at most 32 levels deep', async () => {
    expect(await problemsOf(nested(32))).toEqual([unknown('x')])
    const refused = await post(nested(33))
    expect([refused.status, refused.body]).toEqual([
      422,
      { detail: [{ loc: ['body'], msg: expect.stringContaining('32'), type: 'json_too_deep' }] },
    ])
    expect((await post('['.repeat(500_000))).status).toBe(422)
    expect((await post('{"a":'.repeat(100_000))).status).toBe(422)
  })

  it('is rejected with up to 100 of its unknown fields, as a PATCH is', async () => {
    expect(await problemsOf('{"nome":"Loja","url":"https://exemplo.com.br"}')).toEqual([unknown('url')])
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 1]))
    const named = await problemsOf(JSON.stringify({ nome: 'Loja', ...many }))
    expect(named).toEqual(Array.from({ length: 100 }, (_, i) => unknown(`k${i}`)))
  })

  it('has its depth counted only outside strings', async () => {
    expect((await post(JSON.stringify({ nome: `\\"${'['.repeat(100)}` }))).status).toBe(201)
  })

  it('cannot overwrite properties that objects inherit', async () => {
    const odd = '{"nome":"Loja","__proto__":{"fuso_horario":"America/Manaus"},"constructor":{"prototype":{"x":1}}}'
    expect(await problemsOf(odd)).toEqual([unknown('__proto__'), unknown('constructor')])
    expect(await problemsOf('{"__proto__":{"nome":"Loja"}}')).toEqual([
      { loc: ['body', 'nome'], msg: 'Campo obrigatório', type: 'missing' },
      unknown('__proto__'),
    ])
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  it('keeps the last value of a repeated key', async () => {
    const made = await post('{"nome":"A","fuso_horario":"America/Manaus","fuso_horario":"America/Bahia"}')
    expect(made.body.fuso_horario).toBe('America/Bahia')
  })

  it('is rejected when it is not UTF-8', async () => {
    const answer = await post(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]))
    expect(answer.body).toEqual({ detail: [expect.objectContaining({ type: 'json_invalid' })] })
  })
})
