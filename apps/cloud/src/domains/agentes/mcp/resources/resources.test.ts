import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { fixture } from '@vigia/testing/fixture'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentClient, connectAgent } from '../../../../test/clients/agent-client.ts'
import { drawnFrame, openBackstage } from '../../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../../test/clouds/test-app.ts'

let agent: AgentClient
let own: { cameraId: number; evento: number }
let foreign: { cameraId: number; evento: number }
const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

beforeAll(async () => {
  const made = async (nome: string) => {
    const { empresaId } = await app.account(nome)
    const stored = await backstage.camera(empresaId)
    return { ...stored, evento: await backstage.event(stored) }
  }
  const mine = await made('Própria')
  own = mine
  foreign = await made('Alheia')
  agent = await connectAgent(app, `usuario-${mine.empresaId}`)
})
afterAll(async () => {
  await agent?.close()
})

const read = async (uri: string) => (await agent.client.readResource({ uri })).contents
const refusalOf = async (uri: string) => {
  const error = await read(uri).then(
    () => null,
    (error: { code: number; message: string }) => error,
  )
  return [error?.code, error?.message.replace(uri, '')]
}

describe('resources', () => {
  it('contain the answers of the routes as JSON; an event also contains its picture', async () => {
    const [camera] = (await read(`vigia://camera/${own.cameraId}`)) as { mimeType: string; text: string }[]
    expect(camera?.mimeType).toBe('application/json')
    expect(JSON.parse(camera?.text ?? '')).toMatchObject({
      titulo: `Câmera ${own.cameraId}: "Portão"`,
      camera: { id: own.cameraId, rtsp_url: 'rtsp://192.0.2.1/1' },
    })
    const [text, picture] = await read(`vigia://evento/${own.evento}`)
    expect(JSON.parse((text as { text: string }).text)).toMatchObject({ evento: { id: own.evento } })
    expect(picture).toMatchObject({ mimeType: 'image/jpeg', blob: (await drawnFrame()).toString('base64') })
  })

  it.each(['camera', 'evento'] as const)('answer a %s of another Empresa like a missing one', async (nome) => {
    const id = nome === 'camera' ? foreign.cameraId : foreign.evento
    const missing = await refusalOf(`vigia://${nome}/999999`)
    expect(missing[0]).not.toBe(ErrorCode.InternalError)
    for (const wrong of [id, 0, -1, 'abc', '1.5', '99999999999999', '%00', '%2e%2e', '1%2F2'])
      expect([wrong, ...(await refusalOf(`vigia://${nome}/${wrong}`))]).toEqual([wrong, ...missing])
  })

  it('are listed and completed within the scope', async () => {
    const { resources } = await agent.client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([`vigia://camera/${own.cameraId}`, `vigia://evento/${own.evento}`])
    expect(resources[0]).toMatchObject({ name: `Câmera ${own.cameraId}: "Portão"`, mimeType: 'application/json' })
    const complete = async (uri: string, value: string) =>
      (await agent.client.complete({ ref: { type: 'ref/resource', uri }, argument: { name: 'id', value } })).completion
        .values
    expect(await complete('vigia://camera/{id}', '')).toEqual([String(own.cameraId)])
    expect(await complete('vigia://evento/{id}', String(own.evento))).toEqual([String(own.evento)])
    expect(await complete('vigia://evento/{id}', '7')).toEqual([])
  })
})
