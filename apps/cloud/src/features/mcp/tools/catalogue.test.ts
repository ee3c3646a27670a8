import type { JsonSchemaType } from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AgentClient, connectAgent } from '../../../test/agent-client.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { toolExample } from '../../../test/tool-examples.ts'
import { tools } from './catalogue.ts'

let app: TestApp
let operator: AgentClient
beforeAll(async () => {
  app = await startTestApp()
  const { empresaId } = await app.account('Mercado')
  operator = await connectAgent(app, `administrador-${empresaId}`)
})
afterAll(async () => {
  await operator?.close()
  await app?.stop()
})

describe('every tool', () => {
  it('is listed with schemas of JSON Schema 2020-12 that take a good call, and no misspelt one', async () => {
    const { tools: listed } = await operator.client.listTools()
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ nome }) => nome))
    const ajv = new AjvJsonSchemaValidator()
    const ids = { empresa: 1, camera: 2, evento: 3, gravador: 4, canal: 5, edge: 6 }
    for (const { name, inputSchema, outputSchema = {} } of listed) {
      for (const schema of [inputSchema, outputSchema] as { $schema?: string }[])
        expect(schema.$schema, name).toBe('https://json-schema.org/draft/2020-12/schema')
      const input = ajv.getValidator(inputSchema as JsonSchemaType)
      const example = toolExample(name, ids)
      expect(input(example), name).toMatchObject({ valid: true })
      expect(input({ ...example, campo_inventado: 1 }), name).toMatchObject({ valid: false })
      expect(ajv.getValidator(outputSchema as JsonSchemaType)({}), name).toMatchObject({ valid: false })
    }
    // What an agent reads before its first call has to fit beside its work.
    expect(JSON.stringify(listed.map(({ outputSchema: _, ...rest }) => rest)).length).toBeLessThan(60_000)
    expect(JSON.stringify(listed).length).toBeLessThan(200_000)
  })

  it.each(tools.map((tool) => [tool.nome, tool] as const))('%s says what it is', (nome, tool) => {
    expect(nome).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(tool.titulo).not.toBe('')
    expect(tool.descricao.length).toBeGreaterThan(120)
    expect(tool.descricao.length).toBeLessThan(700)
    for (const [field, schema] of Object.entries({ ...tool.entrada.shape, ...tool.saida.shape }))
      expect((schema as z.ZodType).description ?? '', `${nome}.${field}`).toMatch(/^.{10,}/)
    expect(tool.entrada.safeParse({ campo_inventado: 1 }).error?.issues).toContainEqual(
      expect.objectContaining({ code: 'unrecognized_keys' }),
    )
    // A tool that it sends the reader to exists.
    const named = [...tool.descricao.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([name]) => name)
    const fields = tools.flatMap(({ entrada, saida }) => Object.keys({ ...entrada.shape, ...saida.shape }))
    const known = [...tools.map((one) => one.nome), ...fields, 'a_caminho', 'camera_id']
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })

  it.each(tools.map((tool) => [tool.nome, tool] as const))(
    '%s stands on routes, and says honestly what it does',
    (_, tool) => {
      const routes = tool.operacoes.map((operacao) => app.routes.find((route) => route.operacao === operacao))
      expect(routes).not.toContain(undefined)
      expect(routes.map((route) => route?.method)).not.toContain('delete')
      const { readOnlyHint, destructiveHint } = tool.anotacoes
      const looksOnly = routes.every((route) => route?.method === 'get')
      expect(readOnlyHint).toBe(looksOnly)
      if (readOnlyHint) expect(destructiveHint).toBe(false)
      if (routes.some((route) => route?.method === 'patch')) expect(destructiveHint).toBe(true)
      const body = z.toJSONSchema(tool.entrada, { io: 'input' }).properties ?? {}
      expect(Object.keys(body)).not.toContain('aviso')
    },
  )
})
