import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { type NomeIa, nomesIas } from '@vigia/contracts/ias'
import { z } from 'zod'
import { perfis } from './scenes.ts'

const ia = z.enum(nomesIas)
const falseEvent = z.object({
  ia,
  em_s: z.number(),
  confianca: z.number(),
  motivo: z.string(),
  rotulos: z.array(z.string()).readonly(),
  caixas: z.array(z.looseObject({})).readonly(),
  clima: z.string().nullable(),
  /** Begin of the names of its pictures in the folder. */
  imagem: z.string(),
})
export type FalseEvent = z.output<typeof falseEvent>

const row = z.object({
  v: z.literal(1),
  perfil: z.enum(perfis),
  segmento: z.int(),
  cena: z.string(),
  duracao_s: z.number(),
  /** Length of the real pieces behind it. */
  real_s: z.number(),
  cpu_s: z.number(),
  relogio_s: z.number(),
  inferencias: z.int(),
  julgado_s: z.partialRecord(ia, z.number()),
  falsos: z.array(falseEvent).readonly(),
  refutados: z.partialRecord(ia, z.int()),
  /** All events, true ones included. */
  eventos: z.int(),
})
/** One finished segment. */
export type SegmentRow = z.output<typeof row>

const ROWS = 'segmentos.jsonl'
const MODELS = 'modelos.txt'

/**
 * The finished segments in this folder, which is created. A segment that a kill interrupted left at most a part of a
 * line, and runs again. Throws VigiaError `conflito` if other models made the segments.
 */
export async function openState(folder: string, models: string): Promise<SegmentRow[]> {
  await mkdir(folder, { recursive: true })
  const before = await readFile(join(folder, MODELS), 'utf8').catch(() => null)
  if (before !== null && before !== models) {
    const detalhe = `${folder} é de outros modelos. Apague a pasta ou indique outra com --estado PASTA.`
    throw new VigiaError('conflito', { detalhe })
  }
  await writeFile(join(folder, MODELS), models)
  const text = await readFile(join(folder, ROWS), 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => parsed(line) ?? [])
}

function parsed(line: string): SegmentRow | null {
  try {
    return row.parse(JSON.parse(line))
  } catch {
    return null
  }
}

/** The line begins with a line break: the line before it may be a part. */
export const saveSegment = (folder: string, one: SegmentRow): Promise<void> =>
  appendFile(join(folder, ROWS), `\n${JSON.stringify(one)}\n`)

/** Sum over the segments of one IA. */
export const sumOf = (rows: readonly SegmentRow[], value: (row: SegmentRow) => number): number =>
  rows.reduce((sum, one) => sum + value(one), 0)

export const falseOf = (rows: readonly SegmentRow[], nome: NomeIa): number =>
  sumOf(rows, ({ falsos }) => falsos.filter((one) => one.ia === nome).length)
