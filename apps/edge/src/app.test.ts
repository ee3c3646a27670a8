import { readFileSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { calibracaoPadrao } from '@vigia/contracts/ias'
import type { Comando } from '@vigia/contracts/pedidos'
import type { MovimentoPtz } from '@vigia/contracts/ptz'
import { createSealKeyPair } from '@vigia/link/sealed'
import { type CloudStandIn, type DesiredCamera, numbers, startCloudStandIn } from '@vigia/testing/cloud-stand-in'
import { freePort } from '@vigia/testing/free-port'
import { type Program, startProgram } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, expect, it } from 'vitest'

/**
 * Runs the edge as a separate process with a real broker and the recorder simulator. The tests depend on their order.
 */

const PASSWORD = 'senha-do-gravador'
const footage = fileURLToPath(new URL('../../dvr-simulator/footage/', import.meta.url))
let cloud: CloudStandIn
let recorder: Program
let onvifPorta: number
let edge: Program
let output = ''

const edgeDir = () => join(cloud.dir, 'edge')
const codeFile = () => join(cloud.dir, 'codigo')

async function startEdge() {
  edge = await startProgram({
    entry: 'apps/edge/src/main.ts',
    env: {
      VIGIA_DATA_DIR: cloud.dir,
      VIGIA_CLOUD_URL: cloud.url,
      VIGIA_ATIVACAO_ARQUIVO: codeFile(),
      VIGIA_LOG_LEVEL: 'debug',
      VIGIA_SONDAGEM_PERMITIR: '127.0.0.1',
    },
  })
}

async function endEdge(how: 'stop' | 'kill') {
  await edge[how]()
  output += edge.output()
}

beforeAll(async () => {
  onvifPorta = await freePort()
  const channel = ['campus-a-principal.mp4', 'campus-a-sub.mp4'].map((name) => join(footage, name)).join(',')
  recorder = await startProgram({
    entry: 'apps/dvr-simulator/src/main.ts',
    args: ['--porta', '0', '--canal', channel, '--onvif', String(onvifPorta), '--ptz'],
    env: { VIGIA_SIM_USUARIO: 'vigia', VIGIA_SIM_SENHA: PASSWORD },
  })
  cloud = await startCloudStandIn()
  await startEdge()
})

afterAll(async () => {
  await endEdge('stop')
  await recorder.stop()
  await cloud.close()
})

const camera = (id: number, rest: Partial<DesiredCamera> = {}): DesiredCamera => ({
  id,
  rtsp_url: `rtsp://vigia:${PASSWORD}@127.0.0.1:${recorder.porta}/cam/realmonitor?channel=1&subtype=1`,
  analises: [{ ia: 'invasao', calibracao: { ...calibracaoPadrao.invasao, resfriamento_s: 0 }, agenda: null }],
  ...rest,
})

/** Waits for a report sent after this call that contains `expected` for the camera. */
async function reported(id: number, expected: object, timeoutMs = 60_000) {
  const from = cloud.reports.length
  await waitFor(
    `camera ${id} to be ${JSON.stringify(expected)}`,
    () => {
      const seen = cloud.reports.slice(from).some(({ cameras }) => {
        const one = cameras.find((entry) => entry.id === id)
        return one && Object.entries(expected).every(([key, value]) => one[key as keyof typeof one] === value)
      })
      return seen
    },
    { timeoutMs },
  )
}

const children = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

it('waits for a code, logs a refusal once, and activates with the next code', async () => {
  await waitFor('that it waits', () => edge.output().includes('Aguardando o código'))
  await writeFile(codeFile(), 'errado\n')
  await waitFor('the refusal', () => edge.output().includes('O código de ativação foi recusado'))
  cloud.codes.add('certo')
  await writeFile(codeFile(), 'certo\n')
  await waitFor('the first report', () => cloud.reports.length > 0)
  expect(edge.output().match(/foi recusado/g)).toHaveLength(1)
  expect(cloud.reports[0]).toMatchObject({ config_versao: 0, cameras: [], fila: 0 })
  const identity = join(edgeDir(), 'identidade', 'identidade.json')
  expect((await stat(identity)).mode & 0o777).toBe(0o600)
  expect((await stat(join(edgeDir(), 'identidade'))).mode & 0o777).toBe(0o700)
})

it('analyses the configured cameras and reports each camera with its reason', async () => {
  await cloud.configure(1, [
    camera(1),
    camera(2, { rtsp_url: `rtsp://vigia:errada@127.0.0.1:${recorder.porta}/cam/realmonitor?channel=1&subtype=1` }),
    camera(3, { fontes: 'isto não é um JWE' }),
    camera(4, { ativa: false }),
    camera(5, { rtsp_url: '/etc/passwd' }),
    camera(6, { analises: [{ ia: 'placa', calibracao: {}, agenda: null }] }),
  ])
  await reported(1, { estado: 'online', motivo: null, codec: 'h264', resolucao: '384x288' })
  await reported(2, { estado: 'falha', motivo: 'senha_recusada' })
  await reported(3, { estado: 'falha', motivo: 'url_ilegivel' })
  await reported(4, { estado: 'desativada', motivo: null })
  await reported(5, { estado: 'falha', motivo: 'url_ilegivel' })
  const last = cloud.reports.at(-1)
  expect(last?.config_versao).toBe(1)
  expect(last?.cameras.find(({ id }) => id === 6)?.ias_sem_suporte).toEqual(['placa'])
})

