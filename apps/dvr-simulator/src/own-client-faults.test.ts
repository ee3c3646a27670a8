import type { RtspAccessUnit } from '@vigia/rtsp/client'
import { fixture } from '@vigia/testing/fixture'
import { createClientChoice } from '@vigia/video/client-choice'
import { createConnection } from '@vigia/video/connection'
import type { EncodedVideo } from '@vigia/video/testing/access-units'
import { describe, expect, it } from 'vitest'
import { shortClip } from './test/clips.ts'
import { faultServers, type Watched } from './test/own-client.ts'
import { connectClient, play } from './test/rtsp-client.ts'

const H264 = 'campus-b-sub.mp4'
const H265 = 'campus-c-h265.mp4'
const servers = fixture(faultServers)
const start: typeof servers.start = (options) => servers.start(options)

const slices = (unit: RtspAccessUnit | undefined, video: EncodedVideo): Buffer =>
  Buffer.concat((unit?.nals ?? []).filter((nal) => !video.parameterSets.some((set) => set.equals(nal))))
const coded = (video: EncodedVideo, index: number): Buffer =>
  Buffer.concat([...(video.units[index % video.units.length]?.nals ?? [])])
const ticks = ({ units }: Watched) => units.map((unit) => unit.ticks)
const steps = (watched: Watched) => ticks(watched).map((at, index, all) => at - (all[index - 1] ?? at))
const marked = ({ units }: Watched) => units.flatMap(({ discontinuity }, index) => (discontinuity ? [index] : []))

/** Checks that every unit has the bytes of the clip, in its order. */
function expectWhole(watched: Watched, video: EncodedVideo) {
  expect(watched.end).toBe('aborted')
  const begin = video.units.findIndex((_, index) => coded(video, index).equals(slices(watched.units[0], video)))
  expect(begin).toBeGreaterThanOrEqual(0)
  for (const [index, unit] of watched.units.entries())
    expect(slices(unit, video).equals(coded(video, begin + index))).toBe(true)
}

describe.concurrent.each([H264, H265])('the own client with %s', (principal) => {
  it.each([
    'pacotes_pequenos',
    'pacotes_grandes',
    'sem_marca',
    'marca_em_tudo',
    'rtcp_intercalado',
    'sem_parametros',
    'dados_antes_do_play',
    'sem_sequencia',
    'macro',
    'cseq_zero',
    'sem_cseq',
    'options_404',
    'options_405',
    'redireciona_caminho',
  ] as const)('receives every picture whole: %s', async (defeito) => {
    const { video, watch } = await start({ principal, defeito })
    const watched = await watch({ count: 45 })
    // The client ignores constant sequence numbers after 64 packets. Before that it skips pictures up to the next
    // keyframe.
    if (defeito === 'sem_sequencia') expect(watched.end).toBe('aborted')
    else {
      expectWhole(watched, video)
      expect(steps(watched).slice(1)).toEqual(Array.from({ length: 44 }, () => 450))
      expect(marked(watched)).toEqual([])
    }
    expect(watched.parameters.map(({ parameterSets }) => parameterSets)).toEqual([video.parameterSets])
  })

  it('resumes at a keyframe after a lost packet, and marks that keyframe as a discontinuity', async () => {
    const { video, watch } = await start({ principal, defeito: { defeito: 'perde_pacotes', quadros: 27 } })
    const watched = await watch({ count: 60 })
    const discontinuities = marked(watched)
    expect(discontinuities.length).toBeGreaterThanOrEqual(1)
    for (const index of discontinuities) {
      expect(watched.units[index]?.keyframe).toBe(true)
      expect(steps(watched)[index]).toBeGreaterThan(450)
    }
    const known = video.units.map((_, index) => coded(video, index).toString('latin1'))
    for (const unit of watched.units) expect(known).toContain(slices(unit, video).toString('latin1'))
  })

  it('continues the stream time by the elapsed real time after a jump of RTP time', async () => {
    const { watch } = await start({ principal, defeito: { defeito: 'salto_de_tempo', quadros: 15 } })
    const watched = await watch({ count: 40 })
    expect(marked(watched)).toEqual([15, 30])
    const all = steps(watched).slice(1)
    expect(Math.min(...all)).toBeGreaterThan(0)
    expect(Math.max(...all)).toBeLessThan(90_000)
  })

  it('starts again at a keyframe when the RTP source changes', async () => {
    const { watch } = await start({ principal, defeito: { defeito: 'troca_fonte', quadros: 15 } })
    const watched = await watch({ count: 40 })
    const [at = 0, ...others] = marked(watched)
    expect(others).toEqual([])
    expect(watched.units[at]?.keyframe).toBe(true)
    expect(Math.max(...steps(watched))).toBeLessThan(90_000)
    expect(Math.min(...steps(watched).slice(1))).toBeGreaterThan(0)
  })
})

