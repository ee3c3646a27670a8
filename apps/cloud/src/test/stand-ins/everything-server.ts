import { randomBytes } from 'node:crypto'
import {
  CLIENT_CAPABILITIES_META_KEY,
  completable,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Extras } from '../../domains/agentes/mcp/server.ts'

/** A red dot, and 100 ms of silence. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text = (value: string) => ({ type: 'text' as const, text: value })
const said = (value: string) => ({ content: [text(value)] })
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }
const embedded = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
})
const user = <C>(content: C) => ({ role: 'user' as const, content })

/**
 * The tools, resources and prompts that `@modelcontextprotocol/conformance` expects, with its names and contents. They
 * use the same handler as the tools of the product; only tests mount them.
 */
export function everythingServer(): Extras {
  const codec = createRequestStateCodec<{ round: number }>({ key: randomBytes(32) })
  return {
    options: { requestState: { verify: codec.verify } },
    add: (server) => {
      server.server.registerCapabilities({ logging: {}, resources: { subscribe: true }, completions: {} })
      addContents(server)
      addConversations(server)
      addSchemas(server)
      addRounds(server, (round, ctx) => codec.mint({ round }, ctx))
      addResources(server)
      addPrompts(server)
    },
  }
}

type Handler = (ctx: ServerContext) => ReturnType<Parameters<McpServer['registerTool']>[2]>

const adder = (server: McpServer) => (name: string, handler: (ctx: ServerContext) => unknown) =>
  server.registerTool(name, { description: name, inputSchema: z.object({}) }, (_, ctx) => (handler as Handler)(ctx))

function addContents(server: McpServer): void {
  const add = adder(server)
  add('test_simple_text', () => said('This is a simple text response for testing.'))
  add('test_image_content', () => ({ content: [image] }))
  add('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }))
  const resource = embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')
  add('test_embedded_resource', () => ({ content: [resource] }))
  const mixed = embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}')
  add('test_multiple_content_types', () => ({ content: [text('Multiple content types test:'), image, mixed] }))
  add('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  add('test_tool_with_progress', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    if (progressToken !== undefined)
      for (const progress of [0, 50, 100])
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
    return said('done')
  })
  const log = async ({ mcpReq }: ServerContext) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
      await mcpReq.log('info', data)
    return said('logged')
  }
  add('test_tool_with_logging', log)
  add('test_logging_tool', log)
}

/** Keywords that must reach the client unchanged, and a parameter that a header repeats (SEP-2243). */
function addSchemas(server: McpServer): void {
  const one = (schema: object) => fromJsonSchema(schema as Parameters<typeof fromJsonSchema>[0])
  const phone = { type: 'string' }
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Tool with JSON Schema 2020-12 features',
      inputSchema: one({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: { $anchor: 'addressDef', type: 'object', properties: { street: phone, city: phone } },
        },
        properties: {
          name: phone,
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone,
          email: phone,
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      }),
    },
    () => said('ok'),
  )
  const properties = { region: { type: 'string', 'x-mcp-header': 'Region' } }
  server.registerTool(
    'test_x_mcp_header',
    { description: 'Header', inputSchema: one({ type: 'object', properties, required: ['region'] }) },
    () => said('ok'),
  )
}

const choices = [
  { const: 'value1', title: 'First' },
  { const: 'value2', title: 'Second' },
]
const plain = ['option1', 'option2', 'option3']

/** Requests of the server to the client during a call, as in the revisions with sessions. */
function addConversations(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'test_sampling', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      if (!server.server.getClientCapabilities()?.sampling) throw new Error('The client declares no sampling')
      const messages = [user(text(prompt))]
      const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 })
      return said(`LLM response: ${JSON.stringify(content)}`)
    },
  )
  const elicit = async ({ mcpReq }: ServerContext, message: string, properties: object) => {
    const schema = { type: 'object', properties } as Parameters<ServerContext['mcpReq']['elicitInput']>[0] extends {
      requestedSchema: infer S
    }
      ? S
      : never
    const { action, content } = await mcpReq.elicitInput({ mode: 'form', message, requestedSchema: schema })
    return said(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)
  }
  server.registerTool(
    'test_elicitation',
    { description: 'test_elicitation', inputSchema: z.object({ message: z.string() }) },
    ({ message }, ctx) => elicit(ctx, message, { username: { type: 'string' }, email: { type: 'string' } }),
  )
  const add = adder(server)
  add('test_elicitation_sep1034_defaults', (ctx) =>
    elicit(ctx, 'Defaults', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  )
  add('test_elicitation_sep1330_enums', (ctx) =>
    elicit(ctx, 'Enums', {
      untitledSingle: { type: 'string', enum: plain },
      titledSingle: { type: 'string', oneOf: choices },
      legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['One', 'Two'] },
      untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
      titledMulti: { type: 'array', items: { anyOf: choices } },
    }),
  )
}

