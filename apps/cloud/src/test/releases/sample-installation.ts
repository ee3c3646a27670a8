import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inscricaoPushCreateSchema } from '@vigia/contracts/push'
import { startProgram } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { writeWhole } from '@vigia/testing/write-whole'
import { z } from 'zod'
import type { Client } from '../clients/client.ts'
import { startQuiosque } from '../clients/quiosque.ts'
import { type Account, SENHA } from '../clouds/test-app.ts'
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

/** Creates every kind of record that an administrador can create. @param url of the cloud */
export async function fillLoja(url: string, { empresaId, admin }: Account, edge: RecordedEdge) {
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
  await created('/placas', { placa: 'ABC1D23', lista: 'bloqueada', dono: 'Apartamento 42', empresa_id: empresaId })
  const login = { username: `administrador-${empresaId}`, senha: SENHA }
  await startQuiosque(url, login, { nome: 'Portaria', papel: 'vigilante' })
  await created('/convites', { papel: 'usuario', empresa_id: empresaId, para: 'Ana, da portaria' })
  const [inscricao] = z.array(inscricaoPushCreateSchema).parse(inscricaoPushCreateSchema.meta()?.examples)
  await created('/me/inscricoes', { ...inscricao, endpoint: 'https://127.0.0.5:1/envio' })
  await admin.expect(200, 'PATCH', `/api/v1/empresas/${empresaId}/retencao`, { clipes: { dias: 15 } })
  return { cameraId, canalId }
}

/** Creates every kind of record about an evento and its camera that an administrador can create. */
export async function fillAbout({ empresaId, admin }: Account, eventoId: number, cameraId: number, now: number) {
  const instant = (ms: number) => new Date(ms).toISOString()
  const [inicio, fim] = [instant(now - 7_200_000), instant(now - 7_140_000)]
  await admin.expect(200, 'POST', `/api/v1/events/${eventoId}/preservar`, {
    motivo: 'Boletim de ocorrência 123/2026',
    ate: instant(now + 30 * 86_400_000),
  })
  const prova = { duracao_s: 90, aprovada: true, nota: 'Andei do portão até a porta', rotulos: ['person'] }
  await admin.expect(201, 'POST', `/api/v1/cameras/${cameraId}/provas`, prova)
  await admin.expect(202, 'POST', `/api/v1/cameras/${cameraId}/gravacoes`, { inicio, fim })
  const contagem = { eventos: 0, gravacoes: 0, preservados: 0 }
  const [de, ate] = [instant(now - 2 * 86_400_000), instant(now - 86_400_000)]
  const apagamento = { cameras: null, inicio: de, fim: ate, motivo: 'Pedido de titular 12/2026', contagem }
  await admin.expect(202, 'POST', `/api/v1/empresas/${empresaId}/apagamentos`, apagamento)
}
