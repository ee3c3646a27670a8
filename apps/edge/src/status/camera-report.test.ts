import { cameraRelatadaSchema } from '@vigia/contracts/edge-state'
import { expect, it } from 'vitest'
import type { StreamStatus } from '../capture/protocol.ts'
import type { ConfiguredCamera } from '../link/desired.ts'
import { task } from '../supervisor/testing/tasks.ts'
import { reportCamera } from './camera-report.ts'

const configured = (rest: Partial<ConfiguredCamera['desejada']> = {}, readable = true): ConfiguredCamera => ({
  desejada: {
    id: 1,
    nome: 'Portão',
    ativa: true,
    fontes: '',
    analises: [],
    zonas: [],
    linha: [],
    fuso_horario: 'America/Sao_Paulo',
    ultimo_seq: 0,
    ...rest,
  },
  task: readable && rest.ativa !== false ? task(1, 'rtsp://h') : null,
})
const stream = (rest: Partial<StreamStatus> = {}): StreamStatus => ({
  cameraId: 1,
  online: true,
  failure: null,
  detail: null,
  lastFrameAgeMs: 100,
  codec: 'h264',
  resolution: '384x288',
  fps: 10,
  reading: true,
  ...rest,
})
const report = (camera: ConfiguredCamera, seen: StreamStatus | null, ageMs = 0) =>
  cameraRelatadaSchema.parse(reportCamera(camera, seen && { stream: seen, ageMs }))

it('is online with what is known of the stream', () => {
  expect(report(configured(), stream(), 400)).toEqual({
    id: 1,
    estado: 'online',
    motivo: null,
    complemento: null,
    ultimo_frame_ha_ms: 500,
    codec: 'h264',
    resolucao: '384x288',
    fps: 10,
    ias_sem_suporte: [],
  })
})

it.each([
  ['switched off', configured({ ativa: false }), null, 'desativada', null],
  ['unreadable', configured({}, false), null, 'falha', 'url_ilegivel'],
  ['not heard of yet', configured(), null, 'conectando', 'conectando'],
  ['connecting', configured(), stream({ online: false, failure: 'conectando' }), 'conectando', 'conectando'],
  ['online between two connections', configured(), stream({ failure: 'fluxo_encerrado' }), 'online', 'fluxo_encerrado'],
  ['failed', configured(), stream({ online: false, failure: 'senha_recusada' }), 'falha', 'senha_recusada'],
])('%s', (_, camera, seen, estado, motivo) => {
  expect(report(camera, seen)).toMatchObject({ estado, motivo })
})

it('is not online on the word of a capture process that went silent', () => {
  expect(report(configured(), stream({ lastFrameAgeMs: 0 }), 15_001)).toMatchObject({
    estado: 'falha',
    motivo: 'video_parado',
  })
})

it('names the IAs that this software can not run', () => {
  const analises = (['invasao', 'fogo', 'placa'] as const).map((ia) => ({ ia, calibracao: {}, agenda: null }))
  expect(report(configured({ analises }), null).ias_sem_suporte).toEqual(['fogo', 'placa'])
})
