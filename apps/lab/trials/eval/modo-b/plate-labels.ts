import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Point } from '@vigia/analysis/plates/picture'
import { VigiaError } from '@vigia/contracts/errors'

/** A photograph with the text and the box of one plate, in pixels. */
export interface LabelledPlate {
  readonly path: string
  readonly sha256: string
  /** As labelled. */
  readonly placa: string
  /** As the photograph shows it: the corrected label. */
  readonly shown: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  /** Whether a point lies on the plate. */
  holds(point: Point): boolean
}

/** Corrected labels of single photographs (`sha256,placa`). */
const CORRECTED = fileURLToPath(new URL('../../../labels/plates-wrong.csv', import.meta.url))

async function readCorrections(): Promise<ReadonlyMap<string, string>> {
  const lines = (await readFile(CORRECTED, 'utf8')).trim().split('\n').slice(1)
  return new Map(lines.map((line) => line.split(',') as [string, string]))
}

/** Reads `labels.csv` (`file,plate,x,y,w,h`). @throws VigiaError `validacao` if it is missing or malformed */
export async function readPlateLabels(folder: string): Promise<LabelledPlate[]> {
  const text = await readFile(join(folder, 'labels.csv'), 'utf8').catch((cause: unknown) => {
    throw new VigiaError('validacao', { detalhe: `Falta ${folder}/labels.csv. Diga a pasta em --data.`, cause })
  })
  const corrected = await readCorrections()
  const lines = text.trim().split('\n').slice(1)
  return Promise.all(
    lines.map(async (line) => {
      const [file = '', placa = '', ...numbers] = line.split(',')
      const [x = Number.NaN, y = Number.NaN, w = Number.NaN, h = Number.NaN] = numbers.map(Number)
      if (!/^[A-Z0-9]{5,8}$/.test(placa) || ![x, y, w, h].every(Number.isFinite))
        throw new VigiaError('validacao', { detalhe: `Linha ilegível em ${folder}/labels.csv: ${line}` })
      const holds = (point: Point) => point.x >= x && point.x <= x + w && point.y >= y && point.y <= y + h
      const path = join(folder, file)
      const sha256 = createHash('sha256')
        .update(await readFile(path))
        .digest('hex')
      return { path, sha256, placa, shown: corrected.get(sha256) ?? placa, x, y, w, h, holds }
    }),
  )
}