const nameOf = (message: string, property = 'name') =>
  inputRequired.elicit({ message, requestedSchema: z.object({ [property]: z.string() }) })
const confirmation = inputRequired.elicit({ message: 'Please confirm', requestedSchema: z.object({ ok: z.boolean() }) })
const question = (value: string) => inputRequired.createMessage({ messages: [user(text(value))], maxTokens: 100 })

/** Requests to the client as the result of a round, as of 2026-07-28. */
function addRounds(server: McpServer, mint: (round: number, ctx: ServerContext) => Promise<string>): void {
  const add = adder(server)
  const answered = ({ mcpReq }: ServerContext, key: string) =>
    inputResponse(mcpReq.inputResponses, key).kind !== 'missing'
  const ask = (name: string, key: string, request: () => ReturnType<typeof question>) =>
    add(name, (ctx) => (answered(ctx, key) ? said('done') : inputRequired({ inputRequests: { [key]: request() } })))

  ask('test_input_required_result_elicitation', 'user_name', () => nameOf('What is your name?'))
  ask('test_streaming_elicitation', 'user_name', () => nameOf('What is your name?'))
  ask('test_input_required_result_sampling', 'capital_question', () => question('What is the capital of France?'))
  ask('test_missing_capability', 'capital_question', () => question('What is the capital of France?'))
  ask('test_input_required_result_list_roots', 'client_roots', () => inputRequired.listRoots())
  const stated = (name: string) =>
    add(name, async (ctx) =>
      answered(ctx, 'confirm') && ctx.mcpReq.requestState()
        ? said('state-ok')
        : inputRequired({ inputRequests: { confirm: confirmation }, requestState: await mint(1, ctx) }),
    )
  stated('test_input_required_result_request_state')
  stated('test_input_required_result_tampered_state')
  add('test_input_required_result_multiple_inputs', async (ctx) =>
    ['user_name', 'greeting', 'client_roots'].every((key) => answered(ctx, key))
      ? said('done')
      : inputRequired({
          inputRequests: {
            user_name: nameOf('What is your name?'),
            greeting: question('Generate a greeting'),
            client_roots: inputRequired.listRoots(),
          },
          requestState: await mint(1, ctx),
        }),
  )
  add('test_input_required_result_multi_round', async (ctx) => {
    const round = ctx.mcpReq.requestState<{ round: number }>()?.round ?? 0
    if (round === 0 || !answered(ctx, `step${round}`)) {
      const inputRequests = { step1: nameOf('Step 1: What is your name?') }
      return inputRequired({ inputRequests, requestState: await mint(1, ctx) })
    }
    if (round === 2) return said('done')
    const inputRequests = { step2: nameOf('Step 2: What is your favorite color?', 'color') }
    return inputRequired({ inputRequests, requestState: await mint(2, ctx) })
  })
  add('test_input_required_result_capabilities', (ctx) => {
    const envelope = ctx.mcpReq.envelope as
      | Partial<Record<string, { sampling?: object; elicitation?: object }>>
      | undefined
    const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY]
    return inputRequired({
      inputRequests: {
        ...(declared?.sampling && { greeting: question('Generate a greeting') }),
        ...(declared?.elicitation && { user_name: nameOf('What is your name?') }),
      },
    })
  })
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks for its context' }, (ctx) =>
    answered(ctx, 'user_context')
      ? { messages: [user(text('With context'))] }
      : inputRequired({
          inputRequests: { user_context: nameOf('What context should the prompt use?', 'context') },
        }),
  )
}

function addResources(server: McpServer): void {
  const fixed = (name: string, uri: string, mimeType: string, content: { text: string } | { blob: string }) =>
    server.registerResource(name, uri, { mimeType }, () => ({ contents: [{ uri, mimeType, ...content }] }))
  fixed('static-text', 'test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' })
  fixed('static-binary', 'test://static-binary', 'image/png', { blob: PNG })
  fixed('watched', 'test://watched-resource', 'text/plain', { text: 'Watched' })
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }],
    }),
  )
  server.server.setRequestHandler('resources/subscribe', () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', () => ({}))
}

function addPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }))
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Arguments',
      argsSchema: z.object({
        arg1: completable(z.string().describe('First'), (typed) =>
          ['paris', 'park'].filter((a) => a.startsWith(typed)),
        ),
        arg2: z.string().describe('Second'),
      }),
    },
    ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Resource', argsSchema: z.object({ resourceUri: z.string().describe('URI') }) },
    ({ resourceUri }) => ({
      messages: [
        user(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'Image' }, () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  }))
}
