import { cameraPatchSchema } from '@vigia/contracts/cameras'
import { VigiaError } from '@vigia/contracts/errors'
import { idTexto, inteiroTexto } from '@vigia/contracts/values'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { form, send } from '../test/clients/client.ts'
import { startTestApp } from '../test/clouds/test-app.ts'
import { parseInput } from './validation-items.ts'

function itemsOf(schema: z.ZodType, input: unknown, root: 'body' | 'query' = 'body') {
  try {
    parseInput(schema, input, root)
    return []
  } catch (error) {
    if (error instanceof VigiaError) return error.itens
    throw error
  }
}
const codes = (schema: z.ZodType, input: unknown) =>
  itemsOf(schema, input).map(({ loc, type }) => [loc.join('.'), type])

describe('the type of each kind of problem', () => {
  const schema = z.object({
    texto: z.string().min(2).max(3).optional(),
    inteiro: z.int().min(1).max(9).optional(),
    numero: z.number().gt(0).lt(1).optional(),
    sim: z.boolean().optional(),
    lista: z.array(z.int()).max(2).optional(),
    objeto: z.object({ a: z.string() }).optional(),
    mapa: z.partialRecord(z.enum(['a']), z.number()).optional(),
    um_de: z.enum(['a', 'b']).optional(),
    so: z.literal('password').optional(),
    quando: z.iso.datetime().optional(),
  })

  it.each([
    [{ texto: 1 }, 'texto', 'string_type'],
    [{ texto: null }, 'texto', 'string_type'],
    [{ texto: 'a' }, 'texto', 'string_too_short'],
    [{ texto: 'abcd' }, 'texto', 'string_too_long'],
    [{ inteiro: '1' }, 'inteiro', 'int_type'],
    [{ inteiro: 1.5 }, 'inteiro', 'int_type'],
    [{ inteiro: 0 }, 'inteiro', 'greater_than_equal'],
    [{ inteiro: 10 }, 'inteiro', 'less_than_equal'],
    [{ numero: 'x' }, 'numero', 'float_type'],
    [{ numero: 0 }, 'numero', 'greater_than'],
    [{ numero: 1 }, 'numero', 'less_than'],
    [{ sim: 'true' }, 'sim', 'bool_type'],
    [{ lista: {} }, 'lista', 'list_type'],
    [{ lista: [1, 2, 3] }, 'lista', 'too_long'],
    [{ lista: [1, 'x'] }, 'lista.1', 'int_type'],
    [{ objeto: [] }, 'objeto', 'dict_type'],
    [{ objeto: {} }, 'objeto.a', 'missing'],
    [{ mapa: 1 }, 'mapa', 'dict_type'],
    [{ mapa: { b: 1 } }, 'mapa.b', 'extra_forbidden'],
    [{ um_de: 'c' }, 'um_de', 'enum'],
    [{ so: 'x' }, 'so', 'literal_error'],
    [{ quando: 'ontem' }, 'quando', 'datetime_parsing'],
  ])('%j', (input, loc, type) => {
    expect(codes(schema, input)).toEqual([[`body.${loc}`, type]])
  })

  it('is missing for an absent field of any type', () => {
    const required = z.object({ a: z.string(), b: z.enum(['x']), c: z.union([z.int(), z.boolean()]), d: z.int() })
    expect(codes(required, {})).toEqual(['a', 'b', 'c', 'd'].map((name) => [`body.${name}`, 'missing']))
    expect(codes(required, undefined)).toEqual([['body', 'missing']])
    expect(codes(required, [])).toEqual([['body', 'dict_type']])
  })

  it('is int_parsing for text that is no integer, else a range error', () => {
    const query = z.object({ id: idTexto.optional(), limit: inteiroTexto(1, 200).default(50) })
    expect(parseInput(query, { id: '7' }, 'query')).toEqual({ id: 7, limit: 50 })
    for (const text of ['', 'x', '1.5', '1e3', ' 1', '0x1'])
      expect(itemsOf(query, { id: text }, 'query')).toEqual([
        { loc: ['query', 'id'], msg: 'Deve ser um número inteiro', type: 'int_parsing' },
      ])
    expect(itemsOf(query, { limit: '201' }, 'query')[0]?.type).toBe('less_than_equal')
    expect(itemsOf(query, { limit: '0' }, 'query')[0]?.type).toBe('greater_than_equal')
  })
})

it('reports every unknown field and every wrong value of a PATCH', () => {
  expect(codes(cameraPatchSchema, { id: 1, empresa_id: 2, ativa: 'sim' })).toEqual([
    ['body.ativa', 'bool_type'],
    ['body.id', 'extra_forbidden'],
    ['body.empresa_id', 'extra_forbidden'],
  ])
  expect(codes(cameraPatchSchema, JSON.parse('{"__proto__": 1}'))).toEqual([['body.__proto__', 'extra_forbidden']])
})

it('reports at most 100 problems', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`campo${i}`, 1]))
  expect(itemsOf(cameraPatchSchema, many)).toHaveLength(100)
})

