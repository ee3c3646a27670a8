import type { NomeIa } from '@vigia/contracts/ias'
import { describe, expect, it } from 'vitest'
import type { VideoEvent } from './analyse-video.ts'
import { judgeBounds } from './bounds.ts'
import type { StillSet } from './data-set.ts'
import { type EventScore, scoreEvents } from './event-score.ts'
import type { VideoResult } from './result.ts'
import type { ShownStill } from './show-still.ts'
import { summarizeDetectors, summarizeIa, summarizePictures } from './summarize.ts'

const at = (atS: number, ia: NomeIa): VideoEvent => ({
  atS,
  ia,
  confianca: 0.8,
  decisao: 'confirmado',
  motivo: '',
  detalhes: {},
})
const label = (startS: number) => ({ startS, endS: startS + 10, detail: '', required: {} })
const whole = [{ startS: 0, endS: Number.POSITIVE_INFINITY }]
const video = (events: readonly VideoEvent[], scores: readonly EventScore[], more: Partial<VideoResult> = {}) => ({
  video: 'a.mp4',
  quiet: [],
  events,
  durationS: 1800,
  failure: null,
  cpuS: 1,
  memoryMb: 1,
  scores,
  ...more,
})
const scored = (ia: NomeIa, labels: number[], events: number[]) => {
  const all = events.map((atS) => at(atS, ia))
  return video(all, [scoreEvents(ia, all, { expected: labels.map(label), judged: whole }, 1800)])
}
const still = (name: string, ...rotulos: string[]) => ({
  path: `/data/${name}`,
  name,
  boxes: rotulos.map((rotulo) => ({
    classe: 0,
    product: { tarefa: rotulo === 'fire' ? ('fogo' as const) : ('epi' as const), rotulo },
    box: { x: 0, y: 0, w: 0.5, h: 0.5 },
  })),
})
const seen = (more: Partial<ShownStill> = {}): ShownStill => ({
  heightPx: 100,
  luz: 'dia',
  found: {},
  asked: ['fogo', 'fumaca', 'epi'],
  raised: [],
  ...more,
})
const bareHead = (confianca: number): ShownStill['found'] => ({
  epi: [{ rotulo: 'no_hardhat', confianca, x: 0, y: 0, w: 0.5, h: 0.5 }],
})
const setOf = (stills: StillSet['stills'], more: Partial<StillSet> = {}): StillSet => ({
  name: 'set',
  classes: [],
  ignored: [],
  underFire: false,
  stills,
  ...more,
})

describe('summarizeIa', () => {
  it('sums over videos: recall, precision, false events per hour, median and worst delay', () => {
    const videos = [scored('invasao', [10, 100], [11, 500]), scored('invasao', [10, 100], [13, 102])]
    expect(summarizeIa('invasao', videos, null)).toMatchObject({
      rotulos: 4,
      encontrados: 3,
      revocacao: 0.75,
      precisao: 0.75,
      falsos: 1,
      horas: 1,
      falsos_por_hora: 1,
      deteccao_s: { mediana: 2, pior: 3 },
      nao_medido: null,
    })
  })

  it('reports missing values', () => {
    const unlabelled = video([at(3, 'veiculo')], [scoreEvents('veiculo', [at(3, 'veiculo')], null, 1800)])
    expect(summarizeIa('veiculo', [unlabelled], null)).toMatchObject({
      revocacao: null,
      precisao: null,
      falsos_por_hora: null,
      nao_medido: 'sem rótulos',
    })
    expect(summarizeIa('fogo', [scored('fogo', [], [5])], null)).toMatchObject({
      revocacao: null,
      precisao: null,
      falsos: 1,
      nao_medido: expect.stringContaining('só falsos'),
    })
    // Silence without a model, or on an unreadable video, proves nothing.
    expect(summarizeIa('fogo', [scored('fogo', [1], [])], 'indisponível: x')).toMatchObject({
      rotulos: 0,
      horas: 0,
      nao_medido: 'indisponível: x',
    })
    expect(summarizeIa('fogo', [{ ...scored('fogo', [1], []), failure: 'dados_invalidos' }], null).rotulos).toBe(0)
  })
})

