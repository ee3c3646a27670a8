import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { judgeHost } from '@vigia/rtsp/address-policy'
import { expect, it } from 'vitest'
import { readConfig } from './config.ts'

it('has a default for each setting', () => {
  expect(readConfig({})).toMatchObject({
    dataDir: 'data/edge',
    cloudUrl: 'http://127.0.0.1:8080',
    activation: { code: null, file: null },
    outboxMaxBytes: 2048 * 1024 * 1024,
    probeAllowed: [],
    modelFolder: null,
    mainPictures: true,
    ffmpegCameras: new Set(),
    notices: [],
    uplinkMbits: null,
    logLevel: 'info',
  })
})

it('treats an empty setting as unset', () => {
  expect(
    readConfig({ VIGIA_CLOUD_URL: '', VIGIA_OUTBOX_MAX_MB: '', VIGIA_LOG_LEVEL: '', VIGIA_SONDAGEM_PERMITIR: '' }),
  ).toEqual(readConfig({}))
})

it('reads the settings', () => {
  const config = readConfig({ VIGIA_DATA_DIR: '/a', VIGIA_EDGE_DATA_DIR: '/b', VIGIA_OUTBOX_MAX_MB: '10' })
  expect(config).toMatchObject({ dataDir: '/b', outboxMaxBytes: 10 * 1024 * 1024 })
  expect(readConfig({ VIGIA_DATA_DIR: '/a' }).dataDir).toBe('/a/edge')
  expect(readConfig({ VIGIA_ENVIO_MBITS: '2.5' }).uplinkMbits).toBe(2.5)
  for (const wrong of ['0', '-1', 'muito'])
    expect(() => readConfig({ VIGIA_ENVIO_MBITS: wrong })).toThrow('ENVIO_MBITS')
})

it('reads the networks allowed for probes', () => {
  const { probeAllowed } = readConfig({ VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8, ::1' })
  expect(judgeHost('127.0.0.2', probeAllowed)).toEqual({ kind: 'endereco', address: '127.0.0.2' })
  expect(judgeHost('127.0.0.2', readConfig({}).probeAllowed)).toEqual({ kind: 'recusado' })
})

it('reads a folder of models that exists', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  expect(readConfig({ VIGIA_MODELOS: folder }).modelFolder).toBe(folder)
  const wrong = [join(folder, 'nao-existe'), 'apps', fileURLToPath(import.meta.url)]
  for (const path of wrong)
    expect(() => readConfig({ VIGIA_MODELOS: path })).toThrow('VIGIA_MODELOS deve ser o caminho')
})

it("reads the cameras of FFmpeg's RTSP client", () => {
  expect(readConfig({ VIGIA_RTSP_FFMPEG: ' 12, 57 ' }).ffmpegCameras).toEqual(new Set([12, 57]))
  for (const all of ['todas', ' ALL ']) expect(readConfig({ VIGIA_RTSP_FFMPEG: all }).ffmpegCameras).toBe('todas')
  for (const wrong of ['nenhuma', '12,todas', '12;57', '12,', '0', '-1', '1.5', '99999999999999999999'])
    expect(() => readConfig({ VIGIA_RTSP_FFMPEG: wrong })).toThrow('VIGIA_RTSP_FFMPEG deve ter os números das câmeras')
})

it('starts with the former setting of the own RTSP client, and says that it has no effect', () => {
  const { notices, ffmpegCameras } = readConfig({ VIGIA_RTSP_PROPRIO: '12' })
  expect(ffmpegCameras).toEqual(new Set())
  expect(notices).toEqual([expect.stringMatching(/^VIGIA_RTSP_PROPRIO não tem mais efeito.*Apague.*VIGIA_RTSP_FFMPEG/)])
  expect(readConfig({ VIGIA_RTSP_PROPRIO: '' }).notices).toEqual([])
})

it('switches metrics and traces on, to a receiver without credentials', () => {
  expect(readConfig({}).telemetry).toEqual({ metricsPort: null, otelUrl: null })
  const env = { VIGIA_EDGE_METRICAS_PORTA: '9466', VIGIA_EDGE_OTEL_URL: 'http://127.0.0.1:4318' }
  expect(readConfig(env).telemetry).toEqual({ metricsPort: 9466, otelUrl: 'http://127.0.0.1:4318' })
  for (const wrong of ['127.0.0.1:4318', 'grpc://coletor:4317', 'http://eu:senha@coletor:4318'])
    expect(() => readConfig({ VIGIA_EDGE_OTEL_URL: wrong })).toThrow('VIGIA_EDGE_OTEL_URL')
})

it('prints no activation code', () => {
  const config = readConfig({ VIGIA_ATIVACAO_CODIGO: 'abc-123' })
  expect(config.activation.code).toBe('abc-123')
  expect(JSON.stringify(config)).not.toContain('abc-123')
})

it.each([
  [{ VIGIA_OUTBOX_MAX_MB: 'muito' }, 'VIGIA_OUTBOX_MAX_MB'],
  [{ VIGIA_CLOUD_URL: 'ftp://x' }, 'VIGIA_CLOUD_URL'],
  [{ VIGIA_LOG_LEVEL: 'alto' }, 'VIGIA_LOG_LEVEL'],
  [{ VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8;10' }, 'VIGIA_SONDAGEM_PERMITIR'],
])('names the invalid setting: %o', (env, name) => {
  expect(() => readConfig(env)).toThrow(name)
})
