import { Validator } from '@seriousme/openapi-schema-validator'
import { escoposChave } from '@vigia/contracts/chaves'
import { erroInternoSchema, erroSchema, erroValidacaoSchema } from '@vigia/contracts/error-bodies'
import { escoposOauth } from '@vigia/contracts/oauth'
import { papeis } from '@vigia/contracts/usuarios'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { send } from '../test/clients/client.ts'
import { startTestApp } from '../test/clouds/test-app.ts'
import {
  bodyOf,
  contentOf,
  fetchDocument,
  type JsonSchema,
  type Operation,
  operationOf,
  resolveSchema,
} from '../test/walks/api-document.ts'

const app = fixture(startTestApp)
const document = fixture(() => fetchDocument(app))

const operations = (): [string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )
const operation = (name: string): Operation => {
  const found = operations().find(([other]) => other === name)
  if (!found) throw new Error(`${name} is not in the document`)
  return found[1]
}
const schema = (name: string) => resolveSchema(document, { $ref: `#/components/schemas/${name}` })
const propertiesOf = (name: string) => schema(name).properties as Record<string, Record<string, unknown>>

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 of the interface 1.0.0', async () => {
    const result = await new Validator().validate({ ...document })
    expect(result.errors ?? []).toEqual([])
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0.0'])
  })

  it('names each role, each right of a key and of an agent in its introduction', () => {
    for (const name of [...papeis, ...escoposChave, ...escoposOauth])
      expect(document.info.description).toContain(`\`${name}\``)
    for (const name of ['operador', 'quiosque']) expect(document.info.description).toContain(name)
  })

  it('has no dangling reference and no unused component', () => {
    const text = JSON.stringify(document)
    const used = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name))
    expect([...used].sort()).toEqual(Object.keys(document.components.schemas).sort())
    expect(text).not.toContain('$defs')
  })

  it('lists every operation once, in a chapter, with its required access', () => {
    const ids = operations().map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [name, { operationId, summary, tags, security }] of operations()) {
      expect([name, /^[a-z][A-Za-z]+$/.test(operationId), summary.length > 5, tags.length]).toEqual([
        name,
        true,
        true,
        1,
      ])
      const route = app.routes.find(({ method, path }) => `${method.toUpperCase()} ${path}` === name)
      expect([name, security.length > 0]).toEqual([name, route?.acesso !== 'publico'])
    }
  })

  it('declares the errors of OAuth (RFC 6749) on its routes, and the HTML pages', () => {
    const asked = app.routes.filter(({ oauth }) => oauth)
    const wrong = asked.flatMap((route) =>
      Object.keys(operationOf(document, route).responses).flatMap((status) => {
        const body = contentOf(document, route, Number(status))['application/json']?.schema
        return Number(status) < 400 || !body || body.$ref === '#/components/schemas/ErroOauth'
          ? []
          : [`${route.path} ${status}`]
      }),
    )
    expect([asked.length, wrong]).toEqual([10, []])
    const types = (name: string, status: number) => {
      const { responses } = operation(name)
      return Object.keys(responses[status]?.content ?? {}).sort()
    }
    expect(types('POST /oauth/token', 429)).toEqual(['application/json'])
    for (const status of [400, 401, 403, 429])
      expect(types('POST /oauth/authorize', status)).toEqual(['application/json', 'text/html'])
    for (const status of [413, 422]) expect(types('POST /oauth/authorize', status)).toEqual(['application/json'])
    expect(types('POST /oauth/authorize/decisao', 403)).toEqual(['text/html'])
  })

  it('describes a body as input: fields with a default are optional', () => {
    expect(schema('UsuarioCreate').required).toEqual(['username', 'senha'])
    expect(propertiesOf('UsuarioCreate').papel).toMatchObject({
      default: 'usuario',
      enum: ['administrador', 'vigilante', 'usuario'],
    })
    expect(schema('JanelaEntrada').required).toEqual(['inicio', 'fim'])
    expect(schema('Janela').required).toEqual(['inicio', 'fim', 'dias'])
    expect(schema('CameraPatch').additionalProperties).toBe(false)
  })

  it('closes every object of a JSON body of /api/v1: unknown fields are refused', () => {
    const open = (name: string, given: JsonSchema): string[] => {
      const found = resolveSchema(document, given)
      const inner = Object.entries(found).flatMap(([keyword, value]): [string, JsonSchema][] => {
        if (keyword === 'properties') return Object.entries(value as Record<string, JsonSchema>)
        if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf')
          return (value as JsonSchema[]).map((one) => [keyword, one])
        return keyword === 'items' ? [[keyword, value as JsonSchema]] : []
      })
      const isOpen = found.properties !== undefined && found.additionalProperties !== false
      return [...(isOpen ? [name] : []), ...inner.flatMap(([key, schema]) => open(`${name}.${key}`, schema))]
    }
    const closed = app.routes.filter(({ json, path }) => json && path.startsWith('/api/v1/'))
    expect(closed.length).toBeGreaterThan(15)
    expect(
      closed.flatMap((route) => open(`${route.method} ${route.path}`, bodyOf(document, route)?.schema ?? {})),
    ).toEqual([])
    expect(schema('RegistroCliente').additionalProperties).toBeUndefined()
  })

  it('describes query and path with their parsed types, bounds and defaults', () => {
    const { parameters = [] } = operation('GET /api/v1/events')
    const limit = parameters.find(({ name }) => name === 'limit')
    expect(limit).toMatchObject({ in: 'query', required: false })
    expect(limit?.schema).toEqual({ type: 'integer', minimum: 1, maximum: 200, default: 50 })
    expect(operation('GET /api/v1/cameras/{camera_id}').parameters).toEqual([
      {
        name: 'camera_id',
        in: 'path',
        required: true,
        schema: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
      },
    ])
  })

  it('declares for every route the 400 of a request without a valid address', () => {
    const without = operations().filter(([, { responses }]) => responses['400'] === undefined)
    expect(without.map(([name]) => name)).toEqual([])
  })

  it('lists the refusals of each route and the relevant headers', () => {
    const { responses } = operation('POST /api/v1/cameras')
    expect(Object.keys(responses)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '422',
      '429',
      '500',
      '503',
    ])
    expect(responses['422']).toEqual({ $ref: '#/components/responses/Invalido' })
    expect(Object.keys(operation('GET /api/v1/events').responses['200']?.headers ?? {})).toEqual([
      'X-Request-Id',
      'X-Total-Count',
      'Link',
    ])
    expect(Object.keys(operation('POST /login').responses['303']?.headers ?? {})).toContain('Location')
    expect(propertiesOf('Erro')).toHaveProperty('detail')
  })

  it('shows each refusal with a possible body', () => {
    const answers = Object.values(document.components.responses) as {
      content: { 'application/json': { schema: { $ref: string }; example: unknown } }
    }[]
    const schemas: Record<string, z.ZodType> = {
      Erro: erroSchema,
      ErroValidacao: erroValidacaoSchema,
      ErroInterno: erroInternoSchema,
    }
    for (const { content } of answers) {
      const { schema, example } = content['application/json']
      expect(schemas[schema.$ref.split('/').at(-1) ?? '']?.safeParse(example).error).toBeUndefined()
    }
    expect(answers).toHaveLength(11)
  })

  it('gives an example for every body', () => {
    const bare = app.routes
      .filter((route) => bodyOf(document, route)?.examples.length === 0)
      .map(({ method, path }) => `${method.toUpperCase()} ${path}: give its schema .meta({ examples: [...] })`)
    expect(bare).toEqual([])
  })

  it('accepts the session in the query where a browser cannot send a header', () => {
    expect(operation('GET /api/v1/sse/alertas').security).toEqual([
      { bearer: [] },
      { cookie: [] },
      { token: [] },
      { chave: [] },
    ])
    expect(operation('GET /api/v1/me').security).toEqual([{ bearer: [] }, { cookie: [] }])
  })

  it('is sent again only after a change', async () => {
    const first = await send(`${app.url}/api/v1/openapi.json`)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await send(`${app.url}/api/v1/openapi.json`, { headers: { 'if-none-match': `"x", ${etag}` } })
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, etag])
    const other = await send(`${app.url}/api/v1/openapi.json`, { headers: { 'if-none-match': '"x"' } })
    expect(other.status).toBe(200)
  })
})
