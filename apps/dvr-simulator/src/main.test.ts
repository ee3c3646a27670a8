import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { runProgram, startProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { footageFile } from './test/clips.ts'
import { connectClient, play, receive } from './test/rtsp-client.ts'

const entry = 'apps/dvr-simulator/src/main.ts'
const url = (porta: number, canal: number) => `rtsp://127.0.0.1:${porta}/cam/realmonitor?channel=${canal}&subtype=0`
let folder = ''
beforeAll(async () => {
  folder = temporaryFolder('vigia-sim-')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the program', () => {
  it('logs an unusable file in one sentence, and runs the other channels', async () => {
    const bad = join(folder, 'ruim.mp4')
    await writeFile(bad, '')
    const files = [`${footageFile('campus-b-sub.mp4')},${bad}`, bad, '', footageFile('campus-c-h265.mp4')]
    const program = await startProgram({
      entry,
      args: ['--porta', '0', ...files.flatMap((file) => ['--canal', file])],
      env: { VIGIA_SIM_DEFEITOS: '{"4":"vazio_454"}' },
    })
    const porta = program.porta ?? 0
    const lines = program
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number; msg: string })
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'Canal 1: O arquivo de vídeo "ruim.mp4" está vazio (0 bytes). Use um MP4 ou MKV com vídeo H.264 ou H.265.'],
      [40, 'Canal 2: O arquivo de vídeo "ruim.mp4" está vazio (0 bytes). Use um MP4 ou MKV com vídeo H.264 ou H.265.'],
      [30, 'pronto'],
    ])
    const client = await connectClient(porta)
    const statuses: number[] = []
    for (const uri of [url(porta, 1), `rtsp://h/Streaming/Channels/102`, url(porta, 2), url(porta, 3), url(porta, 4)])
      statuses.push((await client.request('DESCRIBE', uri)).status)
    expect(statuses).toEqual([200, 404, 404, 404, 454])
    await play(client, url(porta, 1))
    await receive(client, 3)
    expect(await program.stop()).toEqual({ code: 0, signal: null })
    client.close()
  })

  it('reports an occupied port', async () => {
    const server = createServer()
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        resolve(typeof address === 'object' && address ? address.port : 0)
      }),
    )
    const { code, output } = await runProgram({ entry, args: ['--porta', String(port)] })
    server.close()
    expect({ code, output }).toEqual({
      code: 1,
      output: `A porta ${port} já está em uso. Escolha outra com --porta.\n`,
    })
  })

  it.each([
    [['--porta', 'abc'], {}, 'Configuração inválida: --porta precisa ser um número.'],
    [['--autenticacao', 'x'], {}, 'Configuração inválida: --autenticacao precisa ser md5, sha256 ou basic.'],
    [['--nada'], {}, 'Argumento desconhecido ou incompleto.'],
    [['--bloqueio-apos', '0'], {}, 'Configuração inválida: --bloqueio-apos precisa ser ao menos 1.'],
    [[], { VIGIA_SIM_DEFEITOS: '{' }, 'Configuração inválida: VIGIA_SIM_DEFEITOS não é JSON'],
    [
      [],
      { VIGIA_SIM_DEFEITOS: '{"1":"voa"}' },
      'Configuração inválida: VIGIA_SIM_DEFEITOS traz um defeito que não existe',
    ],
    [['--host', '203.0.113.7'], {}, 'Esta máquina não tem o endereço 203.0.113.7.'],
  ] as const)('rejects the option %j %j with one line', async (args, env, sentence) => {
    const { code, output } = await runProgram({ entry, args: [...args], env })
    expect(code).toBe(1)
    expect(output).toContain(sentence)
    expect(output.trim().split('\n')).toHaveLength(1)
  })
})
