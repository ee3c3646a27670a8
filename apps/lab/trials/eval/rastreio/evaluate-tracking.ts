import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { AnalysisSettings } from '@vigia/analysis/analyses'
import { VigiaError } from '@vigia/contracts/errors'
import { nomesIas } from '@vigia/contracts/ias'
import { isSupported } from '@vigia/ias/analysis'
import { type Table, toText } from '@vigia/testing/table'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { settingsOf } from '../analyse-video.ts'
import { createEvalModels } from '../eval-models.ts'
import { plainScene } from '../scene.ts'
import { crossLines } from './cross-lines.ts'
import { type CrossingScore, scoreCrossings } from './crossing-score.ts'
import { type FollowedFrame, followVideo } from './follow-video.ts'
import { type MotFrame, type MotResult, scoreMot } from './mot.ts'
import { LABELLED, type LabelledCrossing, peopleAt, readCrossings, readLines, readPeople } from './people-labels.ts'
import { scoreSinglePeople, singlePeopleClip } from './single-people.ts'

export interface TrackingOptions {
  readonly dataDir: string
  /** The first 40 s of `vtest.avi` in H.264; null: not given. */
  readonly vtest: string | null
  readonly modelsFolder: string | null
}

type Score = CrossingScore<LabelledCrossing, ReturnType<typeof crossLines>[number]>

/** Measures tracks and crossings of lines against the labelled people. */
export async function evaluateTracking(
  { dataDir, vtest, modelsFolder }: TrackingOptions,
  { print }: TrialOutput,
): Promise<Result> {
  if (vtest === null || !existsSync(vtest)) {
    const given = vtest === null ? 'O vídeo vtest-40s.mp4 não foi informado.' : `O arquivo ${vtest} não existe.`
    throw new VigiaError('validacao', {
      detalhe: `${given} Recodifique o vídeo como em apps/lab/labels/README.md e use --vtest ARQUIVO ou VIGIA_VTEST.`,
    })
  }
  const models = createEvalModels(modelsFolder)
  try {
    await models.ready()
    const settings = settingsOf(plainScene, nomesIas.filter(isSupported))
    const follow = (file: string, endS: number) => followFrames(file, endS, settings, models)
    const tables: Table[] = []
    const frames = await follow(vtest, LABELLED.endS)
    const labels = await readPeople()
    const seen = scoreMot(motFrames(frames, labels, false))
    const all = scoreMot(motFrames(frames, labels, true))
    tables.push(motTable([['vistas', seen] as const, ['vistas e previstas', all] as const]))
    const score = scoreCrossings(await readCrossings(), crossLines(frames, settings, await readLines()))
    tables.push(crossingTable(score))
    const clip = join(dataDir, singlePeopleClip)
    if (existsSync(clip)) tables.push(await scoreSinglePeople(clip, await follow(clip, Infinity)))
    const limits = limitsOf(seen, score)
    tables.push(limits.table)
    print(`${tables.map(toText).join('\n\n')}\n\n${detailsOf(score).join('\n')}`)
    return { passed: limits.ok }
  } finally {
    await models.close()
  }
}

async function followFrames(
  file: string,
  endS: number,
  settings: AnalysisSettings,
  models: ReturnType<typeof createEvalModels>,
): Promise<readonly FollowedFrame[]> {
  const { frames, failure } = await followVideo(file, endS, (onTracks) =>
    models.pipelineFor(settings)(() => {}, undefined, onTracks),
  )
  if (frames.length === 0) {
    throw new VigiaError('validacao', {
      detalhe: `${file}: nenhum quadro foi analisado (${failure ?? 'arquivo vazio'}).`,
    })
  }
  return frames
}

