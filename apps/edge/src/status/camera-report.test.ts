import { task } from '@vigia/analysis/testing/tasks'
import { cameraRelatadaSchema, motivosAnunciados } from '@vigia/contracts/edge-state'
import type { NomeIa } from '@vigia/contracts/ias'
import type { ModelState, TarefaVisao } from '@vigia/vision/model-runner'
import { expect, it } from 'vitest'
import type { StreamStatus } from '../capture/model.ts'
import type { ConfiguredCamera } from '../link/desired.ts'
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
  keyframeIntervalMs: 2_000,
  keyframeAgeMs: 700,
  bitrateKbps: 512,
  memoryBytes: 1_000_000,
  reading: true,
  ...rest,
})
const NEW_CLOUD = motivosAnunciados
const report = (camera: ConfiguredCamera, seen: StreamStatus | null, ageMs = 0, models: ModelState[] = []) =>
  cameraRelatadaSchema.parse(reportCamera(camera, seen && { stream: seen, models, ageMs }, NEW_CLOUD, true))

it('reports a reason that an earlier cloud knows', () => {
  const seen = stream({ online: false, failure: 'video_grande_demais', detail: '4096x4096' })
  expect(report(configured(), seen).motivo).toBe('video_grande_demais')
  const reported = reportCamera(configured(), { stream: seen, models: [], ageMs: 0 }, ['evidencia'], true)
  expect(reported).toMatchObject({ motivo: 'erro_desconhecido', complemento: '4096x4096' })
})

it('reports why the main stream is read in place of the sub stream', () => {
  const subFailure = { failure: 'sem_video', detail: 'respondeu 454 a DESCRIBE' } as const
  expect(report(configured(), stream({ choice: 'principal', subFailure })).secundario_falhou).toEqual({
    motivo: 'sem_video',
    complemento: 'respondeu 454 a DESCRIBE',
  })
  expect(report(configured(), stream({ choice: 'sub', subFailure }))).not.toHaveProperty('secundario_falhou')
})

it.each([
  ['aguardando_quadro_chave', 'conectando', 'conectando'],
  ['sem_quadro_chave', 'falha', 'sem_quadros'],
  ['video_danificado', 'falha', 'dados_invalidos'],
] as const)('says %s as the state %s, and to an earlier cloud as %s', (failure, estado, earlier) => {
  const seen = stream({ online: false, failure, keyframeAgeMs: 87_000 })
  expect(report(configured(), seen)).toMatchObject({ estado, motivo: failure, quadro_chave_ha_ms: 87_000 })
  expect(reportCamera(configured(), { stream: seen, models: [], ageMs: 0 }, [], true)).toMatchObject({
    motivo: earlier,
  })
})

const watching = (...ias: NomeIa[]) => ias.map((ia) => ({ ia, calibracao: {}, agenda: null }))
const loading = (tarefa: TarefaVisao): ModelState => ({
  tarefa,
  id: null,
  estado: 'carregando',
  motivo: null,
  rotulos: [],
})
const unusable = (tarefa: TarefaVisao): ModelState => ({ ...loading(tarefa), estado: 'indisponivel', motivo: 'Falta.' })

it('is online with the properties of the stream', () => {
  expect(report(configured(), stream(), 400)).toEqual({
    id: 1,
    estado: 'online',
    motivo: null,
    complemento: null,
    ultimo_frame_ha_ms: 500,
    codec: 'h264',
    resolucao: '384x288',
    fps: 10,
    quadro_chave_ms: 2_000,
    quadro_chave_ha_ms: 1_100,
    taxa_kbps: 512,
    audio: 'desligado',
    mascarada: false,
    ias_sem_suporte: [],
    ias_indisponiveis: [],
  })
})

it('reports the audio that is switched on', () => {
  const camera = configured()
  const heard = { ...camera, desejada: { ...camera.desejada, audio: true as const } }
  expect(report(heard, stream(), 400).audio).toBe('aguardando')
  expect(report(heard, stream({ audio: 'enviando' }), 400).audio).toBe('enviando')
})

it.each([
  ['switched off', configured({ ativa: false }), null, 'desativada', null],
  ['unreadable', configured({}, false), null, 'falha', 'url_ilegivel'],
  ['before its first status', configured(), null, 'conectando', 'conectando'],
  ['connecting', configured(), stream({ online: false, failure: 'conectando' }), 'conectando', 'conectando'],
  ['online between two connections', configured(), stream({ failure: 'fluxo_encerrado' }), 'online', 'fluxo_encerrado'],
  ['failed', configured(), stream({ online: false, failure: 'senha_recusada' }), 'falha', 'senha_recusada'],
])('%s', (_, camera, seen, estado, motivo) => {
  expect(report(camera, seen)).toMatchObject({ estado, motivo })
})

it('names the missing video package, unless its stream goes on', () => {
  const without = (seen: StreamStatus | null, recursos: readonly string[] = NEW_CLOUD) =>
    reportCamera(configured(), seen && { stream: seen, models: [], ageMs: 0 }, recursos, false)
  for (const seen of [null, stream({ online: false, failure: 'captura_reiniciada', detail: 'x' })])
    expect(without(seen)).toMatchObject({ estado: 'falha', motivo: 'sem_pacote_video', complemento: null })
  expect(without(null, []).motivo).toBe('erro_desconhecido')
  expect(without(stream())).toMatchObject({ estado: 'online', motivo: null })
  expect(reportCamera(configured({ ativa: false }), null, NEW_CLOUD, false).estado).toBe('desativada')
})

it('is not online when its capture process is silent', () => {
  expect(report(configured(), stream({ lastFrameAgeMs: 0 }), 15_001)).toMatchObject({
    estado: 'falha',
    motivo: 'video_parado',
  })
})

it('names the IAs that this software cannot run', () => {
  expect(report(configured({ analises: watching('invasao', 'fogo', 'placa') }), null).ias_sem_suporte).toEqual([
    'placa',
  ])
})

it.each([
  ['objetos', ['invasao', 'epi']],
  ['epi', ['epi']],
  ['fogo', ['fogo', 'fumaca']],
] as const)('names the IAs that lack the model %s', (tarefa, ias) => {
  const analises = watching('invasao', 'epi', 'fogo', 'fumaca', 'camera_obstruida', 'placa')
  const said = report(configured({ analises }), stream(), 0, [unusable(tarefa), loading('objetos')])
  expect(said.ias_indisponiveis).toEqual(ias)
  expect(said.ias_sem_suporte).toEqual(['placa'])
})

it('names the IAs whose label the installed model lacks', () => {
  const analises = watching('fogo', 'fumaca')
  const own: ModelState = { ...loading('fogo'), id: 'meu-fogo', estado: 'pronto', rotulos: ['fire'] }
  expect(report(configured({ analises }), stream(), 0, [own]).ias_indisponiveis).toEqual(['fumaca'])
})

it('names the attributes of people when the installed model has no class for people', () => {
  const analises = watching('veiculo', 'epi')
  const own: ModelState = { ...loading('objetos'), id: 'meus-carros', estado: 'pronto', rotulos: ['car'] }
  const epi: ModelState = { ...loading('epi'), id: 'epi', estado: 'pronto', rotulos: ['no_hardhat'] }
  expect(report(configured({ analises }), stream(), 0, [own, epi]).ias_indisponiveis).toEqual(['epi'])
})