const picture = (camera_id: number) => cloud.ask({ acao: 'capturar_quadro', camera_id })
const failed = (falha: string) => ({ kind: 'resposta', resposta: { ok: false, falha } })

it('probes a recorder for the cloud', async () => {
  const login = { host: '127.0.0.1', usuario: 'vigia', senha: PASSWORD }
  const modelo = 'rtsp://{user}:{pass}@{host}:{port}/cam/realmonitor?channel={channel}&subtype=0'
  const porta = recorder.porta ?? 0
  const channels: Comando = { acao: 'sondar_canais', ...login, modelo, porta, canais: [1, 2] }
  const none = { estado: 'vazia', codec: null, resolucao: null }
  expect(await cloud.ask(channels)).toMatchObject({
    resposta: {
      ok: true,
      resultado: {
        canais: [
          { canal: 1, estado: 'video', codec: 'h264' },
          { canal: 2, ...none },
        ],
      },
    },
  })
  expect(await cloud.ask({ ...channels, senha: 'errada' })).toMatchObject(failed('senha_recusada'))
  const ports: Comando = { acao: 'sondar_portas', ...login, portas: [porta] }
  expect(await cloud.ask(ports)).toMatchObject({
    resposta: { resultado: { portas: [{ porta, tcp: true, rtsp: true }] } },
  })
  expect(await cloud.ask({ ...ports, host: '127.0.0.2' })).toMatchObject(failed('endereco_recusado'))
})

it('ignores commands sealed for another edge', async () => {
  const { publicJwk } = await createSealKeyPair()
  const outcome = await cloud.ask({ acao: 'capturar_quadro', camera_id: 1 }, { key: publicJwk })
  expect(outcome).toMatchObject(failed('comando_desconhecido'))
})

it('delivers events with their pictures in order and empties the outbox', async () => {
  await waitFor('events', () => numbers(cloud, 1).length >= 2)
  await waitFor('an empty outbox', () => cloud.reports.at(-1)?.fila === 0)
  const seqs = numbers(cloud, 1)
  expect(seqs).toEqual(seqs.map((_, i) => i + 1))
  const [first] = cloud.arrived
  expect(first?.registro).toMatchObject({ tipo: 'candidato', camera_id: 1, ia: 'invasao' })
  expect(first?.midias.map((bytes) => bytes.subarray(0, 3).toString('hex'))).toEqual(['ffd8ff', 'ffd8ff'])
  expect(typeof cloud.reports.at(-1)?.relogio.desvio_ms).toBe('number')
})

it('keeps events through kill -9 of the edge and delivers each once', async () => {
  cloud.answer = null
  const before = numbers(cloud, 1).length
  await waitFor('an unanswered event', () => numbers(cloud, 1).length > before)
  const captures = children(edge.pid)
  await endEdge('kill')
  await waitFor('its capture processes to end', () =>
    captures.every((pid) => {
      try {
        process.kill(pid, 0)
        return false
      } catch {
        return true
      }
    }),
  )
  await startEdge()
  cloud.answer = 'gravado'
  await waitFor('the event again', () => cloud.arrived.length > before + 1 && cloud.reports.at(-1)?.fila === 0, {
    timeoutMs: 60_000,
  })
  const seqs = numbers(cloud, 1)
  expect(seqs).toEqual(seqs.map((_, i) => i + 1))
  expect(cloud.reports.at(-1)?.config_versao).toBe(1)
})

it('replaces a killed capture process and reports the interruption', async () => {
  await reported(1, { estado: 'online' })
  const [capture] = children(edge.pid)
  process.kill(capture ?? 0, 'SIGKILL')
  await reported(1, { estado: 'falha', motivo: 'captura_reiniciada' })
  await reported(1, { estado: 'online', motivo: null })
})

it('delivers the backlog after an outage of the broker', async () => {
  await cloud.broker.kill()
  const before = numbers(cloud, 1).length
  await cloud.startBroker()
  await cloud.configure(2, [camera(1)])
  await waitFor('the new configuration', () => cloud.reports.at(-1)?.config_versao === 2)
  await waitFor('another event', () => numbers(cloud, 1).length > before)
  const seqs = numbers(cloud, 1)
  expect(seqs).toEqual(seqs.map((_, i) => i + 1))
})

it('starts without a network and analyses with the stored configuration', async () => {
  await cloud.broker.kill()
  await endEdge('kill')
  await startEdge()
  const kept = () => edge.output().match(/"camera":1,[^\n]*"msg":"event kept"/g)?.length ?? 0
  await waitFor('an event without a connection', () => kept() > 0)
  expect(edge.output()).not.toContain('link connected')
  await cloud.startBroker()
  await waitFor(
    'it to be delivered',
    () => cloud.reports.at(-1)?.fila === 0 && edge.output().includes('link connected'),
    {
      timeoutMs: 60_000,
    },
  )
  const seqs = numbers(cloud, 1)
  expect(seqs).toEqual(seqs.map((_, i) => i + 1))
})

