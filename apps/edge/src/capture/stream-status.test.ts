import { describe, expect, it } from 'vitest'
import { createStatusTracker } from './stream-status.ts'

function tracked(lastFailure: Parameters<typeof createStatusTracker>[2] = null) {
  let now = 1_000
  const tracker = createStatusTracker(7, () => now, lastFailure)
  return { tracker, pass: (ms: number) => (now += ms) }
}

describe('createStatusTracker', () => {
  it('is connecting before the first result', () => {
    expect(tracked().tracker.status()).toMatchObject({ online: false, failure: 'conectando', lastFrameAgeMs: null })
  })

  it('is online for 15 s after a frame, also without a connection', () => {
    const { tracker, pass } = tracked()
    tracker.info({ codec: 'h264', width: 384, height: 288, fps: 10, decoderBytes: 1_000 })
    tracker.frame()
    pass(15_000)
    expect(tracker.status()).toEqual({
      cameraId: 7,
      online: true,
      failure: null,
      detail: null,
      lastFrameAgeMs: 15_000,
      codec: 'h264',
      resolution: '384x288',
      fps: 10,
      keyframeIntervalMs: null,
      keyframeAgeMs: null,
      bitrateKbps: null,
      memoryBytes: 1_000,
      reading: false,
      periodS: null,
    })
    pass(1)
    expect(tracker.status()).toMatchObject({ online: false, failure: 'video_parado', lastFrameAgeMs: 15_001 })
  })

  it('shows the reason of a broken connection while still online, until the next frame', () => {
    const { tracker, pass } = tracked()
    tracker.frame()
    tracker.failed('fluxo_encerrado', null)
    expect(tracker.status()).toMatchObject({ online: true, failure: 'fluxo_encerrado' })
    tracker.reading(true)
    pass(15_001)
    expect(tracker.status()).toMatchObject({ online: false, failure: 'fluxo_encerrado' })
    tracker.frame()
    expect(tracker.status()).toMatchObject({ online: true, failure: null })
  })

  it('keeps the last reason during the next attempts, also a reason from before a restart', () => {
    const { tracker } = tracked('captura_reiniciada')
    tracker.reading(true)
    expect(tracker.status()).toMatchObject({ failure: 'captura_reiniciada', reading: true })
    tracker.failed('codec_nao_suportado', 'mpeg4')
    tracker.reading(false)
    tracker.reading(true)
    expect(tracker.status()).toMatchObject({ failure: 'codec_nao_suportado', detail: 'mpeg4' })
    tracker.frame()
    expect(tracker.status()).toMatchObject({ online: true, failure: null, detail: null })
  })

  it('reports stopped video when frames stop without another reason', () => {
    const { tracker, pass } = tracked()
    tracker.failed('senha_recusada', null)
    tracker.frame()
    pass(20_000)
    expect(tracker.status()).toMatchObject({ online: false, failure: 'video_parado' })
  })

  it('says that it waits for a keyframe, and for how long, while pictures arrive without one', () => {
    const { tracker, pass } = tracked()
    tracker.reading(true)
    expect(tracker.status(null, 5_000)).toMatchObject({ failure: 'conectando', keyframeAgeMs: 5_000 })
    const waiting = { online: false, failure: 'aguardando_quadro_chave', detail: 'há 87 s sem quadro-chave' }
    expect(tracker.status(null, 87_000.4)).toMatchObject({ ...waiting, keyframeAgeMs: 87_000 })
    tracker.frame()
    expect(tracker.status(null, 100)).toMatchObject({ online: true, failure: null, detail: null })
    // Damage: the next keyframe is far away.
    pass(15_001)
    expect(tracker.status(null, 60_000)).toMatchObject({ failure: 'aguardando_quadro_chave' })
    // The connection delivers no pictures any more.
    expect(tracker.status(null, null)).toMatchObject({ failure: 'video_parado', detail: null })
  })

  it.each(['sem_quadro_chave', 'dados_invalidos', 'video_danificado'] as const)(
    'keeps %s during the next wait',
    (failure) => {
      const { tracker } = tracked()
      tracker.failed(failure, null)
      tracker.reading(true)
      expect(tracker.status(null, 60_000)).toMatchObject({ failure, keyframeAgeMs: 60_000 })
    },
  )

  it('rounds the figures of the compressed stream', () => {
    const activity = { bytesPerSecond: 64_049, packetsPerSecond: 10, keyframeIntervalMs: 1_999.6 }
    const rest = { packetsPerKeyframe: 20, keyframeBytes: 30_000, otherPacketBytes: 3_000 }
    const { tracker } = tracked()
    expect(tracker.status({ ...activity, ...rest })).toMatchObject({ keyframeIntervalMs: 2_000, bitrateKbps: 512 })
  })

  it('resets when the address changes', () => {
    const { tracker } = tracked()
    tracker.info({ codec: 'h264', width: 384, height: 288, fps: null, decoderBytes: null })
    tracker.frame()
    tracker.restart()
    expect(tracker.status()).toMatchObject({ online: false, failure: 'conectando', lastFrameAgeMs: null, codec: null })
  })
})
