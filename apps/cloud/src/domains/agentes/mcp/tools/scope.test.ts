import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { efeitos } from '@vigia/contracts/efeitos'
import type { Incidente } from '@vigia/contracts/incidentes'
import { fixture } from '@vigia/testing/fixture'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentClient, connectAgent } from '../../../../test/clients/agent-client.ts'
import { connectTicked } from '../../../../test/clients/ticked-agent.ts'
import { openBackstage } from '../../../../test/clouds/backstage.ts'
import { SENHA, startTestApp } from '../../../../test/clouds/test-app.ts'
import { LOOPBACK_ALLOWED } from '../../../../test/records/own-records.ts'
import { fingerprint } from '../../../../test/walks/fingerprint.ts'
import { makeRecords, type RecordIds, toolExample } from '../../../../test/walks/tool-examples.ts'
import { tools } from './catalogue.ts'

let own: RecordIds
let foreign: RecordIds
const agents: AgentClient[] = []
const agent = async (...given: Parameters<typeof connectAgent> extends [unknown, ...infer Rest] ? Rest : never) => {
  const connected = await connectAgent(app, ...given)
  agents.push(connected)
  return connected
}
let admin: AgentClient
/** A second agent for the many wrong calls, because the messages per authorization and minute are limited. */
let clumsy: AgentClient
let usuario: AgentClient
let reading: AgentClient
let vigilante: AgentClient
const app = fixture(() => startTestApp(LOOPBACK_ALLOWED))
const backstage = fixture(() => openBackstage(app))

beforeAll(async () => {
  const account = await app.account('Própria')
  const other = await app.account('Alheia')
  own = await makeRecords(backstage, account)
  foreign = await makeRecords(backstage, other)
  // Without an effect a tool that is for one answers with the missing permission (with-effect.test.ts).
  admin = await connectTicked(app, `administrador-${account.empresaId}`, efeitos)
  clumsy = await connectTicked(app, `administrador-${account.empresaId}`, efeitos)
  agents.push(admin, clumsy)
  usuario = await agent(`usuario-${account.empresaId}`)
  await account.admin.expect(201, 'POST', '/api/v1/usuarios', { username: 'rui', senha: SENHA, papel: 'vigilante' })
  vigilante = await agent('rui')
  reading = await agent(`administrador-${account.empresaId}`, { scope: 'mcp:leitura' })
})
afterAll(async () => {
  for (const one of agents) await one.close()
})

const missing: RecordIds = {
  empresa: 999_999,
  camera: 999_999,
  evento: 999_999,
  incidente: 999_999,
  gravador: 999_999,
  canal: 999_999,
  edge: 999_999,
}
/** Its call contains no id of a record. */
const namesNothing = (nome: string) => {
  const text = (ids: RecordIds) => JSON.stringify(toolExample(nome, ids))
  return text(missing) === text({ empresa: 1, camera: 1, evento: 1, incidente: 1, gravador: 1, canal: 1, edge: 1 })
}
const names = (list: readonly { readonly nome: string }[]) => list.map(({ nome }) => nome)

/** They need a connected edge and are tested in devices.test.ts. */
const NEED_A_BOX = ['capturar_imagem', 'reiniciar_camera', 'descobrir_gravador', 'testar_conexao', 'diagnosticar_edge']

describe.each(names(tools).filter((nome) => !namesNothing(nome)))('%s', (nome) => {
  it('answers a foreign id like a missing one, and changes nothing', async () => {
    const before = await fingerprint(backstage)
    const answers = [
      await admin.call(nome, toolExample(nome, foreign)),
      await admin.call(nome, toolExample(nome, missing)),
    ]
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toMatchObject({
      recusado: true,
      imagens: [],
      texto: expect.stringMatching(/não encontrad[ao]/i),
    })
    expect(await fingerprint(backstage)).toBe(before)
  })

  it('rejects a wrong field by its name, and changes nothing', async () => {
    const before = await fingerprint(backstage)
    const good = toolExample(nome, own)
    const misspelt = await clumsy.call(nome, { ...good, camera_di: 1 })
    expect([misspelt.recusado, misspelt.texto]).toEqual([true, expect.stringContaining('camera_di')])
    const [field = ''] = Object.keys(good)
    for (const wrong of [{ nada: true }, [], 'x'.repeat(5000), -1]) {
      const { recusado, texto } = await clumsy.call(nome, { ...good, [field]: wrong })
      expect([recusado, texto]).toEqual([true, expect.stringContaining(field)])
    }
    expect(await fingerprint(backstage)).toBe(before)
  })
})

