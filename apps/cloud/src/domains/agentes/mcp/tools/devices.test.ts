import type { Progress } from '@modelcontextprotocol/sdk/types.js'
import type { Camera, PortaTestada } from '@vigia/contracts/cameras'
import type { ResultadoCadastro, ResultadoCanal } from '@vigia/contracts/gravadores'
import { jpegSize } from '@vigia/link/jpeg-size'
import { fixture } from '@vigia/testing/fixture'
import { freePort } from '@vigia/testing/free-port'
import { type RecorderOptions, type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, describe, expect, it } from 'vitest'
import { connectAgent } from '../../../../test/clients/agent-client.ts'
import { startAppWithEdge } from '../../../../test/clouds/app-with-edge.ts'

const whole = fixture(startAppWithEdge)
const agent = fixture(() => connectAgent(whole.app, `administrador-${whole.own.empresaId}`))

let gravador: RecorderProcess
const start = async (options: RecorderOptions = {}) => {
  gravador = await startRecorder(options)
}
afterEach(() => gravador?.close())

const access = (more: object = {}) => ({
  fabricante: 'intelbras',
  host: '127.0.0.1',
  porta: gravador.porta,
  usuario: gravador.usuario,
  senha: gravador.senha,
  num_canais: 10,
  empresa_id: whole.own.empresaId,
  ...more,
})

/** The answer of REST, without progress and with one request to the edge. */
const byRest = (more: object = {}) => whole.own.admin.send('POST', '/api/v1/gravadores/descobrir', access(more))

/** The answer to an agent with a progress callback, and the received progress messages. */
async function byAgent(more: object = {}) {
  const messages: string[] = []
  const onprogress = ({ progress, total, message }: Progress) => {
    messages.push(`${progress}/${total} ${message}`)
  }
  return { ...(await agent.call('descobrir_gravador', access(more), { onprogress })), messages }
}

describe('descobrir_gravador', () => {
  it('reports progress, and finds the same channels as REST', async () => {
    await start()
    const { dados, messages } = await byAgent()
    expect(messages).toEqual(['4/10 Canais 1 a 4 de 10', '8/10 Canais 5 a 8 de 10', '10/10 Canais 9 a 10 de 10'])
    expect(dados.canais).toEqual((await byRest()).body)
    expect((dados.canais as ResultadoCanal[]).map(({ estado }) => estado).slice(0, 4)).toEqual([
      'nova',
      'nova',
      'nova',
      'vazia',
    ])
    expect((await byAgent({ num_canais: 3 })).messages).toEqual(['3/3 Canais 1 a 3 de 3'])
    const alone = await agent.expect('descobrir_gravador', access())
    expect(alone.canais).toEqual(dados.canais)
  })

  it('continues after silent channels, as REST does', async () => {
    await start({ defeitos: { 1: 'mudo', 2: 'mudo', 3: 'mudo', 4: 'mudo' } })
    const { dados, recusado, messages } = await byAgent({ num_canais: 8 })
    const rest = await byRest({ num_canais: 8 })
    expect([rest.status, recusado, dados.canais]).toEqual([200, false, rest.body])
    expect(messages).toEqual(['4/8 Canais 1 a 4 de 8', '8/8 Canais 5 a 8 de 8'])
  })

  it('fails as REST does: wrong password once, unreachable address, forbidden address', async () => {
    await start()
    const wrong = await byAgent({ senha: 'errada' })
    expect([wrong.recusado, wrong.texto]).toEqual([
      true,
      expect.stringContaining('- senha: Usuário ou senha recusados'),
    ])
    // A gravador locks an address out after several wrong passwords.
    expect((await gravador.counts()).logins_recusados).toBe(1)
    const nobody = await byAgent({ porta: await freePort() })
    expect([nobody.recusado, nobody.texto]).toEqual([true, expect.stringContaining('a porta está fechada')])
    const host = await byAgent({ host: '127.0.0.2' })
    expect([host.recusado, host.texto]).toEqual([true, expect.stringContaining('- host: ')])
  })

  it('is cancelled on the edge when the agent cancels', async () => {
    await start({ defeitos: { 1: 'mudo', 2: 'mudo', 3: 'mudo', 4: 'mudo' } })
    const leave = new AbortController()
    const asked = agent.call('descobrir_gravador', access({ num_canais: 64 }), { signal: leave.signal, onprogress })
    asked.catch(() => {})
    await waitFor('the probe to have begun', async () => (await gravador.counts()).conexoes_max > 0)
    leave.abort('Basta.')
    await expect(asked).rejects.toThrow()
    await waitFor('the edge to have ended it', () => /"falha":"cancelado"/.test(whole.edge.output()))
  })

  it('requests no further channels after the agent cancels', async () => {
    await start()
    const leave = new AbortController()
    const cancel = { signal: leave.signal, onprogress: () => leave.abort('Basta.') }
    const before = cancelled()
    await expect(agent.call('descobrir_gravador', access({ num_canais: 256 }), cancel)).rejects.toThrow()
    await waitFor('the tool to have ended', () => cancelled() > before)
    expect((await gravador.counts()).describes).toBeLessThan(256)
  })

  const onprogress = () => {}
  const cancelled = () => whole.app.logText().split('"resultado":"cancelada"').length
})

describe('a gravador and its cameras', () => {
  it('can be registered, seen, restarted and diagnosed', async () => {
    await start()
    const registered = await agent.expect<ResultadoCadastro & Record<string, unknown>>('cadastrar_gravador', {
      ...access({ num_canais: 4 }),
      canais: [{ canal: 1, nome: 'Caixas' }, { canal: 2 }],
      nome_gravador: 'DVR da loja',
      perfil: 'comercio',
    })
    expect(registered).toMatchObject({
      cameras_criadas: 2,
      cameras: [{ nome: 'Caixas' }, { nome: 'DVR da loja - Canal 2' }],
    })
    const camera_id = registered.cameras[0]?.id ?? 0
    const shown = await agent.call('obter_gravador', { gravador_id: registered.gravador_id })
    expect(shown.dados).toMatchObject({
      gravador: { nome: 'DVR da loja' },
      canais: [{ canal: 1, camera_id }, {}, {}, {}],
    })
    expect(shown.texto).not.toContain(gravador.senha)

    await waitFor('the camera to be online', async () => {
      const { camera } = await agent.expect<{ camera: Camera }>('obter_camera', { camera_id })
      return camera.status === 'online'
    })
    const picture = await agent.call('capturar_imagem', { camera_id })
    const [imagem] = picture.imagens
    expect(jpegSize(imagem?.bytes ?? Buffer.alloc(0))).toEqual({ width: 384, height: 288 })
    expect(picture.dados).toMatchObject({ camera_id, tipo: 'image/jpeg', bytes: imagem?.bytes.length })

    expect(await agent.expect('reiniciar_camera', { camera_id })).toMatchObject({ camera_id, reiniciada: true })
    const { diagnostico } = await agent.expect<{ diagnostico: { cameras: object[] } }>('diagnosticar_edge', {
      edge_id: whole.edgeId,
    })
    expect(diagnostico.cameras).toContainEqual(expect.objectContaining({ id: camera_id }))
    const { portas } = await agent.expect<{ portas: PortaTestada[] }>('testar_conexao', {
      host: '127.0.0.1',
      portas: [gravador.porta],
      usuario: gravador.usuario,
      senha: gravador.senha,
    })
    expect(portas).toMatchObject([{ porta: gravador.porta, tcp: true, rtsp: true }])
    expect(whole.app.logText()).not.toContain(gravador.senha)
  })
})
