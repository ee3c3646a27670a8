import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** Returns the names of all tools, and the answer of `listar_cameras` as text. */
export async function useTools(client: Client): Promise<{ tools: string[]; cameras: string }> {
  const { tools } = await client.listTools()
  const { content, structuredContent, isError } = await client.callTool({ name: 'listar_cameras', arguments: {} })
  if (isError) throw new Error(`listar_cameras: ${JSON.stringify(content)}`)
  return { tools: tools.map(({ name }) => name), cameras: JSON.stringify(structuredContent) }
}

export const newClient = (): Client => new Client({ name: 'cliente-de-teste', version: '1.0.0' })

/** `useTools` with a client that has only a token. */
export async function useToolsWith(token: string, mcp: URL): ReturnType<typeof useTools> {
  const client = newClient()
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(mcp, { requestInit }) as Transport)
  try {
    return await useTools(client)
  } finally {
    await client.close()
  }
}

/** Sends a request without a token and returns the metadata address of the 401 (RFC 9728 section 5.1). */
export async function challenge(mcp: URL): Promise<URL> {
  const response = await fetch(mcp, { method: 'POST' })
  await response.body?.cancel()
  const header = response.headers.get('www-authenticate') ?? ''
  const metadata = /^Bearer .*resource_metadata="([^"]+)"/.exec(header)?.[1]
  if (response.status !== 401 || !metadata) throw new Error(`${response.status} with ${JSON.stringify(header)}`)
  return new URL(metadata)
}