/** The people and the tracks of people of each frame. `predicted`: also tracks without a detection in the frame. */
function motFrames(
  frames: readonly FollowedFrame[],
  labels: Awaited<ReturnType<typeof readPeople>>,
  predicted: boolean,
): MotFrame[] {
  return frames.map(({ streamMs, tracks }) => {
    const { people, ignored } = peopleAt(labels, streamMs / 1000)
    const counted = tracks.filter((track) => track.rotulo === 'person' && (predicted || !track.predicted))
    return { truth: people, tracks: counted, ignored }
  })
}

const percent = (value: number | null) => (value === null ? '–' : (100 * value).toFixed(1).replace('.', ','))

const motTable = (rows: readonly (readonly [string, MotResult])[]): Table => ({
  titulo: 'Rastreamento de pessoas',
  nota: 'Primeiros 40 s de vtest.avi a 5 quadros/s, todas as trilhas que as regras recebem.',
  colunas: ['caixas', 'MOTA', 'IDF1', 'trocas', 'perdidas', 'falsas', 'pessoas', 'caixas das trilhas'],
  linhas: rows.map(([name, one]) => [
    name,
    percent(one.mota),
    percent(one.idf1),
    ...[one.switches, one.misses, one.falseBoxes, one.objects, one.boxes].map(String),
  ]),
})

function crossingTable(score: Score): Table {
  const names = [...new Set([...score.all, ...score.doubles, ...score.wrong].map(({ line }) => line))].sort()
  const kinds = [score.all, score.found, score.doubles, score.wrong]
  const row = (title: string, isOn: (crossing: { line: string }) => boolean) => [
    title,
    ...kinds.map((some) => String(some.filter(isOn).length)),
  ]
  return {
    titulo: 'Cruzamentos de linha',
    nota: 'Regra cruzamento_linha com a calibração padrão; encontrado: sentido certo, até 1,5 s de diferença.',
    colunas: ['linha', 'rótulos', 'encontrados', 'repetidos', 'errados'],
    linhas: [...names.map((name) => row(name, ({ line }) => line === name)), row('todas', () => true)],
  }
}

/** Minimum share of crossings found, maximum share of events that are double or wrong, minimum IDF1 and MOTA. */
const LIMITS = { found: 0.9, bad: 0.02, idf1: 0.65, mota: 0.72 }

function limitsOf(mot: MotResult, score: Score): { readonly table: Table; readonly ok: boolean } {
  const found = score.found.length / score.all.length
  const bad = score.events === 0 ? 0 : (score.doubles.length + score.wrong.length) / score.events
  const checks: [name: string, limit: string, value: number | null, ok: boolean][] = [
    ['cruzamentos encontrados', `≥ ${percent(LIMITS.found)} %`, found, found >= LIMITS.found],
    ['eventos repetidos ou errados', `≤ ${percent(LIMITS.bad)} %`, bad, bad <= LIMITS.bad],
    ['IDF1', `≥ ${percent(LIMITS.idf1)}`, mot.idf1, (mot.idf1 ?? 0) >= LIMITS.idf1],
    ['MOTA', `≥ ${percent(LIMITS.mota)}`, mot.mota, (mot.mota ?? 0) >= LIMITS.mota],
  ]
  const linhas = checks.map(([name, limit, value, ok]) => [name, limit, percent(value), ok ? 'ok' : 'FALHA'])
  const table = { titulo: 'Limites', colunas: ['limite', 'pedido', 'medido', ''], linhas }
  return { table, ok: checks.every(([, , , ok]) => ok) }
}

function detailsOf({ missed, doubles, wrong }: Score): string[] {
  const text = (crossing: { line: string; s: number; direction: string }) =>
    `linha ${crossing.line}, ${crossing.s.toFixed(1)} s, ${crossing.direction}`
  return [
    ...missed.map((one) => `perdido: ${text(one)}, pessoa ${one.id}`),
    ...doubles.map((one) => `repetido: ${text(one)}, trilha ${one.track}`),
    ...wrong.map((one) => `errado: ${text(one)}, trilha ${one.track}`),
  ]
}
