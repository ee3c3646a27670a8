import type { Caixa, Decisao } from '@vigia/contracts/eventos'
import type { Box } from '@vigia/ias/geometry'
import type { Size } from './place-crop.ts'

/** A reviewed picture for the COCO file. */
export interface CocoPicture extends Size {
  readonly eventoId: number
  /** Relative to the folder of the images. */
  readonly file: string
  /** Epoch ms. */
  readonly ocorridoEm: number
  /** In fractions of the frame. */
  readonly caixas: readonly Caixa[]
  /** Part of the frame that the picture shows. */
  readonly part: Box
  readonly rotulo: Decisao
  /** Facts of the event for `attributes`: scalars, as annotation tools read them. */
  readonly attributes: Readonly<Record<string, string | number | null>>
}

/** A box that has less than this share of its area in the picture is left out. */
const VISIBLE_MIN = 0.25

interface Annotation {
  readonly id: number
  readonly image_id: number
  readonly category_id: number
  readonly bbox: readonly [x: number, y: number, width: number, height: number]
  readonly area: number
  readonly iscrowd: 0
  readonly segmentation: readonly (readonly number[])[]
  readonly attributes: Readonly<Record<string, string | number | null>>
}

/**
 * Collects pictures as one COCO object detection file (cocodataset.org, "Data format"). Boxes of a false alarm have a
 * category of their own, so that a trainer does not learn them as the object. Annotation ids start at 1, because
 * COCOeval of pycocotools takes 0 for "no match".
 */
export function createCoco(about: { readonly description: string; readonly now: number }) {
  const images: object[] = []
  const annotations: Annotation[] = []
  const categories = new Map<string, { id: number; name: string; supercategory: string }>()

  const categoryOf = (label: string, rotulo: Decisao): number => {
    const name = rotulo === 'confirmado' ? label : `falso_${label}`
    const known = categories.get(name) ?? {
      id: categories.size + 1,
      name,
      supercategory: rotulo === 'confirmado' ? 'objeto' : 'falso_alarme',
    }
    categories.set(name, known)
    return known.id
  }

  return {
    add(picture: CocoPicture): void {
      const { eventoId, file, width, height, ocorridoEm, caixas, rotulo, attributes } = picture
      const date_captured = new Date(ocorridoEm).toISOString()
      images.push({ id: eventoId, file_name: file, width, height, date_captured, attributes })
      for (const caixa of caixas) {
        const box = pixelsOf(caixa, picture)
        if (!box) continue
        const [x, y, w, h] = box
        annotations.push({
          id: annotations.length + 1,
          image_id: eventoId,
          category_id: categoryOf(caixa.rotulo, rotulo),
          bbox: box,
          area: rounded(w * h),
          iscrowd: 0,
          segmentation: [[x, y, x + w, y, x + w, y + h, x, y + h].map(rounded)],
          attributes: { rotulo: caixa.rotulo, confianca: caixa.confianca, ...attributes },
        })
      }
    },
    /** The file, with the newline of its end. */
    file(): Buffer {
      const date_created = new Date(about.now).toISOString()
      const info = {
        description: about.description,
        version: '1',
        year: new Date(about.now).getUTCFullYear(),
        date_created,
      }
      const file = { info, licenses: [], images, annotations, categories: [...categories.values()] }
      return Buffer.from(`${JSON.stringify(file)}\n`)
    },
  }
}

/** COCO's `[x, y, width, height]` in pixels of the picture, from its top left corner; null: hardly visible in it. */
function pixelsOf(caixa: Box, { part, width, height }: CocoPicture): Annotation['bbox'] | null {
  const left = Math.max(caixa.x, part.x)
  const top = Math.max(caixa.y, part.y)
  const w = Math.min(caixa.x + caixa.w, part.x + part.w) - left
  const h = Math.min(caixa.y + caixa.h, part.y + part.h) - top
  if (w <= 0 || h <= 0 || w * h < VISIBLE_MIN * caixa.w * caixa.h) return null
  const scaleX = width / part.w
  const scaleY = height / part.h
  return [rounded((left - part.x) * scaleX), rounded((top - part.y) * scaleY), rounded(w * scaleX), rounded(h * scaleY)]
}

const rounded = (value: number): number => Math.round(value * 100) / 100
