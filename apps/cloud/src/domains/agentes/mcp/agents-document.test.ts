import { readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import { authorizeAgent } from '../../../test/clients/oauth-flow.ts'
import { SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

/** Names in the table of docs/mcp.md, by column, sorted. */
function columns(): { any: string[]; vigilante: string[]; administrador: string[] } {
  const text = readFileSync(new URL('../../../../../../docs/mcp.md', import.meta.url), 'utf8')
  const table = text.slice(text.indexOf('| tools | any login |')).split('\n\n')[0] ?? ''
  const rows = table
    .split('\n')
    .slice(2)
    .map((row) => row.split('|'))
  const names = (column: number) =>
    rows.flatMap((row) => [...(row[column] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)).sort()
  return { any: names(2), vigilante: names(3), administrador: names(4) }
}

describe('docs/mcp.md', () => {
  let seen: Record<'administrador' | 'vigilante' | 'usuario' | 'leitura', string[]>

  const app = fixture(startTestApp)

  beforeAll(async () => {
    const { empresaId, admin } = await app.account('Mercado Bom Preço')
    const rui = { username: 'rui', senha: SENHA, papel: 'vigilante' }
    await admin.expect(201, 'POST', '/api/v1/usuarios', rui)
    const login = { administrador: `administrador-${empresaId}`, usuario: `usuario-${empresaId}` }
    seen = {
      administrador: await listAll(await authorizeAgent(app, login.administrador)),
      vigilante: await listAll(await authorizeAgent(app, rui.username)),
      usuario: await listAll(await authorizeAgent(app, login.usuario)),
      leitura: await listAll(await authorizeAgent(app, login.administrador, { scope: 'mcp:leitura' })),
    }
  })

  /** Names of tools and prompts and addresses of resources that a token holder sees. */
  async function listAll(token: string): Promise<string[]> {
    const client = new Client({ name: 'documento', version: '1' })
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', app.url), { requestInit }) as Transport)
    try {
      const [{ tools }, { prompts }, { resourceTemplates }] = await Promise.all([
        client.listTools(),
        client.listPrompts(),
        client.listResourceTemplates(),
      ])
      const names = [...tools.map(({ name }) => name), ...prompts.map(({ name }) => name)]
      return [...names, ...resourceTemplates.map(({ uriTemplate }) => uriTemplate)].sort()
    } finally {
      await client.close()
    }
  }

  it('names exactly the tools, prompts and resources of an agent of an administrador', () => {
    const { any, vigilante, administrador } = columns()
    expect([...any, ...vigilante, ...administrador].sort()).toEqual(seen.administrador)
  })

  it('marks those that a vigilante sees too', () => {
    const { any, vigilante } = columns()
    expect([...any, ...vigilante].sort()).toEqual(seen.vigilante)
  })

  it('marks the tools, prompts and resources of every login', () => {
    expect(columns().any).toEqual(seen.usuario)
    expect(seen.leitura).toEqual(seen.usuario)
  })
})