it('ignores an older configuration', async () => {
  await cloud.configure(1, [])
  await cloud.configure(3, [camera(1), camera(9, { ativa: false })])
  await reported(9, { estado: 'desativada' })
  expect(cloud.reports.at(-1)?.cameras.map(({ id }) => id)).toEqual([1, 9])
})

/** Number of DESCRIBE requests at the recorder; each connection to a stream begins with one. */
async function described(): Promise<number> {
  const counts = () => recorder.output().match(/"describes":\d+/g) ?? []
  const before = counts().length
  process.kill(recorder.pid, 'SIGUSR2')
  await waitFor('the counts of the recorder', () => counts().length > before, { everyMs: 10 })
  return Number(counts().at(-1)?.split(':')[1])
}

it('captures a current picture over the existing connection', async () => {
  await reported(1, { estado: 'online' })
  const before = await described()
  const outcomes = await Promise.all([picture(1), picture(1), picture(1)])
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ resposta: { ok: true, resultado: { largura: 384, altura: 288 } } })
    const jpeg = outcome.kind === 'resposta' ? outcome.corpo : Buffer.alloc(0)
    expect([jpeg.subarray(0, 3).toString('hex'), jpeg.subarray(-2).toString('hex')]).toEqual(['ffd8ff', 'ffd9'])
  }
  expect(await described()).toBe(before)
  expect(await picture(9)).toMatchObject(failed('sem_quadro'))
  expect(await picture(99)).toMatchObject(failed('camera_desconhecida'))
})

it('pauses the zones of a moved camera', async () => {
  await cloud.configure(4, [camera(1), camera(2, { zonas: [[0, 0, 1, 0, 1, 1, 0, 1]] })])
  await waitFor('an event in the zone', () => numbers(cloud, 2).length > 0)
  const move = (movimento: MovimentoPtz) => {
    const device = { host: '127.0.0.1', porta: onvifPorta, canal: 1, usuario: 'vigia', senha: PASSWORD }
    return cloud.ask({ acao: 'mover_camera', camera_id: 2, ...device, movimento })
  }
  const done = (fora: boolean) => ({ resposta: { ok: true, resultado: { fora } } })
  expect(await move({ acao: 'mover', x: 1, y: 0, zoom: 0 })).toMatchObject(done(true))
  const movedAt = Date.now()
  const since = (id: number) =>
    cloud.arrived.filter(
      ({ registro: one }) => one.tipo === 'candidato' && one.camera_id === id && one.ocorrido_em > movedAt,
    ).length
  await waitFor('events of the other camera', () => since(1) >= 2)
  expect(since(2)).toBe(0)
  expect(await move({ acao: 'definir_base' })).toMatchObject(done(false))
})

it('arms a camera for a walk test at any hour, and disarms it at the end', async () => {
  const inicio = (new Date().getUTCHours() + 12) % 24
  const agenda = { inicio, fim: (inicio + 1) % 24, dias: [] }
  const calibracao = { ...calibracaoPadrao.invasao, resfriamento_s: 0 }
  await cloud.configure(5, [camera(1), camera(3, { analises: [{ ia: 'invasao', calibracao, agenda }] })])
  const count = (id: number) => numbers(cloud, id).length
  /** Two events of the camera that is always armed: the other one saw the same. */
  const others = () => {
    const before = count(1)
    return waitFor('events of the other camera', () => count(1) >= before + 2)
  }
  const arm = (validade_ms: number) => cloud.ask({ acao: 'armar_prova', camera_id: 3, validade_ms })
  await others()
  expect(count(3)).toBe(0)
  expect(await arm(60_000)).toMatchObject({ resposta: { ok: true } })
  await waitFor('an event of the walk test', () => count(3) > 0)
  expect(await arm(0)).toMatchObject({ resposta: { ok: true } })
  await others()
  const after = count(3)
  await others()
  expect(count(3)).toBe(after)
  expect(await cloud.ask({ acao: 'armar_prova', camera_id: 99, validade_ms: 0 })).toMatchObject(
    failed('camera_desconhecida'),
  )
})

it('stops and writes no secret to its output', async () => {
  await endEdge('stop')
  await startEdge()
  expect(output).toContain('Edge ativado.')
  expect(output).not.toMatch(/senha-do-gravador|certo"|PRIVATE KEY|rtsp:\/\//)
  for (const entry of await readdir(edgeDir(), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.endsWith('identidade')) continue
    expect((await readFile(join(entry.parentPath, entry.name))).includes(PASSWORD)).toBe(false)
  }
})

it('logs one line when another edge uses the same data folder', async () => {
  const second = startProgram({
    entry: 'apps/edge/src/main.ts',
    env: { VIGIA_DATA_DIR: cloud.dir, VIGIA_CLOUD_URL: cloud.url },
  })
  await expect(second).rejects.toThrow(/ended \(1\) before it was ready[\s\S]*\nJá há uma caixa em execução[^\n]*\n*$/)
})
