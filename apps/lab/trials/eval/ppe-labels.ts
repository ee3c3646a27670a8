import { VigiaError } from '@vigia/contracts/errors'
import type { Box } from '@vigia/ias/geometry'
import { z } from 'zod'
import { yoloBox } from './yolo-labels.ts'

interface PictureBox {
  /** Path below the data folder of the set. */
  readonly file: string
  /** SHA-256 of the picture. */
  readonly sha256: string
  readonly box: Box
}

const HEADS = ['hard_hat', 'bare', 'cap_or_hat', 'motorcycle_helmet'] as const
type HeadCover = (typeof HEADS)[number]

export interface PersonLabel extends PictureBox {
  readonly vest: 'vest' | 'no_vest' | 'not_visible'
  readonly head: HeadCover | 'not_visible'
  /** null: the data set has no box for this head. */
  readonly headBox: Box | null
  readonly note: string
}

interface HeadLabel extends PictureBox {
  readonly given: 'hardhat' | 'no_hardhat'
  readonly seen: HeadCover | 'unclear' | 'no_head'
}

interface HatLabel extends PictureBox {
  readonly class: HeadCover | 'unclear'
  readonly note: string
}

const fraction = z
  .string()
  .regex(/^[\d.]+$/)
  .transform(Number)
  .pipe(z.number().max(1))
const noNumber = z.literal('').transform(() => null)
const headNumber = z.union([fraction, noNumber])
const picture = {
  file: z.string().min(1),
  x: fraction,
  y: fraction,
  w: fraction,
  h: fraction,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
}

const person = z
  .object({
    ...picture,
    vest: z.enum(['vest', 'no_vest', 'not_visible']),
    head: z.enum([...HEADS, 'not_visible']),
    head_x: headNumber,
    head_y: headNumber,
    head_w: headNumber,
    head_h: headNumber,
    note: z.string(),
  })
  .transform(({ x, y, w, h, head_x, head_y, head_w, head_h, ...rest }) => ({
    ...rest,
    box: yoloBox(x, y, w, h),
    headBox:
      head_x === null || head_y === null || head_w === null || head_h === null
        ? null
        : yoloBox(head_x, head_y, head_w, head_h),
  }))

const head = z
  .object({
    ...picture,
    given: z.enum(['hardhat', 'no_hardhat']),
    seen: z.enum([...HEADS, 'unclear', 'no_head']),
  })
  .transform(({ x, y, w, h, ...rest }) => ({ ...rest, box: yoloBox(x, y, w, h) }))

const hat = z
  .object({ ...picture, class: z.enum([...HEADS, 'unclear']), note: z.string() })
  .transform(({ x, y, w, h, ...rest }) => ({ ...rest, box: yoloBox(x, y, w, h) }))

/** `ppe-people.csv`: vest and head of each person of the measuring set. */
export const parsePersonLabels = (csv: string): PersonLabel[] => rows('ppe-people.csv', csv, person)

/** `ppe-heads.csv` and `ppe-heads-wrong.csv`: heads with the given and the checked label. */
export const parseHeadLabels = (csv: string, name = 'ppe-heads.csv'): HeadLabel[] => rows(name, csv, head)

/** `ppe-hats-heads.csv`: heads labelled `NO-Hardhat` of the training folder with hats. */
export const parseHatLabels = (csv: string): HatLabel[] => rows('ppe-hats-heads.csv', csv, hat)

/** Throws VigiaError `validacao` that names the unreadable line. No field contains a comma. */
function rows<Row>(name: string, csv: string, schema: z.ZodType<Row>): Row[] {
  const [header = '', ...lines] = csv.trimEnd().split(/\r?\n/)
  const columns = header.split(',')
  return lines.map((line, index) => {
    const fields = line.split(',')
    const row = schema.safeParse(Object.fromEntries(columns.map((column, at) => [column, fields[at]])))
    if (!row.success || fields.length !== columns.length)
      throw new VigiaError('validacao', { detalhe: `${name}: a linha ${index + 2} está fora do formato.` })
    return row.data
  })
}
