import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'
import type { Clipe } from '@vigia/contracts/extras'
import { calibracaoPadrao } from '@vigia/contracts/ias'
import { type CloudStandIn, startCloudStandIn } from '@vigia/testing/cloud-stand-in'
import { type Program, startProgram } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { readAccessUnits } from '@vigia/video/testing/access-units'
import { openStill } from '@vigia/video/testing/still'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** The program of the edge with a recorder, a broker, and a tus server in place of the cloud. The order matters. */

const footage = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-a-sub.mp4', import.meta.url))
const TOKEN = 'a'.repeat(43)
const CAMINHO = '/api/v1/edges/clipes'
const PATIENT = { timeoutMs: 60_000 }
let cloud: CloudStandIn
let recorder: Program
let edge: Program
const uploads = new Map<string, Buffer>()

const startEdge = () =>
  startProgram({
    entry: 'apps/edge/src/main.ts',
    env: {
      VIGIA_DATA_DIR: cloud.dir,
      VIGIA_CLOUD_URL: cloud.url,
      VIGIA_ATIVACAO_ARQUIVO: join(cloud.dir, 'codigo'),
      VIGIA_SONDAGEM_PERMITIR: '127.0.0.1',
    },
  })

beforeAll(async () => {
  recorder = await startProgram({
    entry: 'apps/dvr-simulator/src/main.ts',
    args: ['--porta', '0', '--canal', footage],
    env: { VIGIA_SIM_USUARIO: 'vigia', VIGIA_SIM_SENHA: 'senha' },
  })
  cloud = await startCloudStandIn()
  const directory = join(cloud.dir, 'uploads')
  mkdirSync(directory)
  const tus = new Server({
    path: CAMINHO,
    relativeLocation: true,
    datastore: new FileStore({ directory }),
    async onUploadFinish(_request, { id, metadata }) {
      uploads.set(metadata?.clipe ?? '', readFileSync(join(directory, id)))
      return {}
    },
  })
  cloud.serve = (request, response) => void tus.handle(request, response)
  cloud.codes.add('codigo')
  await writeFile(join(cloud.dir, 'codigo'), 'codigo\n')
  edge = await startEdge()
  await waitFor('the activation', () => cloud.reports.length > 0, PATIENT)
  // Windows of 10 s do not overlap.
  const calibracao = { ...calibracaoPadrao.invasao, resfriamento_s: 12, clipe_antes_s: 3, clipe_depois_s: 7 }
  const analises = [{ ia: 'invasao' as const, calibracao, agenda: null }]
  const rtsp_url = `rtsp://vigia:senha@127.0.0.1:${recorder.porta}/cam/realmonitor?channel=1&subtype=0`
  await cloud.configure(1, [{ id: 1, rtsp_url, analises }], ['clipe', 'sem_clipe'])
})

afterAll(async () => {
  await edge.stop()
  await recorder.stop()
  await cloud.close()
})

const clips = (): Clipe[] => cloud.extras.flatMap(({ extra }) => (extra.tipo === 'clipe' ? [extra] : []))
const eventIds = () => new Set(cloud.arrived.map(({ registro }) => registro.id))
const settled = () =>
  new Set(
    cloud.extras.flatMap(({ extra }) =>
      extra.tipo === 'clipe'
        ? extra.eventos.map(({ evento }) => evento)
        : extra.tipo === 'sem_clipe'
          ? [extra.evento]
          : [],
    ),
  )
const clipFiles = () => readdirSync(join(cloud.dir, 'edge', 'clipes'))

it('announces the clip of an event after the event, and sends it on request', async () => {
  const clip = await waitFor('a clip', () => clips()[0], PATIENT)
  for (const { evento } of clip.eventos) expect(eventIds()).toContain(evento)
  const [first] = clip.eventos
  const record = cloud.arrived.find(({ registro }) => registro.id === first?.evento)?.registro
  const offset = record?.tipo === 'candidato' ? record.ocorrido_em - clip.inicio : Number.NaN
  expect(Math.abs(offset - (first?.deslocamento_ms ?? 0))).toBeLessThan(2)
  const strip = cloud.extras.find(({ extra }) => extra.id === clip.id)?.imagem ?? Buffer.alloc(0)
  const still = await openStill(strip)
  expect(still?.frame.height).toBe(120)
  await still?.release()
  const answer = await cloud.ask({ acao: 'enviar_clipe', clipe: clip.id, caminho: CAMINHO, token: TOKEN })
  expect(answer).toMatchObject({ resposta: { ok: true } })
  const file = await waitFor('the file', () => uploads.get(clip.id), PATIENT)
  expect([file.length, createHash('sha256').update(file).digest('hex')]).toEqual([clip.tamanho, clip.sha256])
  writeFileSync(join(cloud.dir, 'clip.mp4'), file)
  const { units, duration } = await readAccessUnits(join(cloud.dir, 'clip.mp4'))
  expect(units[0]?.key).toBe(true)
  expect(Math.abs(duration / 90 - clip.duracao_ms)).toBeLessThan(100)
  expect(clip.duracao_ms - (clip.eventos.at(-1)?.deslocamento_ms ?? 0)).toBeCloseTo(7_100, -3)
  await waitFor('the deletion', () => !clipFiles().includes(`${clip.id}.mp4`), PATIENT)
  const again = await cloud.ask({ acao: 'enviar_clipe', clipe: clip.id, caminho: CAMINHO, token: TOKEN })
  expect(again).toMatchObject({ resposta: { ok: false, falha: 'clipe_desconhecido' } })
})

it('deletes a clip when the cloud discards it', async () => {
  const known = new Set(clips().map(({ id }) => id))
  const clip = await waitFor('another clip', () => clips().find(({ id }) => !known.has(id)), PATIENT)
  expect(clipFiles()).toContain(`${clip.id}.mp4`)
  const answer = await cloud.ask({ acao: 'descartar_clipes', clipes: [clip.id] })
  expect(answer).toMatchObject({ resposta: { ok: true } })
  await waitFor('the deletion', () => !clipFiles().includes(`${clip.id}.mp4`), PATIENT)
})

it('gives each event a clip or a reason when the edge is killed', async () => {
  const open = () => [...eventIds()].filter((id) => !settled().has(id))
  await waitFor('an event without its clip', () => open().length > 0, PATIENT)
  const waiting = open()
  await edge.kill()
  edge = await startEdge()
  await waitFor('every event settled', () => waiting.every((id) => settled().has(id)), PATIENT)
  const reasons = cloud.extras.flatMap(({ extra }) => (extra.tipo === 'sem_clipe' ? [extra] : []))
  expect(reasons.filter(({ evento }) => waiting.includes(evento)).map(({ motivo }) => motivo)).toContain(
    'caixa_reiniciada',
  )
})
