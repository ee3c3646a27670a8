import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { TextContent } from '@modelcontextprotocol/sdk/types.js'
import type { TestApp } from '../clouds/test-app.ts'
import { authorizeAgent } from './oauth-flow.ts'

/** Answer of a tool: its data (checked by the client against the listed schema), or the refusal. */
interface Called {
  readonly recusado: boolean
  readonly dados: Record<string, unknown>
  /** All text blocks, joined in order. */
  readonly texto: string
  readonly imagens: readonly { readonly tipo: string; readonly bytes: Buffer }[]
}

/** A real MCP client, signed in as `username`. */
export interface AgentClient {
  readonly client: Client
  call(nome: string, entrada?: object, options?: RequestOptions): Promise<Called>
  /** The data of a call; fails for a refused call. */
  expect<T = Record<string, unknown>>(nome: string, entrada?: object, options?: RequestOptions): Promise<T>
  close(): Promise<void>
}

export const connectAgent = async (
  app: Pick<TestApp, 'url'>,
  username: string,
  options?: Parameters<typeof authorizeAgent>[2],
): Promise<AgentClient> => connectWith(app, await authorizeAgent(app, username, options))

/** One raw message to the MCP endpoint. `body`: text, or an object that is sent as JSON. */
export const postMcp = (
  { url }: Pick<TestApp, 'url'>,
  token: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** A real MCP client with this access token. */
export async function connectWith(app: Pick<TestApp, 'url'>, token: string): Promise<AgentClient> {
  const client = new Client({ name: 'teste', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', app.url), { requestInit }) as Transport)
  // After this list call the client checks each result against its listed schema.
  await client.listTools()
  const call: AgentClient['call'] = async (nome, entrada = {}, options) => {
    const result = await client.callTool({ name: nome, arguments: { ...entrada } }, undefined, options)
    const content = result.content as readonly (TextContent | { type: 'image'; mimeType: string; data: string })[]
    return {
      recusado: result.isError === true,
      dados: (result.structuredContent ?? {}) as Record<string, unknown>,
      texto: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
      imagens: content.flatMap((block) =>
        block.type === 'image' ? [{ tipo: block.mimeType, bytes: Buffer.from(block.data, 'base64') }] : [],
      ),
    }
  }
  return {
    client,
    call,
    expect: async <T>(nome: string, entrada?: object, options?: RequestOptions) => {
      const { recusado, dados, texto } = await call(nome, entrada, options)
      if (recusado) throw new Error(`${nome}: ${texto}`)
      return dados as T
    },
    close: () => client.close(),
  }
}
