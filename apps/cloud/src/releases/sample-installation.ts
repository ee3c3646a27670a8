import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startProgram } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { writeWhole } from '@vigia/testing/write-whole'
import type { Client } from '../test/client.ts'
import type { Account } from '../test/test-app.ts'
import type { RecordedEdge } from './recorded-edge.ts'

interface CountingInstallation {
  readonly dataDir: string
  readonly url: string
  readonly admin: Client
  readonly operator: Client
}

/** Sends three eventos of one camera on the local edge, and runs a command. */
export async function startCounting({ dataDir, url, admin, operator }: CountingInstallation) {
  const file = join(dataDir, '..', `${dataDir.split('/').at(-1)}-controle.json`)
  const control = (upTo: number) => {
    const wanted = { rate: 20, together: 1, upTo, pictureBytes: 400, clockMs: 0 }
    writeWhole(file, JSON.stringify(wanted))
  }
  control(3)
  await admin.expect(201, 'POST', '/api/v1/cameras', { nome: 'Pátio', rtsp_url: 'rtsp://ana:senha@127.0.0.1:9/1' })
  const edge = await startProgram({
    entry: 'apps/edge/src/testing/counting-edge.ts',
    args: [file],
    env: {
      VIGIA_DATA_DIR: dataDir,
      VIGIA_CLOUD_URL: url,
      VIGIA_ATIVACAO_ARQUIVO: join(dataDir, 'cloud/edge-local.codigo'),
      VIGIA_LOG_LEVEL: 'warn',
    },
  })
  const stored = async () => (await admin.expect<unknown[]>(200, 'GET', '/api/v1/events')).length
  await waitFor('three events of the local edge', async () => (await stored()) === 3)
  const edges = await operator.expect<{ id: number; local?: boolean; nome: string }[]>(200, 'GET', '/api/v1/edges')
  await operator.expect(200, 'GET', `/api/v1/edges/${edges[0]?.id}/diagnostico`)
  return {
    /** Creates five more eventos that stay on the edge, because `cut` ends the link first. */
    async leaveWaiting(cut: () => Promise<unknown>) {
      await cut()
      await rm(`${file}.completo`, { force: true })
      control(8)
      await waitFor('the waiting events', () => existsSync(`${file}.completo`))
      await edge.stop()
      await rm(file)
      await rm(`${file}.completo`)
    },
  }
}

/** Creates every kind of record that an administrador can create. */
export async function fillLoja({ empresaId, admin }: Account, edge: RecordedEdge) {
  const created = async (path: string, body: object) =>
    (await admin.expect<{ id: number }>(201, 'POST', `/api/v1${path}`, body)).id
  const cameraId = await created('/cameras', {
    nome: 'Portão',
    rtsp_url: 'rtsp://ana:senha@127.0.0.2:554/1',
    sub_rtsp_url: 'rtsp://ana:senha@127.0.0.2:554/2',
    perfil: 'comercio',
    edge_id: edge.id,
  })
  await admin.expect(200, 'PATCH', `/api/v1/cameras/${cameraId}`, {
    zonas: [[0.1, 0.1, 0.9, 0.1, 0.5, 0.9]],
    linha: [
      [0.1, 0.5],
      [0.9, 0.5],
    ],
    agenda: { invasao: { inicio: 22, fim: 6, dias: [0, 1] } },
    config_ia: { invasao: { conf: 0.5, min_quadros: 3 } },
    instrucoes: ['ignore animais'],
    modo_b_config: { ativo: false, permitidas: ['ABC1D23'], bloqueadas: ['ABC1234'] },
  })
  const gravador = { fabricante: 'intelbras', host: '127.0.0.3', porta: 554, usuario: 'admin', senha: 'segredo-1' }
  const gravadorId = await created('/gravadores', { ...gravador, nome: 'DVR' })
  await created('/cameras', { nome: 'Doca', gravador_id: gravadorId, canal: 2 })
  const gone = await created('/cameras', { nome: 'Antiga', rtsp_url: 'rtsp://127.0.0.4/1' })
  await admin.expect(204, 'DELETE', `/api/v1/cameras/${gone}`)
  const canalId = await created('/notificacoes', {
    empresa_id: empresaId,
    tipo: 'webhook',
    destino: 'https://127.0.0.1:1/a',
    tipos_evento: ['invasao'],
    agenda: { inicio: 0, fim: 24 },
  })
  await created('/notificacoes', { empresa_id: empresaId, tipo: 'email', destinatarios: ['ana@exemplo.com.br'] })
  await created('/notificacoes', { empresa_id: empresaId, tipo: 'whatsapp', destinatarios: ['+5511999990000'] })
  await created('/edges', { nome: 'Caixa nova' })
  return { cameraId, canalId }
}
