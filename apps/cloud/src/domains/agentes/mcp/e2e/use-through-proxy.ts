import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { newClient, useTools } from './ask-mcp.ts'
import type { ClientMachine } from './client-machine.ts'

/** Starts `mcp-remote` and connects to it on stdio, like a desktop client with its configuration entry. */
export async function useThroughProxy(machine: ClientMachine, mcp: URL, args: readonly string[] = []) {
  const client = newClient()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...machine.command('mcp-remote', [mcp.href, '--auth-timeout', '120', ...args])],
    env: { ...machine.env },
    cwd: machine.home,
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  try {
    await client.connect(transport as Transport, { timeout: 60_000 })
    return await useTools(client)
  } catch (error) {
    throw new Error(`mcp-remote said:\n${said}`, { cause: error })
  } finally {
    await client.close()
  }
}
