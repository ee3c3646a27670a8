import { VigiaError } from '@vigia/contracts/errors'
import { z } from 'zod'

/** An event labelled by a person in a video; times in seconds from its start. */
export interface Label {
  readonly video: string
  readonly event: string
  readonly startS: number
  readonly endS: number
  readonly detail: string
}

const HEADER = ['video', 'event', 'start_s', 'end_s', 'detail']
const seconds = z.string().trim().min(1).transform(Number).pipe(z.number().min(0))

/** Reads `events.csv`. Throws VigiaError `validacao` that names the unreadable line. */
export function parseLabels(csv: string): Label[] {
  const [header, ...lines] = csv.split(/\r?\n/)
  if (header?.replace(/^\uFEFF/, '').trim() !== HEADER.join(',')) {
    throw new VigiaError('validacao', { detalhe: `events.csv: a primeira linha deve ser ${HEADER.join(',')}.` })
  }
  return lines.flatMap((line, index) => (line.trim() === '' ? [] : [parseLine(line, index + 2)]))
}

function parseLine(line: string, number: number): Label {
  const [video = '', event = '', start = '', end = '', ...detail] = fields(line)
  const [startS, endS] = [seconds.safeParse(start), seconds.safeParse(end)]
  if (!video || !event || !startS.success || !endS.success || endS.data < startS.data) {
    throw new VigiaError('validacao', { detalhe: `events.csv: a linha ${number} está fora do formato.` })
  }
  return { video, event, startS: startS.data, endS: endS.data, detail: detail.join(',') }
}

/** Fields of one line; a quoted field may contain commas and doubled quotes (RFC 4180). */
function fields(line: string): string[] {
  const found = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)
  return [...found].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain?.trim() ?? '')
}