describe('summarizePictures', () => {
  it('counts the pictures of a set without fire classes as pictures without fire', () => {
    const set = setOf([still('a.jpg'), still('b.jpg')])
    const examined = new Map([
      ['/data/a.jpg', seen({ raised: [{ ia: 'fumaca', detalhes: {}, decisao: null }] })],
      ['/data/b.jpg', seen()],
    ])
    const [fogo, fumaca, ...more] = summarizePictures(set, examined)
    expect(fogo).toMatchObject({ ia: 'fogo', imagens: 2, positivas: 0, falsas: [] })
    expect(fumaca).toMatchObject({ ia: 'fumaca', falsas: ['a.jpg'] })
    expect(more).toEqual([])
    const limits = judgeBounds({
      modelos: [],
      ias: [],
      detectores: [],
      videos: [],
      imagens: summarizePictures(set, examined),
    })
    expect(limits).toEqual([expect.objectContaining({ valor: '1 de 2 (9,5 % a 90,5 %)', ok: false })])
    // Under a folder of fires, unlabelled fire is unknown.
    expect(summarizePictures({ ...set, underFire: true }, examined)).toEqual([])
  })

  it('compares with the labels of a set, item by item', () => {
    const classes = [{ tarefa: 'epi' as const, rotulo: 'no_hardhat' }]
    const set = setOf(
      [still('a.jpg', 'no_hardhat'), still('b.jpg', 'no_hardhat'), still('c.jpg'), still('d.jpg', 'no_hardhat')],
      { classes },
    )
    const examined = new Map([
      ['/data/a.jpg', seen({ raised: [{ ia: 'epi', detalhes: { faltam: ['capacete'] }, decisao: 'confirmado' }] })],
      [
        '/data/b.jpg',
        seen({
          found: bareHead(0.49),
          raised: [{ ia: 'epi', detalhes: { faltam: ['colete'] }, decisao: 'confirmado' }],
        }),
      ],
      [
        '/data/c.jpg',
        seen({
          found: bareHead(0.9),
          raised: [{ ia: 'epi', detalhes: { faltam: ['colete', 'capacete'] }, decisao: null }],
        }),
      ],
      [
        '/data/d.jpg',
        seen({
          found: bareHead(0.5),
          raised: [{ ia: 'epi', detalhes: { faltam: ['capacete'] }, decisao: 'refutado' }],
        }),
      ],
    ])
    const epi = summarizePictures(set, examined).filter(({ ia }) => ia === 'epi')
    expect(epi).toEqual([
      {
        conjunto: 'set',
        ia: 'epi',
        item: 'capacete',
        imagens: 4,
        positivas: 3,
        vistas: 1,
        vistas_sem: ['c.jpg'],
        nao_vistas: ['a.jpg', 'b.jpg'],
        encontradas: 1,
        refutadas: 1,
        falsas: ['c.jpg'],
        vazias: 1,
        falsas_vazias: ['c.jpg'],
      },
    ])
  })

  it('skips pictures without an inference', () => {
    const examined = new Map([['/data/a.jpg', seen({ asked: ['epi'] })]])
    expect(summarizePictures(setOf([still('a.jpg')]), examined)).toEqual([])
  })
})

describe('summarizeDetectors', () => {
  it('measures the boxes of the product’s inferences', () => {
    const classes = [{ tarefa: 'epi' as const, rotulo: 'no_hardhat' }]
    const set = setOf([still('a.jpg', 'no_hardhat')], { classes })
    const box = { rotulo: 'no_hardhat', confianca: 0.6, x: 0, y: 0, w: 0.5, h: 0.5 }
    const weak = { ...box, confianca: 0.3, x: 0.5 }
    const examined = new Map([['/data/a.jpg', seen({ found: { epi: [box, weak] } })]])
    const detectores = summarizeDetectors(set, examined)
    expect(detectores).toMatchObject([
      { ap50: 1, ap50_intervalo: { de: 1, ate: 1 }, conf: 0.5, achados: 1, precisao: 1, revocacao: 1 },
    ])
  })
})

