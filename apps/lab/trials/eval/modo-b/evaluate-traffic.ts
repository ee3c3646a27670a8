import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCameraPipeline } from '@vigia/analysis/camera-pipeline'
import type { SeenPassage } from '@vigia/analysis/plates/passage-model'
import { createPlateReader } from '@vigia/analysis/plates/plate-reader'
import { toText } from '@vigia/testing/table'
import type { TrialOutput } from '@vigia/testing/trial'
import { createTurns } from '@vigia/vision/turns'
import { analyseVideo, settingsOf } from '../analyse-video.ts'
import { plainScene } from '../scene.ts'
import { openDetector } from './open-detector.ts'

/** Clips of real traffic. Their plates are too small to be read. */
const CLIPS = ['car-detection.mp4', 'person-bicycle-car-detection.mp4'] as const

/** Counts the passages in clips of real traffic. Returns a table. */
export async function evaluateTraffic(
  folder: string,
  confPlaca: number,
  onProgress: TrialOutput['progress'],
): Promise<string> {
  const runner = await openDetector()
  const readPlates = createPlateReader((error) => {
    throw error
  })
  const labels = await readFile(join(folder, 'events.csv'), 'utf8')
  const rows: string[][] = []
  for (const clip of CLIPS) {
    const last = new Map<string, SeenPassage>()
    const { durationS, failure } = await analyseVideo(
      join(folder, clip),
      (onEvents) =>
        createCameraPipeline({
          cameraId: 1,
          states: {},
          runner,
          turns: createTurns(),
          readPlates,
          onEvents,
          settings: { ...settingsOf(plainScene, []), modoB: { regiao: [], confPlaca } },
          onPassage: (passage) => last.set(passage.passagem, passage),
        }),
      { judge: async () => ({ decisao: null, motivo: '' }) },
      (atS) => onProgress(atS / 60, clip),
    )
    if (failure !== null) throw new Error(`${clip}: ${failure}`)
    const crossings = labels.split('\n').filter((line) => line.startsWith(`${clip},`) && line.includes('vehicle'))
    rows.push([
      clip,
      durationS.toFixed(0),
      String(crossings.length),
      String(last.size),
      String([...last.values()].filter(({ placa }) => placa !== null).length),
    ])
  }
  await runner.close()
  return toText({
    titulo: 'Passagens em trechos reais de trânsito',
    nota: 'As placas destes trechos são pequenas demais para ler. Travessias: rótulos do trecho.',
    colunas: ['trecho', 's', 'travessias', 'passagens', 'com placa'],
    linhas: rows,
  })
}
