import { fixture } from '@vigia/testing/fixture'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentClient, connectAgent } from '../../../../test/clients/agent-client.ts'
import { loginId } from '../../../../test/clients/oauth-flow.ts'
import { openBackstage } from '../../../../test/clouds/backstage.ts'
import { type Account, startTestApp } from '../../../../test/clouds/test-app.ts'
import { LOOPBACK_ALLOWED } from '../../../../test/records/own-records.ts'
import { fingerprint } from '../../../../test/walks/fingerprint.ts'
import { makeRecords, type RecordIds, toolExample } from '../../../../test/walks/tool-examples.ts'
import { tools } from './catalogue.ts'

type Ids = RecordIds & { readonly usuario: number }

let agent: AgentClient
let above: Ids
let own: Ids
let beside: Ids
const agents: AgentClient[] = []
const app = fixture(() => startTestApp(LOOPBACK_ALLOWED))
const backstage = fixture(() => openBackstage(app))

beforeAll(async () => {
  const top = await app.account('Rede')
  const below = await app.account('Filial', top.admin)
  const other = await app.account('Alheia')
  const recordsOf = async (account: Account): Promise<Ids> => ({
    ...(await makeRecords(backstage, account)),
    usuario: await loginId(app.operator, `administrador-${account.empresaId}`),
  })
  // This id is that of the usuario, because the Empresa below may see the id of its creator, the administrador.
  above = { ...(await recordsOf(top)), usuario: await loginId(app.operator, `usuario-${top.empresaId}`) }
  own = await recordsOf(below)
  beside = await recordsOf(other)
  agent = await agentOf(own)
})
afterAll(async () => {
  for (const one of agents) await one.close()
})

async function agentOf({ empresa }: Ids): Promise<AgentClient> {
  const connected = await connectAgent(app, `administrador-${empresa}`)
  agents.push(connected)
  return connected
}

/** Kind of record of each id field. */
const kinds: Readonly<Record<string, keyof Ids>> = {
  camera_id: 'camera',
  canal_id: 'canal',
  edge_id: 'edge',
  empresa_id: 'empresa',
  evento_id: 'evento',
  gravador_id: 'gravador',
  incidente_id: 'incidente',
  objeto_id: 'camera',
  usuario_id: 'usuario',
}
const fields = tools.flatMap(({ nome, entrada }) =>
  Object.keys(entrada.shape)
    .filter((field) => field.endsWith('_id'))
    .map((field) => [nome, field] as const),
)

it('covers every id field of the tools', () => {
  expect([...new Set(fields.map(([, field]) => field))].sort()).toEqual(Object.keys(kinds).sort())
  expect(fields.length).toBeGreaterThan(40)
})

/** Answer to a call with a foreign id in one field and own ids in all others. */
const answerTo = (nome: string, field: string, id: number) =>
  agent.call(nome, { ...toolExample(nome, own), ...(field === 'objeto_id' && { objeto: 'camera' }), [field]: id })

describe.each(fields)('%s, its %s', (nome, field) => {
  const kind = kinds[field] ?? 'empresa'

  it('is answered like a missing id for a record of another or a parent Empresa', async () => {
    const before = await fingerprint(backstage)
    const missing = await answerTo(nome, field, 999_999)
    for (const foreign of [beside, above]) expect(await answerTo(nome, field, foreign[kind])).toEqual(missing)
    expect(await fingerprint(backstage)).toBe(before)
  })
})

it('returns only own records for a cursor of another login', async () => {
  for (const ids of [own, beside])
    for (let i = 0; i < 3; i += 1)
      await backstage.event({ cameraId: ids.camera, edgeId: ids.edge, empresaId: ids.empresa })
  const theirs = await agentOf(beside)
  for (const nome of ['listar_eventos', 'consultar_auditoria']) {
    const { proximo: cursor } = await agent.expect<{ proximo: string | null }>(nome, { limite: 1 })
    expect([nome, cursor]).toEqual([nome, expect.any(String)])
    const { recusado, texto } = await theirs.call(nome, { limite: 200, cursor })
    expect([nome, recusado]).toEqual([nome, false])
    expect(texto).not.toContain(`"empresa_id":${own.empresa}`)
    expect(texto).not.toContain('Filial')
  }
})
