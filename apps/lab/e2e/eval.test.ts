import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { repositoryRoot, runProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import type { EvalResult } from '../trials/eval/result.ts'
import { makeClip } from '../trials/eval/stress/make-clip.ts'

const data = resolve(repositoryRoot, process.env.VIGIA_DADOS_TESTE ?? '../shared/data')
const needed = ['cctv/events.csv', 'ppe/classes.txt', 'fire/roboflow-small-fire-smoke/data.yaml', 'plates']
const isThere = needed.every((name) => existsSync(join(data, name)))
if (!isThere) process.stderr.write(`eval is not tested on footage: ${needed.join(', ')} are not in ${data}\n`)

/** Ends a hang. */
const GUARD_MS = 900_000

/** A part of the data set that fits into the time of a test. */
const PART = {
  people: { video: 'one-by-one-person-detection.mp4', untilS: 22, visits: 1 },
  videos: ['test_motion_video-3.mp4'],
  pictures: { 'ppe/test': 4, 'fire/roboflow-small-fire-smoke': 3 },
  negatives: 2,
}

/** A folder with links to that part, and the first visits of the footage of people. */
async function partOfData(): Promise<string> {
  const folder = temporaryFolder('vigia-eval-')
  const link = (name: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    symlinkSync(join(data, name), join(folder, name))
  }
  for (const name of PART.videos) link(`cctv/${name}`)
  const { people } = PART
  // The obstruction starts at the end of the clip, so it changes no picture.
  const whole = { kind: 'obstruction', problema: 'preta', fromS: people.untilS, untilS: people.untilS } as const
  const clip = await makeClip(join(data, 'cctv', people.video), whole, join(folder, 'cctv'))
  const [header = '', ...rows] = readFileSync(join(data, 'cctv/events.csv'), 'utf8').split('\n')
  const visits = rows.filter((row) => row.startsWith(people.video)).slice(0, people.visits)
  const kept = [
    ...visits.map((row) => row.replace(people.video, basename(clip.path))),
    ...rows.filter((row) => PART.videos.some((name) => row.startsWith(name))),
  ]
  writeFileSync(join(folder, 'cctv/events.csv'), [header, ...kept].join('\n'))
  for (const [set, count] of Object.entries(PART.pictures)) {
    for (const picture of readdirSync(join(data, set, 'images')).slice(0, count)) {
      link(join(set, 'images', picture))
      link(join(set, 'labels', picture.replace(/\.\w+$/, '.txt')))
    }
  }
  link('ppe/classes.txt')
  link('fire/roboflow-small-fire-smoke/data.yaml')
  for (const name of readdirSync(join(data, 'plates'))
    .filter((one) => one.endsWith('.jpg'))
    .slice(0, PART.negatives))
    link(join('plates', name))
  return folder
}

describe.skipIf(!isThere)(`npm run lab -- eval on labelled footage (needs ${data})`, () => {
  // On loaded processors inference takes several times the usual minute.
  it('measures every IA, finds every person once and raises no false event', { timeout: GUARD_MS }, async () => {
    const folder = await partOfData()
    const json = join(folder, 'eval.json')
    const { code, output } = await runProgram({
      entry: 'apps/lab/src/main.ts',
      args: ['eval', '--data', folder, '--json', json],
      readyMs: GUARD_MS,
    })
    const { figures: result } = JSON.parse(readFileSync(json, 'utf8')) as { figures: EvalResult }
    rmSync(folder, { recursive: true })

    const invasao = result.ias.find(({ ia }) => ia === 'invasao')
    expect(invasao, output).toMatchObject({
      rotulos: PART.people.visits,
      encontrados: PART.people.visits,
      falsos: 0,
      repetidos: 0,
      revocacao: 1,
      precisao: 1,
    })
    expect(invasao?.deteccao_s?.pior).toBeLessThan(3)
    // Still footage raises no candidate, and footage without fire raises no fire alarm.
    expect(result.videos.find(({ video }) => video.includes('motion_video-3'))).toMatchObject({
      events: [],
      failure: null,
    })
    const fire = result.ias.filter(({ ia }) => ia === 'fogo' || ia === 'fumaca')
    expect(fire.map(({ falsos }) => falsos)).toEqual([0, 0])
    // The report lists an IA without labels as such.
    expect(result.ias.find(({ ia }) => ia === 'permanencia')?.nao_medido).toContain('sem rótulos')
    for (const { ia } of result.ias) expect(output).toContain(ia)

    expect(result.modelos.slice(0, 3).map(({ tarefa, motivo }) => [tarefa, motivo])).toEqual([
      ['objetos', null],
      ['epi', null],
      ['fogo', null],
    ])
    expect(result.detectores.map(({ conjunto, rotulo }) => `${conjunto} ${rotulo}`)).toEqual(
      expect.arrayContaining(['ppe no_hardhat', 'ppe no_vest', 'ppe person', 'fire/roboflow-small-fire-smoke fire']),
    )
    // A still picture never raises an event.
    expect(result.imagens.flatMap(({ encontradas, falsas }) => [encontradas, falsas.length])).toEqual(
      result.imagens.flatMap(() => [0, 0]),
    )
    expect(result.custo).toMatchObject({ imagens: 9, cpu_por_segundo: expect.any(Number) })
    expect(code).toBe(result.ok ? 0 : 1)
    expect(result.ok).toBe(result.limites.every(({ ok }) => ok))
  })
})