describe('a read-only agent', () => {
  it('sees the allowed tools and can call no others', async () => {
    const before = await fingerprint(backstage)
    const readable = names(tools).filter((nome) => {
      const { operacoes = [] } = tools.find((tool) => tool.nome === nome) ?? {}
      return operacoes.every((operacao) => routeOf(operacao)?.acesso === 'sessao')
    })
    expect(readable).toContain('listar_eventos')
    for (const changing of ['alterar_camera', 'responder_incidente']) expect(readable).not.toContain(changing)
    for (const one of [usuario, reading]) {
      const listed = (await one.client.listTools()).tools.map(({ name }) => name)
      expect(listed).toEqual(readable)
    }
    for (const nome of names(tools).filter((name) => !readable.includes(name)))
      await expect(usuario.call(nome, toolExample(nome, own)), nome).rejects.toMatchObject({
        code: ErrorCode.InvalidParams,
      })
    expect(await fingerprint(backstage)).toBe(before)
  })

  const routeOf = (operacao: string) => app.routes.find((route) => route.operacao === operacao)

  it('may call every tool that it sees', async () => {
    const { tools: listed } = await usuario.client.listTools()
    for (const { name } of listed.filter((tool) => !NEED_A_BOX.includes(tool.name)))
      expect((await usuario.call(name, toolExample(name, own))).texto, name).not.toContain('Seu login')
  })
})

describe('a vigilante', () => {
  it('answers incidentes, silences cameras and fetches recordings, and changes nothing else', async () => {
    const { incidente } = await vigilante.expect<{ incidente: Incidente }>('responder_incidente', {
      incidente_id: own.incidente,
      resposta: 'falso',
      nota: 'Era o gato.',
    })
    expect(incidente.atendimento).toMatchObject({ resposta: 'falso', nota: 'Era o gato.', revisor: 'rui' })
    const silenced = await vigilante.expect('silenciar_camera', { camera_id: own.camera, minutos: 15 })
    expect(silenced).toMatchObject({ camera_id: own.camera, silencio: { por: 'rui' } })
    const seen = await vigilante.call('ver_incidente', { incidente_id: own.incidente })
    expect(seen.dados).toMatchObject({
      incidente: { atendimentos: [{ revisor: 'rui' }] },
      eventos: [{ id: own.evento }],
    })
    expect(seen.imagens).toHaveLength(1)
    const listed = (await vigilante.client.listTools()).tools
    const changing = listed.flatMap(({ name, annotations }) => (annotations?.readOnlyHint ? [] : [name]))
    expect(changing).toEqual(['responder_incidente', 'silenciar_camera', 'buscar_gravacao'])
  })
})

describe('an administrador', () => {
  it.each(names(tools).filter((nome) => !NEED_A_BOX.includes(nome)))('can call %s', async (nome) => {
    expect(await admin.call(nome, toolExample(nome, own))).toMatchObject({ recusado: false })
  })

  it('sees no other Empresa in tools without filters', async () => {
    for (const { nome, entrada } of tools) {
      if (!nome.startsWith('listar_') && !nome.startsWith('consultar_')) continue
      if (!('empresa_id' in entrada.shape)) continue
      const { texto } = await admin.call(nome, {})
      expect(texto, nome).not.toContain('Alheia')
      expect(texto, nome).not.toContain(`"empresa_id":${foreign.empresa}`)
    }
    expect((await admin.call('listar_empresas')).texto).not.toContain('Alheia')
  })

  it('never gets the password of a gravador', async () => {
    for (const nome of ['listar_gravadores', 'obter_gravador', 'cadastrar_gravador', 'consultar_auditoria']) {
      const { recusado, texto } = await admin.call(nome, toolExample(nome, own))
      expect([nome, recusado]).toEqual([nome, false])
      expect(texto).not.toContain('segredo-do-dvr')
    }
    expect(app.logText()).not.toContain('segredo-do-dvr')
  })
})