describe.concurrent('the own client', () => {
  it.each([
    [H264, 'campus-a-principal.mp4'],
    [H265, 'campus-c-quadros-b-h265.mp4'],
  ])('reports new parameter sets before the picture that uses them: %s, then %s', async (principal, sub) => {
    const { video, watch } = await start({ principal, sub, defeito: { defeito: 'parametros_mudam', quadros: 15 } })
    const other = await shortClip(sub, 2, 20)
    const watched = await watch({ count: 30 })
    expect(watched.parameters.map(({ parameterSets }) => parameterSets)).toEqual([
      video.parameterSets,
      other.parameterSets,
    ])
    const [, at = 0] = watched.parametersAt
    expect(at).toBe(15)
    expect(watched.units[at]?.keyframe).toBe(true)
    expect(slices(watched.units[at], other).equals(coded(other, 0))).toBe(true)
  })

  it.each(['campus-b-quadros-b.mp4', 'campus-c-quadros-b-h265.mp4'])(
    'keeps the presentation times of B-frames: %s',
    async (principal) => {
      const { video, watch } = await start({ principal })
      const watched = await watch({ count: 50 })
      expectWhole(watched, video)
      expect(marked(watched)).toEqual([])
      const begin = video.units.findIndex((_, index) => coded(video, index).equals(slices(watched.units[0], video)))
      const base = video.units[begin]?.pts ?? 0
      const expected = watched.units.map((_, index) => {
        const place = begin + index
        const rounds = Math.floor(place / video.units.length)
        return rounds * video.duration + (video.units[place % video.units.length]?.pts ?? 0) - base
      })
      expect(ticks(watched)).toEqual(expected)
      expect(Math.min(...steps(watched))).toBeLessThan(0)
    },
  )

  it('accepts pictures that arrive before the answer to PLAY', async () => {
    const { watch } = await start({ principal: H264, defeito: 'dados_antes_do_play' })
    expect((await watch({ count: 90 })).playingAt).toBeGreaterThan(5)
  })

  it.each(['sessao_options', 'sessao_get_parameter'] as const)('keeps a session alive: %s', async (defeito) => {
    const { url, watch } = await start({ principal: H264, defeito, sessionTimeoutMs: 1000 })
    const silent = await connectClient(Number(new URL(url).port))
    await play(silent, url)
    const wrong = setInterval(() => {
      // The other method and reports do not extend the session.
      silent.socket.write(Buffer.from([0x24, 1, 0, 8, 0x80, 201, 0, 1, 0, 0, 0, 1]))
      const method = defeito === 'sessao_options' ? 'GET_PARAMETER' : 'OPTIONS'
      silent.socket.write(`${method} ${url} RTSP/1.0\r\nCSeq: 99\r\n\r\n`)
    }, 200)
    const { end } = await watch({ count: 320 })
    clearInterval(wrong)
    expect(silent.closed).toBe(true)
    expect(end).toBe('aborted')
  })

  it.each([H264, H265])(
    'learns to send GET_PARAMETER to a server that needs it and lists it not: %s',
    async (principal) => {
      const { url } = await start({ principal, defeito: 'get_parameter_oculto', sessionTimeoutMs: 1000 })
      const stop = new AbortController()
      const kept: string[] = []
      const choice = createClientChoice({
        first: 'own',
        kept: [],
        onKept(one) {
          kept.push(one.client)
          stop.abort()
        },
      })
      const ends: unknown[] = []
      while (ends.at(-1) !== 'aborted' && ends.length < 5)
        ends.push(await createConnection({ url, client: choice }).run(stop.signal))
      const ended = { failure: 'fluxo_encerrado', detail: null }
      expect([ends, kept]).toEqual([[ended, ended, 'aborted'], ['own_keep']])
    },
  )

  it.each([
    ['encerra', 'fluxo_encerrado'],
    ['trava', 'video_parado'],
    ['sem_pacotes', 'sem_quadros'],
    ['lixo_bruto', 'sem_quadros'],
    ['codec_desconhecido', 'codec_nao_suportado'],
    ['mudo', 'sem_resposta'],
    ['mudo_apos_describe', 'sem_resposta'],
    ['redireciona', 'redirecionado'],
    ['ocupado_503', 'equipamento_ocupado'],
    ['ocupado_453', 'equipamento_ocupado'],
    ['vazio_404', 'nao_encontrado'],
    ['sem_video', 'sem_video'],
    ['corta', 'fluxo_encerrado'],
    ['cabecalho_sem_fim', 'sem_resposta'],
  ] as const)('reports the reason for a failed session: %s', async (defeito, failure) => {
    const { watch } = await start({ principal: H264, defeito: { defeito, quadros: 7, vezes: 1 } })
    const { end } = await watch({ count: 1000, openTimeoutMs: 400, stallTimeoutMs: 300 })
    expect(end).toMatchObject({ failure })
  })

  it.each([
    ['fora_de_ordem', 'fora de ordem'],
    ['perde_pacotes', 'faltando'],
  ] as const)('reports keyframes that arrive damaged: %s', async (defeito, kind) => {
    const { watch } = await start({ principal: H264, defeito: { defeito, quadros: 20 } })
    const { end } = await watch({ count: 1000 })
    const detail = `5 quadros-chave seguidos com pacotes ${kind}`
    expect(end).toMatchObject({ failure: 'video_danificado', detail })
  })
})