it('locates a problem inside lists and objects, with indexes as numbers', () => {
  const [item] = itemsOf(cameraPatchSchema, {
    zonas: [
      [0.1, 0.2],
      [0.3, 1.5],
      [0.5, 0.5],
    ],
  })
  expect(item).toEqual({ loc: ['body', 'zonas', 1, 1], msg: 'Deve ser menor ou igual a 1', type: 'less_than_equal' })
  expect(codes(cameraPatchSchema, { config_ia: { invasao: { conf: 2, nada: 1 }, nenhuma: {} } })).toEqual([
    ['body.config_ia.invasao.conf', 'less_than_equal'],
    ['body.config_ia.invasao.nada', 'extra_forbidden'],
    ['body.config_ia.nenhuma', 'extra_forbidden'],
  ])
  expect(
    itemsOf(cameraPatchSchema, {
      zonas: [
        [0, 0],
        [1, 1],
      ],
    })[0],
  ).toEqual({
    loc: ['body', 'zonas'],
    msg: 'Uma zona precisa de pelo menos três pontos',
    type: 'value_error',
  })
})

describe('over HTTP', () => {
  const app = fixture(startTestApp)

  const post = (body: RequestInit['body'], contentType: string | null) =>
    send<{ detail: { loc: unknown[]; type: string }[] }>(`${app.url}/api/v1/empresas`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${app.operator.token}`,
        ...(contentType !== null && { 'content-type': contentType }),
      },
      ...(body !== undefined && body !== null && { body }),
    })

  it.each([
    ['no body', null, 'application/json', ['body'], 'missing'],
    ['no body and no type', null, null, ['body'], 'missing'],
    ['malformed JSON', '{"nome":', 'application/json', ['body'], 'json_invalid'],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'application/json', ['body'], 'json_invalid'],
    ['another content type', '{"nome":"A"}', 'text/plain', ['body'], 'content_type'],
    ['JSON that is not an object', '[]', 'application/json', ['body'], 'dict_type'],
    ['null', 'null', 'application/json', ['body'], 'dict_type'],
    ['a missing field', '{}', 'application/json; charset=utf-8', ['body', 'nome'], 'missing'],
    ['a blank name', '{"nome":"  "}', 'application/json', ['body', 'nome'], 'string_too_short'],
    ['a control character', '{"nome":"a\\u0000b"}', 'application/json', ['body', 'nome'], 'string_pattern_mismatch'],
  ])('%s is a 422', async (_name, body, contentType, loc, type) => {
    const answer = await post(body, contentType)
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual({ detail: [{ loc, type, msg: expect.any(String) }] })
  })

  it('refuses the character U+0000 in every text, which PostgreSQL does not store', async () => {
    const { status, body } = await send<{ detail: unknown[] }>(`${app.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'username=a%00b&password=x',
    })
    expect(status).toBe(422)
    expect(body.detail).toEqual([
      { loc: ['body', 'username'], msg: 'Tire o caractere nulo deste texto', type: 'null_character' },
    ])
  })

  it('accepts a body of any JSON media type', async () => {
    expect((await post('{"nome":"A"}', 'application/problem+json')).status).toBe(201)
  })

  it('validates forms in the same way', async () => {
    const login = `${app.url}/api/v1/auth/login`
    const detail = async (init: RequestInit) => {
      const answer = await send<{ detail: { loc: string[]; type: string }[] }>(login, init)
      return [answer.status, ...answer.body.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`)]
    }
    expect(await detail({ method: 'POST' })).toEqual([422, 'body.username missing', 'body.password missing'])
    expect(await detail(form({ username: 'admin' }))).toEqual([422, 'body.password missing'])
    expect(await detail({ method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })).toEqual([
      422,
      'body content_type',
    ])
    const multipart = new FormData()
    multipart.set('username', 'admin')
    multipart.set('password', new Blob(['x']), 'senha.txt')
    expect(await detail({ method: 'POST', body: multipart })).toEqual([422, 'body.password string_type'])
    const broken = { 'content-type': 'multipart/form-data; boundary=x' }
    expect(await detail({ method: 'POST', body: 'nonsense', headers: broken })).toEqual([422, 'body form_invalid'])
  })

  it('validates path and query in the same way', async () => {
    const path = await app.operator.send('GET', '/api/v1/cameras/abc')
    expect([path.status, path.body]).toEqual([
      422,
      { detail: [{ loc: ['path', 'camera_id'], msg: 'Deve ser um número inteiro', type: 'int_parsing' }] },
    ])
    const query = await app.operator.send('GET', '/api/v1/cameras?empresa_id=')
    expect([query.status, query.body]).toEqual([
      422,
      { detail: [{ loc: ['query', 'empresa_id'], msg: 'Deve ser um número inteiro', type: 'int_parsing' }] },
    ])
  })

  it('decides access before it reads the body', async () => {
    const answer = await send(`${app.url}/api/v1/empresas`, { method: 'POST', body: '{' })
    expect(answer.status).toBe(401)
  })
})