describe('judgeBounds', () => {
  const nothing = { modelos: [], ias: [], detectores: [], imagens: [], videos: [] }

  it('does not count the silence of an unusable model as a kept bound', () => {
    const model = (motivo: string | null) => ({ tarefa: 'fogo', id: null, sha256: null, motivo })
    expect(judgeBounds({ ...nothing, modelos: [model(null), model('falta o arquivo')] })).toEqual([
      expect.objectContaining({ valor: '1 de 2', ok: false }),
    ])
    expect(judgeBounds({ ...nothing, modelos: [model(null)] })).toEqual([expect.objectContaining({ ok: true })])
  })

  it('does not count a model without any "sem capacete" as always right', () => {
    const classes = [{ tarefa: 'epi' as const, rotulo: 'no_hardhat' }]
    const examined = new Map([['/data/a.jpg', seen({ asked: ['epi'] })]])
    const of = (some: ReturnType<typeof still>) => summarizePictures(setOf([some], { classes }), examined)
    expect(judgeBounds({ ...nothing, imagens: of(still('a.jpg', 'no_hardhat')) })).toEqual([
      expect.objectContaining({ valor: 'nada encontrado', ok: false }),
    ])
    expect(judgeBounds({ ...nothing, imagens: of(still('a.jpg')) })).toEqual([])
  })

  it('counts the pictures in which "sem capacete" is wrong', () => {
    const classes = [{ tarefa: 'epi' as const, rotulo: 'no_hardhat' }]
    const bare = { rotulo: 'no_hardhat', confianca: 0.9, x: 0, y: 0, w: 0.5, h: 0.5 }
    const stated = seen({ asked: ['epi'], found: { epi: [bare] } })
    const stills = [still('a.jpg', 'no_hardhat'), still('b.jpg')]
    const examined = new Map(stills.map(({ path }) => [path, stated]))
    expect(judgeBounds({ ...nothing, imagens: summarizePictures(setOf(stills, { classes }), examined) })).toEqual([
      expect.objectContaining({ valor: '50,0 % (1 de 2; 9,5 % a 90,5 %)', ok: false }),
    ])
  })

  it('counts false fires in the pictures without fire of a set that also has fire', () => {
    const classes = ['fire', 'smoke'].map((rotulo) => ({ tarefa: 'fogo' as const, rotulo }))
    const stills = [still('fire.jpg', 'fire'), still('yard.jpg'), still('sky.jpg')]
    const fire = seen({ raised: [{ ia: 'fogo', detalhes: {}, decisao: null }] })
    const smoke = seen({ raised: [{ ia: 'fumaca', detalhes: {}, decisao: null }] })
    const examined = new Map([
      ['/data/fire.jpg', seen({ raised: [...fire.raised, ...smoke.raised] })],
      ['/data/yard.jpg', fire],
      ['/data/sky.jpg', seen()],
    ])
    const limits = judgeBounds({ ...nothing, imagens: summarizePictures(setOf(stills, { classes }), examined) })
    expect(limits.map(({ valor, ok }) => [valor, ok])).toEqual([
      ['0,0 % (0 de 1; 0,0 % a 79,3 %)', false],
      ['1 de 2 (9,5 % a 90,5 %)', false],
    ])
  })

  it('omits unmeasured bounds and counts candidates in a still scene whatever the verdict', () => {
    expect(judgeBounds({ modelos: [], ias: [], detectores: [], imagens: [], videos: [] })).toEqual([])
    const refuted = { ...at(3, 'invasao'), decisao: 'refutado' as const }
    const videos = [video([refuted], [], { quiet: [{ startS: 0, endS: 10 }] })]
    expect(judgeBounds({ modelos: [], ias: [], detectores: [], imagens: [], videos })).toEqual([
      expect.objectContaining({ valor: '1', ok: false }),
    ])
  })

  it('requires fire events within three seconds', () => {
    const ias = (eventS: number) => [summarizeIa('fogo', [scored('fogo', [10], [eventS])], null)]
    const fire = (eventS: number) =>
      judgeBounds({ modelos: [], ias: ias(eventS), detectores: [], imagens: [], videos: [] }).find(({ limite }) =>
        limite.includes('3 s'),
      )
    expect(fire(12.9)).toMatchObject({ ok: true, valor: '2,9 s' })
    expect(fire(13.1)).toMatchObject({ ok: false })
    expect(fire(50)).toMatchObject({ ok: false, valor: 'não encontrado' })
  })
})
