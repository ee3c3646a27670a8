import type { JsonSchemaType } from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { fixture } from '@vigia/testing/fixture'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AgentClient, connectAgent } from '../../../../test/clients/agent-client.ts'
import { authorizeAgent } from '../../../../test/clients/oauth-flow.ts'
import { ADMIN, startTestApp } from '../../../../test/clouds/test-app.ts'
import { toolExample } from '../../../../test/walks/tool-examples.ts'
import type { Tool } from '../tool.ts'
import { tools } from './catalogue.ts'

let operator: AgentClient
const app = fixture(startTestApp)

beforeAll(async () => {
  const { empresaId } = await app.account('Mercado')
  operator = await connectAgent(app, `administrador-${empresaId}`)
})
afterAll(async () => {
  await operator?.close()
})

/** Keywords that make some client or provider reject the whole list (reasons in listed-schema.ts). */
const REFUSED = [
  '$schema',
  '$ref',
  '$defs',
  'pattern',
  'propertyNames',
  'patternProperties',
  'prefixItems',
  'allOf',
  'not',
]

/** with-effect.test.ts has the list of an agent with effects. */
const forAll = ({ efeito }: Tool) => efeito === undefined

/** All schemas within `schema`, including itself. */
function* schemasIn(schema: JsonSchemaType): Generator<JsonSchemaType> {
  yield schema
  const { items, additionalProperties, properties = {}, anyOf = [], oneOf = [] } = schema
  for (const inner of [items, additionalProperties, ...Object.values(properties), ...anyOf, ...oneOf])
    if (typeof inner === 'object') yield* schemasIn(inner as JsonSchemaType)
}

describe('every tool', () => {
  it('is listed as declared, with schemas that every model provider accepts', async () => {
    const { tools: listed } = await operator.client.listTools()
    const said = ({ nome: name, titulo: title, descricao: description, anotacoes }: Tool) => {
      const { readOnlyHint, openWorldHint } = anotacoes
      return { name, title, description, annotations: readOnlyHint ? { readOnlyHint, openWorldHint } : anotacoes }
    }
    expect(listed).toMatchObject(tools.filter(forAll).map(said))
    for (const { name, inputSchema } of listed) {
      const root = inputSchema as JsonSchemaType
      expect([name, root.type, root.anyOf, root.oneOf]).toEqual([name, 'object', undefined, undefined])
      for (const schema of schemasIn(root)) {
        expect(
          Object.keys(schema).filter((keyword) => REFUSED.includes(keyword)),
          name,
        ).toEqual([])
        if (schema.type === 'array') expect(schema.items, name).toBeTypeOf('object')
        for (const field of Object.keys(schema.properties ?? {})) expect(field).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/)
      }
    }
  })

  it('is listed with schemas that accept a valid call and reject a wrong type', async () => {
    const { tools: listed } = await operator.client.listTools()
    const ajv = new AjvJsonSchemaValidator()
    const ids = { empresa: 1, camera: 2, evento: 3, incidente: 7, gravador: 4, canal: 5, edge: 6 }
    for (const { name, inputSchema } of listed) {
      const input = ajv.getValidator(inputSchema as JsonSchemaType)
      const example = toolExample(name, ids)
      expect(input(example), name).toMatchObject({ valid: true })
      const [field] = Object.keys(inputSchema.properties ?? {})
      if (field !== undefined) expect(input({ ...example, [field]: { a: 1 } }), name).toMatchObject({ valid: false })
    }
  })

  it('leaves most of the context of an agent free: the served list has less than 40 kB', async () => {
    const headers = { authorization: `Bearer ${await authorizeAgent(app, ADMIN.username)}` }
    const answer = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    const served = (await answer.text()).split('\n').find((line) => line.startsWith('data: ')) ?? ''
    expect(JSON.parse(served.slice(6)).result.tools).toHaveLength(tools.filter(forAll).length)
    expect(Buffer.byteLength(served)).toBeLessThan(40_000)
  })

  it.each(tools.map((tool) => [tool.nome, tool] as const))('%s has complete descriptions', (nome, tool) => {
    expect(nome).toMatch(/^(?=.{1,64}$)[a-z]+(_[a-z]+)*$/)
    expect(tool.titulo).not.toBe('')
    expect(tool.descricao.length).toBeGreaterThan(80)
    expect(tool.descricao.length).toBeLessThan(300)
    for (const [field, schema] of Object.entries({ ...tool.entrada.shape, ...tool.saida.shape }))
      expect((schema as z.ZodType).description ?? '', `${nome}.${field}`).toMatch(/^.{10,}/)
    expect(tool.entrada.safeParse({ campo_inventado: 1 }).error?.issues).toContainEqual(
      expect.objectContaining({ code: 'unrecognized_keys' }),
    )
    // Every tool that a description mentions exists.
    const named = [...tool.descricao.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([name]) => name)
    const fields = tools.flatMap(({ entrada, saida }) => Object.keys({ ...entrada.shape, ...saida.shape }))
    const known = [...tools.map((one) => one.nome), ...fields, 'a_caminho', 'camera_id']
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })

  it.each(tools.map((tool) => [tool.nome, tool] as const))(
    '%s declares its routes and annotations correctly',
    (_, tool) => {
      const routes = tool.operacoes.map((operacao) => app.routes.find((route) => route.operacao === operacao))
      expect(routes).not.toContain(undefined)
      expect(routes.map((route) => route?.method)).not.toContain('delete')
      const { readOnlyHint, destructiveHint } = tool.anotacoes
      const readsOnly = routes.every((route) => route?.method === 'get')
      expect(readOnlyHint).toBe(readsOnly)
      if (readOnlyHint) expect(destructiveHint).toBe(false)
      if (routes.some((route) => route?.method === 'patch')) expect(destructiveHint).toBe(true)
      const body = z.toJSONSchema(tool.entrada, { io: 'input' }).properties ?? {}
      expect(Object.keys(body)).not.toContain('aviso')
    },
  )
})
